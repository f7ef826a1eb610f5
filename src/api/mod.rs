//! The interface, once, and how to call it. Knows the domain; must not know the screen, the service or a database.

pub mod contract;
