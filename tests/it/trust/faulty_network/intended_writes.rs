//! The writes that a user decided, derived from the state before and after every key, and compared with those sent.

use std::collections::{BTreeMap, HashSet};

use reportdeck::app::App;
use reportdeck::app::effect::RequestId;
use reportdeck::app::overlays::Overlay;
use reportdeck::domain::bulk::ItemState;
use reportdeck::domain::report::WriteRequest;

use crate::support::faulty_proxy::Seen;

/// How often each write was decided, by its request line; creates by their URL.
#[derive(Debug, Default)]
pub struct Decisions {
    counts: BTreeMap<String, usize>,
    known: HashSet<RequestId>,
    /// The bulk run and the URLs of the form before a key.
    before: Before,
}

#[derive(Debug, Default)]
struct Before {
    running: bool,
    batch: bool,
    pages: Vec<String>,
}

impl Decisions {
    /// Records the state before a key.
    pub fn before(&mut self, app: &App) {
        // The form may be below the question whether to create so many reports.
        let pages = app.overlays.iter().rev().find_map(|overlay| match overlay {
            Overlay::Form(form) => Some(form.urls()),
            _ => None,
        });
        self.before = Before {
            running: app.jobs.bulk.as_ref().is_some_and(reportdeck::app::jobs::state::BulkJob::is_active),
            batch: app.jobs.create.is_some(),
            pages: pages.unwrap_or_default(),
        };
        // Writes that started without a key were not decided: they are not counted, so that the comparison finds them.
        self.known.extend(app.jobs.writes.iter().map(|write| write.request));
    }

    /// Compares the state after the key: writes that started were decided by it.
    pub fn after(&mut self, app: &App) {
        let new: Vec<_> = app.jobs.writes.iter().filter(|write| self.known.insert(write.request)).collect();
        for write in new {
            let write_key = match &write.again {
                Some(WriteRequest::Update(id, _)) => format!("PUT /api/v1/reports/{}", id.raw()),
                Some(WriteRequest::DeleteReport(id)) => format!("DELETE /api/v1/reports/{}", id.raw()),
                Some(WriteRequest::DeleteProject(name)) => format!("DELETE /api/v1/projects/{}", name.raw()),
                // A create is sent by its form, which stays open until the response arrives.
                None => format!("POST {}", self.before.pages.join("\n")),
            };
            *self.counts.entry(write_key).or_default() += 1;
        }
        if let Some(bulk) = app.jobs.bulk.as_ref().filter(|bulk| bulk.is_active() && !self.before.running) {
            let method = if bulk.run.operation.destroys() { "DELETE" } else { "PUT" };
            let open = bulk.run.items.iter().filter(|item| !matches!(item.state, ItemState::Done(_)));
            for item in open {
                *self.counts.entry(format!("{method} /api/v1/reports/{}", item.id.raw())).or_default() += 1;
            }
        }
        if app.jobs.create.is_some() && !self.before.batch {
            for url in &self.before.pages {
                *self.counts.entry(format!("POST {url}")).or_default() += 1;
            }
        }
    }

    /// Returns the number of decided writes.
    pub fn count(&self) -> usize {
        self.counts.values().sum()
    }

    /// Asserts that no write was sent more often than it was decided. A write refused with 429 may be sent again, and one
    /// refused with 401, which pauses a bulk run until the user continues it.
    #[track_caller]
    pub fn allow(&self, seen: &[Seen]) {
        let mut sent: BTreeMap<String, usize> = BTreeMap::new();
        let counts = |seen: &&Seen| seen.method != "GET" && !seen.was_put_off() && seen.status != Some(401);
        for write in seen.iter().filter(counts) {
            *sent.entry(write_key(write)).or_default() += 1;
        }
        for (write_key, count) in sent {
            let decided = self.counts.get(&write_key).copied().unwrap_or_default();
            assert!(count <= decided, "`{write_key}` was sent {count} times and decided {decided} times");
        }
    }
}

/// Returns the key under which a write is counted.
fn write_key(seen: &Seen) -> String {
    if seen.method != "POST" {
        return format!("{} {}", seen.method, seen.target);
    }
    let url = url::form_urlencoded::parse(seen.body.as_bytes()).find(|(name, _)| name == "url");
    format!("POST {}", url.unwrap().1)
}
