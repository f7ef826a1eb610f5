//! `reportdeck`: a terminal dashboard for web page reports.
//!
//! | word | meaning | made by | read by |
//! |---|---|---|---|
//! | `Action` | a command of the user ("sort by the next column") | keys, help, mouse | `update` |
//! | `Message` | an event: input, a reply, a tick, the layout of a frame | input, effects, clock, view | `update` |
//! | `Effect` | requested I/O ("list reports, request 12") | `update` | `runtime::effects` |
//! | `Fact` | a change of a report or project | `update`, from replies | every part of the state |
//! | `FrameLayout` | visible row counts and hit targets of the last frame | `view` | `update`, only when it changed |
//!
//! One folder per layer. Imports go one way between layers and form no cycle within one, which `tests/it/layers.rs` checks.
//!
//! | folder | may import |
//! |---|---|
//! | [`domain`] | nothing |
//! | [`api`] | domain |
//! | [`audit`] | domain |
//! | [`service`] | domain, `api::contract`, audit |
//! | [`journal`] | domain |
//! | [`input`] | domain |
//! | [`app`] | domain, input's plain types |
//! | [`view`] | app, domain, input |
//! | [`runtime`] | domain, app, api, input, view, journal, config |
//! | [`config`] | domain |
//! | [`cli`] | everything |
//!
//! ```text
//!  keys ──► input::translate ──┐
//!  replies ◄── effects ────────┤                         ┌──► view::draw(&App) ──► screen
//!  tick (only while waiting) ──┼─► app::update(Message) ─┤            └─ FrameLayout ──► back as a Message
//!  signals, resize ────────────┘            │            └── App
//!                                           └─► Vec<Effect> ──► runtime/effects ──► api, journal, clipboard, browser
//! ```

pub mod api;
pub mod app;
pub mod audit;
pub mod cli;
pub mod config;
pub mod domain;
pub mod input;
pub mod journal;
pub mod runtime;
pub mod service;
pub mod view;
