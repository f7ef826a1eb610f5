//! The forms of create and update, and the rules between their fields.
//!
//! All fields are validated before a page is audited.

use secrecy::SecretString;

use crate::api::contract::parameter;
use crate::audit::MAX_URL_LENGTH;
use crate::domain::report::privacy::Privacy;
use crate::domain::report::{NewReport, ReportChange};
use crate::domain::text::url_scheme::split_scheme;

use super::errors::ErrorResponse;
use super::form::RequestForm;
use crate::service::pages::passwords;
use crate::service::store::rows::{ChangeOutcome, StoredReport};

const PRIVACIES: [(&str, Privacy); 3] = [("0", Privacy::Public), ("1", Privacy::Private), ("2", Privacy::Password)];
const NO_OR_YES: [(&str, bool); 2] = [("0", false), ("1", true)];
const NEEDS_PASSWORD: &str = "The password is required when privacy is 2.";
const NEEDS_PRIVACY: &str = "The password only works with privacy set to 2.";

/// Validates the form of a new report.
pub fn create(mut form: RequestForm) -> Result<NewReport, ErrorResponse> {
    let url = form.text(parameter::URL).unwrap_or_default().trim().to_owned();
    if let Some(problem) = url_problem(&url) {
        form.refuse(parameter::URL, problem);
    }
    let privacy = form.choice(parameter::PRIVACY, &PRIVACIES);
    let password = read_password(&mut form, privacy.unwrap_or(Privacy::Public), false);
    form.check()?;
    Ok(NewReport { url, privacy, password })
}

/// Validates an update of a report with this stored privacy, with or without a stored password.
pub fn update(mut form: RequestForm, stored: Privacy, has_password: bool) -> Result<ReportChange, ErrorResponse> {
    let privacy = form.choice(parameter::PRIVACY, &PRIVACIES);
    let password = read_password(&mut form, privacy.unwrap_or(stored), has_password);
    let rerun = form.choice(parameter::RESULTS, &NO_OR_YES).unwrap_or(false);
    form.check()?;
    Ok(ReportChange { privacy, password, rerun })
}

/// Returns the error of a write that would leave a report without its required password.
pub fn needs_password() -> ErrorResponse {
    ErrorResponse::invalid(parameter::PASSWORD, NEEDS_PASSWORD)
}

/// Returns the report after a write, or the error of a write that changed nothing.
pub fn changed(outcome: ChangeOutcome) -> Result<StoredReport, ErrorResponse> {
    match outcome {
        ChangeOutcome::Changed(report) => Ok(*report),
        ChangeOutcome::Gone => Err(ErrorResponse::NotFound("Report")),
        ChangeOutcome::WithoutPassword => Err(needs_password()),
    }
}

/// Reads the password, validated against the privacy after the write.
fn read_password(form: &mut RequestForm, after: Privacy, has_password: bool) -> Option<SecretString> {
    let password = form.text(parameter::PASSWORD).map(str::to_owned);
    let problem = password.as_deref().and_then(passwords::problem);
    // With an invalid privacy, it is unknown whether a password is needed.
    let misfit = match (&password, after) {
        _ if form.is_refused(parameter::PRIVACY) => None,
        (Some(_), Privacy::Public | Privacy::Private) => Some(NEEDS_PRIVACY.to_owned()),
        (None, Privacy::Password) if !has_password => Some(NEEDS_PASSWORD.to_owned()),
        (Some(_) | None, Privacy::Password) | (None, Privacy::Public | Privacy::Private) => None,
    };
    for text in problem.into_iter().chain(misfit) {
        form.refuse(parameter::PASSWORD, text);
    }
    password.map(SecretString::from)
}

/// Returns the syntax error of a URL, if any. Whether it may be fetched is decided by the audit.
fn url_problem(sent: &str) -> Option<String> {
    if sent.is_empty() {
        return Some("The url is required.".to_owned());
    }
    if sent.chars().count() > MAX_URL_LENGTH {
        return Some(format!("The url must have at most {MAX_URL_LENGTH} characters."));
    }
    let whole = if split_scheme(sent).0.is_some() { sent.to_owned() } else { format!("https://{sent}") };
    let parsed = url::Url::parse(&whole).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    parsed.is_none().then(|| "The url must be the http or https address of a web page.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(outcome: Result<impl Sized, ErrorResponse>) -> Vec<String> {
        match outcome {
            Ok(_) => Vec::new(),
            Err(ErrorResponse::Invalid(errors)) => errors.keys().cloned().collect(),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn all_errors_of_a_new_report_are_reported() {
        let long = format!("url=a.example&privacy=2&password={}", "x".repeat(129));
        let table: [(&str, &[&str]); 13] = [
            ("url=shop.example", &[]),
            ("url=shop.example%2Flogin%3Fnext%3Dhttps%3A%2F%2Fx.example", &[]),
            ("url=+shop.example+&privacy=1", &[]),
            ("url=shop.example&privacy=2&password=tea", &[]),
            ("", &["url"]),
            ("url=+++", &["url"]),
            ("url=ftp%3A%2F%2Fshop.example", &["url"]),
            ("url=https%3A%2F%2F", &["url"]),
            ("url=shop.example&privacy=2", &["password"]),
            ("url=shop.example&password=tea", &["password"]),
            ("url=shop.example&privacy=1&password=tea", &["password"]),
            ("privacy=3&password=tea", &["url", "privacy"]),
            (&long, &["password"]),
        ];
        for (sent, expected) in table {
            assert_eq!(refused(create(RequestForm::parse(sent.as_bytes()))), expected, "{sent}");
        }
    }

    #[test]
    fn an_update_is_validated_against_the_privacy_after_it() {
        let (public, private, password) = (Privacy::Public, Privacy::Private, Privacy::Password);
        let table: [(&str, Privacy, bool, &[&str]); 14] = [
            ("", public, false, &[]),
            ("privacy=1", public, false, &[]),
            ("privacy=2", public, false, &["password"]),
            ("privacy=2", public, true, &[]),
            ("privacy=2&password=tea", private, false, &[]),
            ("privacy=2&password=", private, false, &["password"]),
            ("password=tea", public, false, &["password"]),
            ("password=tea", private, true, &["password"]),
            ("password=tea", password, true, &[]),
            ("privacy=0&password=tea", password, true, &["password"]),
            ("privacy=0", password, true, &[]),
            ("results=1", password, true, &[]),
            ("results=2", public, false, &["results"]),
            ("privacy=x&password=tea&results=x", public, false, &["privacy", "results"]),
        ];
        for (sent, stored, has_password, expected) in table {
            let outcome = update(RequestForm::parse(sent.as_bytes()), stored, has_password);
            assert_eq!(refused(outcome), expected, "{sent} on {stored:?}, {has_password}");
        }
    }
}
