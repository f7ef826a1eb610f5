//! What our service answers, asked over a real connection: every endpoint, parameter, allowed value and refusal.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may stop at the first surprise

#[path = "contract/cursors.rs"]
mod cursors;
#[path = "contract/lists.rs"]
mod lists;
#[path = "contract/pages.rs"]
mod pages;
#[path = "contract/processes.rs"]
mod processes;
#[path = "contract/proxies.rs"]
mod proxies;
#[path = "contract/refusals.rs"]
mod refusals;
#[path = "contract/reports.rs"]
mod reports;
#[path = "contract/running.rs"]
mod running;
#[path = "support/service.rs"]
mod service;
#[path = "contract/team.rs"]
mod team;
