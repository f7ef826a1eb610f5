//! Keys to meaning: actions, contexts, bindings. Must not know the state or the screen.
