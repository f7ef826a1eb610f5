//! What is written to the terminal: that it shows what was drawn, and how few bytes that takes.

mod bytes_per_key;
mod emulator;
mod random_frames;
