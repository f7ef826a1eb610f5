//! Our verdicts compared with those of Lighthouse: equal, different for a known reason, or unexplained.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use reportdeck::audit::{Auditor, Policy, Reach};
use serde_json::Value;

use crate::lighthouse::audit_mapping::{Ours, PAIRS, Pair};
use crate::lighthouse::known_differences::{EXPLAINED, Explained};
use crate::lighthouse::nginx_site::Page;
use crate::lighthouse::runner::Theirs;

/// Audits every page with the library, like the program.
pub fn our_verdicts(pages: &[Page]) -> BTreeMap<String, Ours> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let auditor = Auditor::new(Policy::new(Reach::LocalUser));
        let mut found = BTreeMap::new();
        for page in pages {
            let audit = auditor.audit(&page.url).await.unwrap();
            assert_eq!(audit.failure, None, "{}", page.name);
            let checks = audit.checks.into_iter().map(|check| (check.id.raw().to_owned(), check)).collect();
            found.insert(page.name.clone(), checks);
        }
        found
    })
}

/// Counts of a rule that both judge, by outcome of the comparison.
#[derive(Default)]
struct Count {
    agree: usize,
    explained: usize,
    /// One of them has nothing to judge, and the other finds no fault.
    alone: usize,
}

/// The whole comparison.
pub struct Comparison {
    pub unexplained: Vec<String>,
    /// Explanations that no page needs any longer.
    pub stale: Vec<String>,
    counts: BTreeMap<&'static str, Count>,
    explained_lines: Vec<String>,
    pages: usize,
    unjudged: Vec<String>,
}

impl Comparison {
    pub fn of(pages: &[Page], ours: &BTreeMap<String, Ours>, theirs: &Theirs) -> Self {
        let mut comparison = Self {
            unexplained: Vec::new(),
            stale: Vec::new(),
            counts: BTreeMap::new(),
            explained_lines: Vec::new(),
            pages: pages.len(),
            unjudged: Vec::new(),
        };
        let mut used = BTreeSet::new();
        for page in pages {
            let answer = &theirs[&page.name];
            if let Some(trouble) = answer["trouble"].as_str() {
                comparison.unjudged.push(format!("{}: {trouble}", page.name));
                continue;
            }
            for pair in &PAIRS {
                comparison.take(page, pair, &ours[&page.name], &answer["audits"][pair.theirs], &mut used);
            }
        }
        comparison.stale = (0..EXPLAINED.len())
            .filter(|index| !used.contains(index))
            .map(|index| format!("{} {}", EXPLAINED[index].audit, EXPLAINED[index].page))
            .collect();
        comparison
    }

    fn take(&mut self, page: &Page, pair: &Pair, ours: &Ours, theirs: &Value, used: &mut BTreeSet<usize>) {
        let mine = (pair.ours)(ours);
        let other = match theirs["mode"].as_str() {
            Some("notApplicable") => None,
            Some("binary" | "numeric" | "metricSavings" | "informative") => {
                Some(theirs["score"].as_f64().unwrap() >= 0.9)
            }
            mode => panic!("{} {}: unknown mode {mode:?} of Lighthouse", page.name, pair.theirs),
        };
        let count = self.counts.entry(pair.about).or_default();
        match (mine, other) {
            (None, None) => {}
            (Some(one), Some(two)) if one == two => count.agree += 1,
            (Some(true), None) | (None, Some(true)) => count.alone += 1,
            (Some(_) | None, Some(_) | None) => {
                let index = EXPLAINED.iter().position(|explained| explains(explained, page, pair, mine));
                let words = format!("{} on {}: ours {}, theirs {}", pair.about, page.name, word(mine), word(other));
                if let Some(index) = index {
                    used.insert(index);
                    count.explained += 1;
                    self.explained_lines.push(format!("{words}: {}", EXPLAINED[index].why));
                } else {
                    self.unexplained.push(format!("{words} ({})", theirs["told"]));
                }
            }
        }
    }

    /// Formats the counts as a table, then every explained difference and every page without a verdict.
    pub fn table(&self) -> String {
        let mut text = format!(
            "{} pages\n| about | compared | agree | explained | only one judges |\n|---|---|---|---|---|\n",
            self.pages
        );
        let mut all = Count::default();
        for (about, count) in &self.counts {
            let compared = count.agree + count.explained;
            writeln!(text, "| {about} | {compared} | {} | {} | {} |", count.agree, count.explained, count.alone)
                .unwrap();
            all.agree += count.agree;
            all.explained += count.explained;
            all.alone += count.alone;
        }
        let compared = all.agree + all.explained;
        writeln!(text, "| all | {compared} | {} | {} | {} |\n", all.agree, all.explained, all.alone).unwrap();
        for line in self.explained_lines.iter().chain(&self.unjudged) {
            writeln!(text, "{line}").unwrap();
        }
        text
    }
}

fn explains(explained: &Explained, page: &Page, pair: &Pair, mine: Option<bool>) -> bool {
    let fits = match explained.page.strip_suffix('*') {
        Some(start) => page.name.starts_with(start),
        None => page.name == explained.page,
    };
    fits && explained.audit == pair.theirs && explained.ours == mine
}

fn word(verdict: Option<bool>) -> &'static str {
    match verdict {
        Some(true) => "fine",
        Some(false) => "wrong",
        None => "nothing to judge",
    }
}
