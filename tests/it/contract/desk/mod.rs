//! The desk over a real connection, by the client of the program and by plain requests.

mod input;
mod people;
mod rows;
mod waiting;
