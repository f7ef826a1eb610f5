//! Connects the state to the outside world: the event loop, the terminal, and the tasks that perform effects.

pub mod clock;
mod current_service;
mod effects;
mod event_loop;
mod launch;
mod panic;
mod replies;
pub mod session;
pub mod terminal;

pub(crate) use self::effects::browser;
pub use self::event_loop::{Paint, run, run_with};
pub use self::launch::{Connect, ConnectRequest, DeskAccess, Launch, ServiceConnection};
