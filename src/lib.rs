//! `reportdeck`: a terminal dashboard for web page reports.
//!
//! Four nouns run through the crate, and each is used for one thing only:
//!
//! | noun | meaning | made by | read by |
//! |---|---|---|---|
//! | `Action` | something the person asked for ("sort by the next column") | keys, help, mouse | `update` |
//! | `Message` | anything that can happen: input, a reply, a tick, what was drawn | input, effects, clock, view | `update` |
//! | `Effect` | something the outside world should do ("list reports, request 12") | `update` | `runtime::effects` |
//! | `Drawn` | what drawing taught us: rows that fit, clickable areas | `view` | `update`, only when it changed |
//!
//! One folder per layer, and one direction (`tests/layers.rs` reads the imports and holds it):
//!
//! | folder | may name of ours |
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
//!  tick (only while waiting) ──┼─► app::update(Message) ─┤            └─ Drawn ──► back as a Message
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
