//! The desk over a real connection, by the client of the program and by plain requests.

mod description;
mod input;
mod people;
mod random;
mod rows;
mod waiting;
