//! The form for new reports and changes: its fields, values and errors.
//!
//! A form stays open with all its values until the service has accepted it.

pub mod secret_input;
pub mod text_field;

use std::collections::HashSet;
use std::sync::Arc;

use secrecy::SecretString;
use tui_input::Input as TextField;

use crate::app::ctx::Ctx;
use crate::app::effect::{EditBase, RequestId};
use crate::app::overlays::form::secret_input::{PasswordCopy, SecretInput};
use crate::app::overlays::form::text_field::TextEdit;
use crate::domain::bulk::{BulkOperation, BulkTargets};
use crate::domain::draft::{Draft, DraftKey};
use crate::domain::failure::{Failure, FieldError};
use crate::domain::report::privacy::Privacy;
use crate::domain::report::{NewReport, Report, ReportChange, ReportId};
use crate::input::Action;

/// The most pages of one form; for more, use the command line.
const MOST_PAGES: usize = 500;

/// The purpose of a form.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum FormKind {
    /// A new report.
    #[default]
    New,
    /// A change of this report.
    Edit {
        /// The report.
        id: ReportId,
        /// Its URL in display form.
        url: String,
        /// The report as it was when the form was opened, or as it is since the last conflict.
        base: EditBase,
    },
    /// The privacy of several reports: the marked ones, or those of a project or cause.
    Many(Arc<BulkTargets>),
}

/// A field or button of the form.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FormField {
    /// The page to audit.
    #[default]
    Url,
    /// The privacy of the report page.
    Privacy,
    /// The report page's password.
    Password,
    /// Whether to re-run the report.
    Rerun,
    /// The button that submits.
    Save,
    /// The button that closes the form and keeps the draft.
    Cancel,
}

/// An open form.
#[derive(Debug, Default)]
pub struct Form {
    /// The purpose.
    pub kind: FormKind,
    /// The URLs, including pasted line breaks.
    pub url: TextField,
    /// The chosen privacy; `None` leaves it unchanged.
    pub privacy: Option<Privacy>,
    /// The typed password.
    pub password: SecretInput,
    /// Whether the password is readable. Reset when its field is left.
    pub revealed: bool,
    /// Whether the password can be copied.
    pub password_copy: PasswordCopy,
    /// Whether to re-run the report.
    pub rerun: bool,
    /// The focused field.
    pub focus: FormField,
    /// The write in flight.
    pub saving: Option<RequestId>,
    /// Errors by field.
    pub errors: Vec<FieldError>,
    /// The error of the form as a whole, with advice.
    pub problem: Option<String>,
    /// Whether it was filled from a draft; shown in the title.
    pub from_draft: bool,
}

impl Form {
    /// Creates a form for a new report, filled from the stored draft if there is one.
    pub fn new_report(draft: Option<&Draft>) -> Self {
        let mut form = Self { privacy: Some(Privacy::Public), ..Self::default() };
        form.fill(draft);
        form
    }

    /// Creates a form with a report's settings.
    pub fn edit(report: &Report, draft: Option<&Draft>) -> Self {
        let kind =
            FormKind::Edit { id: report.id.clone(), url: report.short_url().to_owned(), base: EditBase::of(report) };
        let mut form = Self { kind, focus: FormField::Privacy, privacy: report.privacy, ..Self::default() };
        form.fill(draft);
        form
    }

    /// Creates a form for the privacy of several reports.
    pub fn many(targets: Arc<BulkTargets>, privacy: Option<Privacy>, draft: Option<&Draft>) -> Self {
        let focus = if privacy == Some(Privacy::Password) { FormField::Password } else { FormField::Privacy };
        let mut form = Self { kind: FormKind::Many(targets), focus, ..Self::default() };
        if privacy.is_none() {
            form.fill(draft);
        }
        form.privacy = privacy.or(form.privacy);
        form
    }

    fn fill(&mut self, draft: Option<&Draft>) {
        let Some(draft) = draft else { return };
        self.url = TextField::new(draft.text.clone());
        self.privacy = draft.privacy.and_then(|code| Privacy::from_code(i64::from(code))).or(self.privacy);
        self.rerun = draft.rerun;
        self.from_draft = true;
    }

    /// The draft key of this form.
    pub fn draft_key(&self) -> DraftKey {
        match &self.kind {
            FormKind::New => DraftKey::NewReport,
            FormKind::Edit { id, .. } => DraftKey::EditReport(id.raw().to_owned()),
            FormKind::Many(_) => DraftKey::EditSelected,
        }
    }

