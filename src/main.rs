//! Parses the options, chooses what runs, and turns the end into an exit code.

fn main() {}
