//! File, environment and options become one configuration. Must not know who uses it.
