//! Autocompletion of the filter line from the values of the loaded rows.
//!
//! The values are collected once per list, not per key: up to 5,000 rows immediately, more on another thread.

use std::sync::Arc;

use tui_input::Input as TextField;

use crate::app::ctx::Ctx;
use crate::app::effect::{Effect, RequestId};
use crate::app::panes::projects::Projects;
use crate::app::panes::reports::Reports;
use crate::app::panes::reports::arrange::FEW_ROWS;
use crate::app::panes::reports::assist::CompletionCycle;
use crate::domain::list::filter::FilterProblem;
use crate::domain::list::filter::complete::{Completion, complete};
use crate::domain::list::filter::known_values::KnownValues;
use crate::domain::list::filter::missing::missing_values;

impl Reports {
    /// Collects the values of the loaded rows, if the filter line needs them and they are outdated.
    pub(crate) fn collect_filter_values(&mut self, projects: &Projects, ctx: &mut Ctx) {
        let is_needed = self.typing || (self.shown.is_empty() && !self.filter.is_empty());
        let rows = &self.listing.rows;
        if !is_needed || self.assist.request.is_some() || self.assist.is_of(rows, self.listing.is_complete()) {
            return;
        }
        self.assist.collected = Some((Arc::downgrade(rows), rows.len()));
        let names: Vec<String> = projects.names().map(str::to_owned).collect();
        if rows.len() <= FEW_ROWS {
            *self.assist.known = KnownValues::collect(rows, &names);
            self.refresh_assist();
        } else {
            let request = ctx.next_request();
            self.assist.request = Some(request);
            ctx.effects.push(Effect::CollectFilterValues(request, Arc::clone(rows), names));
        }
    }

    /// Handles the collected values.
    pub(crate) fn on_filter_values(&mut self, request: RequestId, known: Box<KnownValues>) {
        if self.assist.request.take_if(|waiting| *waiting == request).is_some() {
            self.assist.known = known;
            self.refresh_assist();
        }
    }

    /// Returns the problems of the filter: invalid terms, then terms that no loaded report can match.
    pub fn filter_problems(&self) -> impl Iterator<Item = &FilterProblem> {
        self.filter.problems().iter().chain(&self.assist.missing)
    }

    /// Recomputes completions and warnings of the filter line.
    pub(crate) fn refresh_assist(&mut self) {
        let line = self.filter_line.value();
        self.assist.missing = missing_values(line, &self.assist.known);
        self.assist.completion = if self.typing {
            complete(line, self.filter_line.cursor(), &self.assist.known)
        } else {
            Completion::default()
        };
    }

    /// Inserts the next or previous candidate into the filter line. Returns false if there is none.
    pub(crate) fn step_completion(&mut self, forward: bool) -> bool {
        let begun = self.assist.cycle.take().map(|mut cycle| {
            let count = cycle.completion.candidates.len();
            cycle.at = (cycle.at + if forward { 1 } else { count - 1 }) % count;
            cycle
        });
        let cycle = begun.unwrap_or_else(|| {
            let completion = self.assist.completion.clone();
            let at = if forward { 0 } else { completion.candidates.len().saturating_sub(1) };
            CompletionCycle { completion, at, line: self.filter_line.value().to_owned() }
        });
        let Some(candidate) = cycle.completion.candidates.get(cycle.at) else { return false };
        let replaced = &cycle.completion.replaced;
        let mut line: String = cycle.line.chars().take(replaced.start).collect();
        line.push_str(&candidate.text);
        let behind: String = cycle.line.chars().skip(replaced.end).collect();
        if candidate.is_whole && behind.is_empty() {
            // So that the next term can be typed directly.
            line.push(' ');
        }
        let cursor = line.chars().count();
        self.filter_line = TextField::new(line + &behind).with_cursor(cursor);
        // A single candidate is accepted immediately, and what may follow it is offered next.
        self.assist.cycle = Some(cycle).filter(|cycle| cycle.completion.candidates.len() > 1);
        true
    }

    /// Accepts the inserted candidate, or else the first one. Returns false if there is none.
    pub(crate) fn take_completion(&mut self) -> bool {
        let is_taken = self.assist.cycle.is_some() || self.step_completion(true);
        self.assist.cycle = None;
        is_taken
    }
}
