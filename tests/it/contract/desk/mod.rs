//! The desk over a real connection, with the program's client and with plain requests.

mod description;
mod input;
mod people;
mod random;
mod rows;
mod waiting;
