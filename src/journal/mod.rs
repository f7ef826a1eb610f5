//! What this machine remembers: drafts of forms. Must not know the screen, the client or the service.
