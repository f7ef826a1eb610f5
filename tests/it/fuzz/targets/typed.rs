//! User input: filters, views, configurations.

use std::fs;

use jiff::Timestamp;
use reportdeck::config::environment::{CONFIG, Environment};
use reportdeck::config::model::{ConfigFile, ExaminedFile};
use reportdeck::domain::list::filter::complete::complete;
use reportdeck::domain::list::filter::known_values::KnownValues;
use reportdeck::domain::list::filter::missing::missing_values;
use reportdeck::domain::list::filter::{Filter, QUALIFIERS, qualifier_value, quoted, with_qualifier, with_term};
use reportdeck::domain::list::view_line;
use reportdeck::domain::report::outcome::Outcome;
use reportdeck::domain::report::{Report, ReportId};
use reportdeck::domain::text::Text;
use reportdeck::domain::triage::Triages;

use super::services::harmless;

fn row(url: &str, project: &str) -> Report {
    Report {
        id: ReportId::new("1"),
        url: Text::from_outside(url),
        project: std::sync::Arc::new(Text::from_outside(project)),
        outcome: Outcome::from_name(project),
        score: Some(50),
        generated_at: Timestamp::UNIX_EPOCH.into(),
        privacy: None,
        fetch_failure: None,
        has_password: None,
        failed: ["title", project].into(),
        details: None,
    }
}

pub fn filter(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (first, second) = text.split_once('\n').unwrap_or((&text, ""));
    let (one, other) = (Filter::parse(first), Filter::parse(second));
    let rows = [row(first, second), row(second, first), row(&text.to_uppercase(), &text.to_lowercase())];
    let (none, now) = (Triages::default(), Timestamp::UNIX_EPOCH);
    assert!(one.narrows(&one) && one.narrows(&Filter::default()));
    for row in &rows {
        let kept = one.keeps(row, &none, now);
        assert!(!one.narrows(&other) || !kept || other.keeps(row, &none, now), "{first:?} does not narrow {second:?}");
        assert!(Filter::default().keeps(row, &none, now));
        // The filter added by `=` keeps the row, and the one added by `-` drops it.
        let exact = format!("project:{}", quoted(row.project.raw()));
        assert!(Filter::parse(&with_term("", &exact)).keeps(row, &none, now), "{exact:?}");
        let without = with_term(&exact, &format!("!{exact}"));
        assert!(row.project.is_empty() || !Filter::parse(&without).keeps(row, &none, now), "{without:?}");
    }
    let _ = (one.pushed_down([second, first].into_iter()), one.depends_on_time(), one.depends_on_states());
    let known = KnownValues::collect(&rows.iter().cloned().collect(), &[second.to_owned()]);
    let completion = complete(first, second.len().min(first.chars().count()), &known);
    assert!(completion.replaced.end <= first.chars().count(), "{first:?} {completion:?}");
    completion.candidates.iter().for_each(|candidate| harmless(&candidate.in_words()));
    harmless(&completion.hint);
    one.problems().iter().for_each(|problem| harmless(&problem.text));
    for problem in missing_values(first, &known) {
        harmless(&problem.text);
    }
    for (qualifier, _) in QUALIFIERS {
        let changed = with_qualifier(first, qualifier, Some("x"));
        assert_eq!(qualifier_value(&changed, qualifier).as_deref(), Some("x"), "{changed:?}");
        assert_eq!(with_qualifier(first, qualifier, None), with_qualifier(&changed, qualifier, None));
    }
}

pub fn view(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match view_line::read(&text) {
        Ok(view) => {
            let line = view_line::write(&view);
            harmless(&line);
            assert_eq!(view_line::read(&line), Ok(view));
        }
        Err(problem) => harmless(&problem),
    }
}

pub fn config(bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.toml");
    fs::write(&path, bytes).unwrap();
    let lines = String::from_utf8_lossy(bytes).split('\n').count();
    let environment = Environment::of([(CONFIG, path.to_str().unwrap())], None);
    let ExaminedFile { file, errors, .. } = match ConfigFile::examine(&environment) {
        Ok(examined) => examined,
        Err(error) => return harmless(&error.to_string()),
    };
    for mistake in file.warnings.iter().chain(&errors) {
        let (text, line) = (mistake.to_string(), mistake.place.as_ref().and_then(|place| place.line));
        harmless(&text);
        assert!(line.is_none_or(|line| (1..=lines).contains(&line)), "{text}");
    }
}
