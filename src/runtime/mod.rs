//! The loop: session, effects, terminal. The only place that does what update asks for.
