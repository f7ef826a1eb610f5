//! The state machine: App, Message, Effect, update. No I/O, no clock, no drawing.