    /// The draft to store when the form closes; `None` if nothing was typed.
    pub fn draft(&self) -> Option<Draft> {
        let changed = match &self.kind {
            FormKind::New => !self.url.value().is_empty() || self.privacy != Some(Privacy::Public),
            FormKind::Edit { base, .. } => self.privacy != base.privacy || self.rerun,
            // The reports are those marked when the form is opened again.
            FormKind::Many(_) => self.privacy.is_some(),
        };
        changed.then(|| Draft {
            key: self.draft_key(),
            text: self.url.value().to_owned(),
            privacy: self.privacy.map(Privacy::code),
            rerun: self.rerun,
        })
    }

    /// Whether there is nothing to discard.
    pub fn is_untouched(&self) -> bool {
        self.draft().is_none() && !self.from_draft && self.password.value().is_empty()
    }

    /// The fields from top to bottom. The password field is present only if the privacy requires it.
    pub fn fields(&self) -> Vec<FormField> {
        let new = self.kind == FormKind::New;
        let all = [
            (FormField::Url, new),
            (FormField::Privacy, true),
            (FormField::Password, self.privacy == Some(Privacy::Password)),
            (FormField::Rerun, matches!(self.kind, FormKind::Edit { .. })),
            (FormField::Save, true),
            (FormField::Cancel, true),
        ];
        all.into_iter().filter(|(_, there)| *there).map(|(field, _)| field).collect()
    }

    /// Moves to the next or previous field, wrapping around.
    pub fn step(&mut self, forward: bool) {
        let fields = self.fields();
        let at = fields.iter().position(|field| *field == self.focus).unwrap_or(0);
        let next = if forward { at + 1 } else { at + fields.len() - 1 };
        self.go_to(fields[next % fields.len()]);
    }

    /// Moves to a field, and hides a revealed password.
    pub fn go_to(&mut self, field: FormField) {
        self.focus = field;
        self.revealed = false;
    }

    /// The focused text field.
    pub fn text_field(&mut self) -> Option<&mut dyn TextEdit> {
        match self.focus {
            FormField::Url => Some(&mut self.url),
            FormField::Password => Some(&mut self.password),
            FormField::Privacy | FormField::Rerun | FormField::Save | FormField::Cancel => None,
        }
    }

    /// Changes the focused choice.
    pub fn choose(&mut self, forward: bool) {
        match self.focus {
            FormField::Privacy => self.choose_privacy(Privacy::cycle(self.privacy, forward)),
            FormField::Rerun => self.rerun = !self.rerun,
            FormField::Url | FormField::Password | FormField::Save | FormField::Cancel => {}
        }
    }

    /// Chooses a privacy, unless the form is being saved.
    pub fn choose_privacy(&mut self, privacy: Privacy) {
        self.go_to(FormField::Privacy);
        if self.saving.is_none() {
            self.privacy = Some(privacy);
            self.forget_error("privacy");
        }
    }

    /// Clears the error of the edited field.
    pub fn text_edited(&mut self) {
        if self.focus == FormField::Password {
            self.password_copy = PasswordCopy::Typed;
        }
        self.forget_error(named(self.focus));
    }

    fn forget_error(&mut self, name: &str) {
        self.errors.retain(|error| error.field != name);
    }

    /// The errors of a field.
    pub fn errors_of(&self, field: FormField) -> impl Iterator<Item = &str> {
        let name = named(field);
        self.errors.iter().filter(move |error| error.field == name).flat_map(|error| &error.texts).map(String::as_str)
    }

