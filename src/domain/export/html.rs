//! A self-contained HTML page with a table: no scripts, no external resources, light or dark as the system prefers.

use std::io::{self, Write};

use quick_xml::escape::escape;

use super::field::ExportField;
use super::request::ExportRequest;
use crate::domain::report::Report;
use crate::domain::report::outcome::Outcome;

/// Forbids scripts and external resources, whatever a value contains.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The attribute of cells with numbers.
const NUMBER: &str = " class=\"number\"";
const STYLE: &str = "\
:root { color-scheme: light dark; --line: #d0d0d0; --good: #1a6e2e; --decent: #7a5000; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --line: #484848; --good: #7ddc94; --decent: #f0c060; --bad: #ff9a90 } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { text-align: start; vertical-align: top; font-weight: normal; padding: .3rem .8rem .3rem 0;
  border-bottom: 1px solid var(--line); white-space: nowrap }
[dir] { white-space: normal; overflow-wrap: anywhere; min-width: 5rem }
tbody th[dir] { min-width: 16rem }
thead th { font-weight: bold; position: sticky; top: 0; background: Canvas }
caption { text-align: start; padding-bottom: .5rem }
.number { text-align: end }
.good { color: var(--good) } .decent { color: var(--decent) } .bad { color: var(--bad); font-weight: bold }
";

pub(super) fn write(fields: &[ExportField], request: &ExportRequest, out: &mut impl Write) -> io::Result<()> {
    begin(fields, request, out)?;
    // The URL cell is the row's header.
    let head = fields.iter().position(|field| *field == ExportField::Url).unwrap_or_default();
    for report in request.reports() {
        out.write_all(b"<tr>")?;
        for (at, field) in fields.iter().enumerate() {
            cell(*field, report, (at == head, &field.for_people(report, &request.around)), out)?;
        }
        out.write_all(b"</tr>\n")?;
    }
    out.write_all(b"</tbody>\n</table>\n</main>\n</body>\n</html>\n")
}

fn begin(fields: &[ExportField], request: &ExportRequest, out: &mut impl Write) -> io::Result<()> {
    let (heading, sentence) = (request.heading(), request.sentence());
    let (heading, sentence) = (escape(&heading), escape(&sentence));
    writeln!(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">")?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
    writeln!(out, "<meta name=\"referrer\" content=\"no-referrer\">")?;
    writeln!(out, "<title>{heading}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>")?;
    writeln!(out, "<h1>{heading}</h1>\n<table>\n<caption>{sentence}</caption>\n<thead>\n<tr>")?;
    for field in fields {
        let class = if field.is_number() { NUMBER } else { "" };
        writeln!(out, "<th scope=\"col\"{class}>{}</th>", field.title())?;
    }
    writeln!(out, "</tr>\n</thead>\n<tbody>")
}

fn cell(field: ExportField, report: &Report, (heads, text): (bool, &str), out: &mut impl Write) -> io::Result<()> {
    let (open, close) = if heads { ("th scope=\"row\"", "th") } else { ("td", "td") };
    let attribute = match field {
        ExportField::Result => class(&report.outcome),
        ExportField::Score | ExportField::Failed | ExportField::Urgency | ExportField::ScoreBefore => NUMBER,
        ExportField::Url
        | ExportField::Project
        | ExportField::FailedChecks
        | ExportField::Id
        | ExportField::Notes
        | ExportField::ResultBefore
        | ExportField::Before => " dir=\"auto\"",
        ExportField::GeneratedAt | ExportField::Privacy | ExportField::State | ExportField::FetchError => "",
    };
    let mut text = escape(text);
    if field == ExportField::Url
        && let Some(url) = report.web_url()
    {
        text = format!("<a href=\"{}\" rel=\"noreferrer\">{text}</a>", escape(url.as_str())).into();
    }
    write!(out, "<{open}{attribute}>{text}</{close}>")
}

/// Colours the known results, in addition to the word.
fn class(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Good => " class=\"good\"",
        Outcome::Decent => " class=\"decent\"",
        Outcome::Bad => " class=\"bad\"",
        Outcome::Other(_) => " dir=\"auto\"",
        Outcome::Missing => "",
    }
}
