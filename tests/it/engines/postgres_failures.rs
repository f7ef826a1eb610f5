//! What a database server of its own can do to the service.