    /// Errors for fields that this form does not have, shown above the buttons.
    pub fn other_errors(&self) -> impl Iterator<Item = String> + '_ {
        let known = ["url", "privacy", "password", "results"];
        let others = self.errors.iter().filter(move |error| !known.contains(&error.field.as_str()));
        others.flat_map(|error| error.texts.iter().map(move |text| format!("{}: {text}", error.field)))
    }

    /// Validates the form. Returns the request, or `None` after recording the error in its field.
    pub fn check(&mut self, ctx: &Ctx) -> Option<FormRequest> {
        self.errors.clear();
        self.problem = None;
        let wanted = match &self.kind {
            FormKind::New => self.check_new(ctx),
            FormKind::Edit { id, base, .. } => self.check_edit(id, *base, ctx),
            FormKind::Many(targets) => self.check_many(targets, ctx),
        };
        match wanted {
            Ok(wanted) => Some(wanted),
            Err(error) => {
                self.errors.push(error);
                self.go_to_error();
                None
            }
        }
    }

    fn check_new(&self, ctx: &Ctx) -> Result<FormRequest, FieldError> {
        let urls = self.urls();
        let Some(first) = urls.first().cloned() else {
            return Err(wrong("url", "Type the address of the page to audit, or paste many, one per line"));
        };
        if urls.len() > MOST_PAGES {
            return Err(wrong("url", &format!("{} pages are too many: at most {MOST_PAGES} at once", urls.len())));
        }
        let new = NewReport { url: first, privacy: self.privacy, password: self.wanted_password(ctx)? };
        Ok(if urls.len() == 1 { FormRequest::Create(new) } else { FormRequest::CreateMany(urls, new) })
    }

    /// The typed pages: one per line, without duplicates.
    pub fn urls(&self) -> Vec<String> {
        let mut known = HashSet::new();
        let lines = self.url.value().lines().map(str::trim).filter(|line| !line.is_empty());
        lines.filter(|line| known.insert(*line)).map(str::to_owned).collect()
    }

    /// Whether the edited report has a password.
    pub fn has_stored_password(&self) -> bool {
        matches!(self.kind, FormKind::Edit { base: EditBase { has_password: Some(true), .. }, .. })
    }

    fn check_edit(&self, id: &ReportId, base: EditBase, ctx: &Ctx) -> Result<FormRequest, FieldError> {
        let password = self.wanted_password(ctx)?;
        let change = ReportChange {
            privacy: self.privacy.filter(|_| self.privacy != base.privacy),
            password,
            rerun: self.rerun,
        };
        if change.is_empty() {
            return Err(wrong("privacy", "Nothing changed yet"));
        }
        Ok(FormRequest::Update(id.clone(), change, base))
    }

    fn check_many(&self, targets: &Arc<BulkTargets>, ctx: &Ctx) -> Result<FormRequest, FieldError> {
        let privacy = self.privacy.ok_or_else(|| wrong("privacy", "Choose who may see the report pages"))?;
        let password = self.wanted_password(ctx)?;
        Ok(FormRequest::Many(BulkOperation::Privacy { privacy, password }, Arc::clone(targets)))
    }

    fn wanted_password(&self, ctx: &Ctx) -> Result<Option<SecretString>, FieldError> {
        if self.privacy != Some(Privacy::Password) {
            return Ok(None);
        }
        let password = self.password.value();
        if password.contains('\n') {
            return Err(wrong("password", "A password must be one line"));
        }
        if password.is_empty() && !self.has_stored_password() {
            let generate = ctx.form_hint(", or generate one with ", Action::GeneratePassword, "");
            return Err(wrong("password", &format!("Type a password{generate}")));
        }
        Ok((!password.is_empty()).then(|| SecretString::from(password)))
    }

    /// Handles a conflict: the report was changed on the service since the form was opened. Shows the changes per
    /// field; the form's values stay, now based on the current report.
    pub fn show_conflict(&mut self, theirs: &Report, ctx: &Ctx) {
        self.saving = None;
        self.errors.clear();
        let FormKind::Edit { base, .. } = &mut self.kind else { return };
        let word = |privacy: Option<Privacy>| privacy.map_or("unknown", Privacy::name);
        if base.privacy.is_some() && base.privacy != theirs.privacy {
            let (now, before) = (word(theirs.privacy), word(base.privacy));
            let text = format!("Theirs: {now}, before {before}. Choose {now} to keep theirs");
            self.errors.push(wrong("privacy", &text));
        }
        if base.has_password.is_some() && base.has_password != theirs.has_password {
            let text =
                if theirs.has_password == Some(true) { "Theirs: a password was set" } else { "Theirs: no password" };
            self.errors.push(wrong("password", text));
        }
        *base = EditBase::of(theirs);
        let key = ctx.key(Action::Submit);
        self.problem =
            Some(format!("Someone changed this report in the meantime. Nothing was sent; {key} sends yours"));
    }

    /// Shows the service's errors: each text under its field, the rest above the buttons.
    pub fn refuse(&mut self, failure: &Failure) {
        self.saving = None;
        self.errors.clone_from(&failure.fields);
        self.problem = Some(failure.to_string());
        self.go_to_error();
    }

    /// Moves to the first field with an error, if there is one.
    fn go_to_error(&mut self) {
        if let Some(field) =
            self.fields().into_iter().find(|field| self.errors.iter().any(|error| error.field == named(*field)))
        {
            self.go_to(field);
        }
    }
}

/// The request that a form produces.
#[derive(Debug, Clone)]
pub enum FormRequest {
    /// A new report.
    Create(NewReport),
    /// One new report per page, with the settings of the given one.
    CreateMany(Vec<String>, NewReport),
    /// A change of a report.
    Update(ReportId, ReportChange, EditBase),
    /// An operation on several reports.
    Many(BulkOperation, Arc<BulkTargets>),
}

fn named(field: FormField) -> &'static str {
    match field {
        FormField::Url => "url",
        FormField::Privacy => "privacy",
        FormField::Password => "password",
        FormField::Rerun => "results",
        FormField::Save | FormField::Cancel => "",
    }
}

fn wrong(field: &str, text: &str) -> FieldError {
    FieldError { field: field.to_owned(), texts: vec![text.to_owned()] }
}
