//! Bulk runs in words: progress and outcome.

use super::item::BulkItem;
use super::plan::Plan;
use super::run::Run;
use crate::domain::text::numbers::grouped;

/// Formats the progress: `re-running 12/87, 2 failed`, and why it is paused.
pub fn progress(run: &Run) -> String {
    let tally = run.tally();
    let ended = tally.done + tally.failed + tally.skipped;
    let failed = if tally.failed > 0 { format!(", {} failed", grouped(tally.failed as u64)) } else { String::new() };
    let paused = run.queue.paused().map(|why| format!(" · paused: {why}")).unwrap_or_default();
    let of = format!("{}/{}", grouped(ended as u64), grouped(tally.all as u64));
    format!("{} {of}{failed}{paused}", run.operation.progress_verb())
}

/// Formats the title of the run's list: its progress, or its outcome.
pub fn title(run: &Run) -> String {
    if run.has_ended() { outcome(run) } else { progress(run) }
}

/// Formats the outcome of a run.
pub fn outcome(run: &Run) -> String {
    let tally = run.tally();
    let compared = tally.improved + tally.same + tally.worse;
    let changes = [(tally.improved, "improved"), (tally.same, "same"), (tally.worse, "worse")];
    let changes =
        changes.iter().filter(|_| compared > 0).map(|(count, what)| format!("{what} {}", grouped(*count as u64)));
    let parts = [(tally.done - compared, "done"), (tally.failed, "failed"), (tally.skipped, "skipped")];
    let others =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{} {what}", grouped(*count as u64)));
    let texts: Vec<String> = changes.chain(others).collect();
    format!("{}: {}", run.operation.verb(), texts.join(", "))
}

/// Describes why a plan has nothing to send.
pub fn why_nothing(plan: &Plan) -> String {
    let reasons: Vec<&str> = plan.items.iter().filter_map(BulkItem::skip_reason).collect();
    match reasons.as_slice() {
        [] => "there are no reports".to_owned(),
        [one] => format!("the report {one}"),
        [first, rest @ ..] if rest.iter().all(|reason| reason == first) => {
            format!("each of the {} reports {first}", grouped(reasons.len() as u64))
        }
        _ => format!("none of the {} reports needs a change", grouped(reasons.len() as u64)),
    }
}
