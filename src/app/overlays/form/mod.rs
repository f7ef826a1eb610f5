//! The form for new reports and changes: its fields, their values, and what is wrong with them.
//!
//! A form stays open with all its fields until the service has accepted it.

pub mod secret_input;
pub mod text_field;

use std::collections::HashSet;

use secrecy::SecretString;
use tui_input::Input as TextField;

use crate::app::ctx::Ctx;
use crate::app::effect::{EditBase, RequestId};
use crate::app::overlays::form::secret_input::{PasswordCopy, SecretInput};
use crate::app::overlays::form::text_field::TextEdit;
use crate::domain::bulk::BulkOperation;
use crate::domain::draft::{Draft, DraftKey};
use crate::domain::failure::{Failure, FieldError};
use crate::domain::report::privacy::Privacy;
use crate::domain::report::{NewReport, Report, ReportChange, ReportId};
use crate::input::Action;

/// More pages than this from one form are a list for the command line.
const MOST_PAGES: usize = 500;

/// What the form is for.
#[derive(Debug, Clone, PartialEq)]
pub enum FormKind {
    /// A new report.
    New,
    /// A change of this report.
    Edit {
        /// Which.
        id: ReportId,
        /// Its URL, as it may be shown.
        url: String,
        /// The privacy it has.
        privacy: Option<Privacy>,
        /// Whether a password is stored.
        has_password: bool,
        /// What the report was when the form was opened.
        known: EditBase,
    },
    /// The privacy of this many marked reports.
    Many(usize),
}

/// A place in the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormField {
    /// The page to audit.
    Url,
    /// Who may see the report page.
    Privacy,
    /// The report page's password.
    Password,
    /// Audit again.
    Rerun,
    /// Send.
    Save,
    /// Closes the form and keeps the draft.
    Cancel,
}

/// An open form.
#[derive(Debug)]
pub struct Form {
    /// What it is for.
    pub kind: FormKind,
    /// The URL, line breaks of a paste included.
    pub url: TextField,
    /// The chosen privacy; `None` leaves it as it is.
    pub privacy: Option<Privacy>,
    /// The typed password.
    pub password: SecretInput,
    /// Whether the password can be read. Ends when its field is left.
    pub revealed: bool,
    /// Whether the password can be copied.
    pub password_copy: PasswordCopy,
    /// Whether the page is audited again.
    pub rerun: bool,
    /// Which field has the keyboard.
    pub focus: FormField,
    /// The write that is waited for.
    pub saving: Option<RequestId>,
    /// What is wrong with which field.
    pub errors: Vec<FieldError>,
    /// What went wrong with the whole, and what to do.
    pub problem: Option<String>,
    /// It was filled from a draft, which the title says.
    pub from_draft: bool,
}

impl Form {
    /// An empty form, or one with the stored draft.
    pub fn new_report(draft: Option<&Draft>) -> Self {
        let mut form = Self::of(FormKind::New, FormField::Url);
        form.privacy = Some(Privacy::Public);
        form.fill(draft);
        form
    }

    /// A form with a report's settings.
    pub fn edit(report: &Report, draft: Option<&Draft>) -> Self {
        let kind = FormKind::Edit {
            id: report.id.clone(),
            url: report.short_url().to_owned(),
            privacy: report.privacy,
            has_password: report.has_password == Some(true),
            known: EditBase::of(report),
        };
        let mut form = Self::of(kind, FormField::Privacy);
        form.privacy = report.privacy;
        form.fill(draft);
        form
    }

    /// A form for the privacy of this many reports.
    pub fn many(count: usize, privacy: Option<Privacy>, draft: Option<&Draft>) -> Self {
        let focus = if privacy == Some(Privacy::Password) { FormField::Password } else { FormField::Privacy };
        let mut form = Self::of(FormKind::Many(count), focus);
        if privacy.is_none() {
            form.fill(draft);
        }
        form.privacy = privacy.or(form.privacy);
        form
    }

    fn of(kind: FormKind, focus: FormField) -> Self {
        Self {
            kind,
            url: TextField::default(),
            privacy: None,
            password: SecretInput::default(),
            revealed: false,
            password_copy: PasswordCopy::Typed,
            rerun: false,
            focus,
            saving: None,
            errors: Vec::new(),
            problem: None,
            from_draft: false,
        }
    }

    fn fill(&mut self, draft: Option<&Draft>) {
        let Some(draft) = draft else { return };
        self.url = TextField::new(draft.text.clone());
        self.privacy = draft.privacy.and_then(|code| Privacy::from_code(i64::from(code))).or(self.privacy);
        self.rerun = draft.rerun;
        self.from_draft = true;
    }

    /// The key of drafts of this form.
    pub fn draft_key(&self) -> DraftKey {
        match &self.kind {
            FormKind::New => DraftKey::NewReport,
            FormKind::Edit { id, .. } => DraftKey::EditReport(id.raw().to_owned()),
            FormKind::Many(_) => DraftKey::EditSelected,
        }
    }

    /// The draft to store when the form closes; `None` when nothing was typed.
    pub fn draft(&self) -> Option<Draft> {
        let changed = match &self.kind {
            FormKind::New => !self.url.value().is_empty() || self.privacy != Some(Privacy::Public),
            FormKind::Edit { privacy, .. } => self.privacy != *privacy || self.rerun,
            // What it is about is what is marked when it is opened again.
            FormKind::Many(_) => self.privacy.is_some(),
        };
        changed.then(|| Draft {
            key: self.draft_key(),
            text: self.url.value().to_owned(),
            privacy: self.privacy.map(Privacy::code),
            rerun: self.rerun,
        })
    }

    /// The fields from top to bottom. The password is there when the privacy asks for one.
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

    /// Goes to the next or previous field, around the ends.
    pub fn step(&mut self, forward: bool) {
        let fields = self.fields();
        let at = fields.iter().position(|field| *field == self.focus).unwrap_or(0);
        let next = if forward { at + 1 } else { at + fields.len() - 1 };
        self.go_to(fields[next % fields.len()]);
    }

    /// Goes to a field. A shown password is hidden again.
    pub fn go_to(&mut self, field: FormField) {
        self.focus = field;
        self.revealed = false;
    }

    /// The text field that has the keyboard.
    pub fn text_field(&mut self) -> Option<&mut dyn TextEdit> {
        match self.focus {
            FormField::Url => Some(&mut self.url),
            FormField::Password => Some(&mut self.password),
            FormField::Privacy | FormField::Rerun | FormField::Save | FormField::Cancel => None,
        }
    }

    /// Changes the choice that has the keyboard.
    pub fn choose(&mut self, forward: bool) {
        match self.focus {
            FormField::Privacy => {
                self.privacy = Some(next_privacy(self.privacy, forward));
                self.forget_error("privacy");
            }
            FormField::Rerun => self.rerun = !self.rerun,
            FormField::Url | FormField::Password | FormField::Save | FormField::Cancel => {}
        }
    }

    /// What was wrong with the text that has the keyboard may be right now.
    pub fn text_edited(&mut self) {
        if self.focus == FormField::Password {
            self.password_copy = PasswordCopy::Typed;
        }
        self.forget_error(named(self.focus));
    }

    fn forget_error(&mut self, name: &str) {
        self.errors.retain(|error| error.field != name);
    }

    /// The texts under a field.
    pub fn errors_of(&self, field: FormField) -> impl Iterator<Item = &str> {
        let name = named(field);
        self.errors.iter().filter(move |error| error.field == name).flat_map(|error| &error.texts).map(String::as_str)
    }

    /// Texts for fields that this form does not have; they stand above the buttons.
    pub fn other_errors(&self) -> impl Iterator<Item = String> + '_ {
        let known = ["url", "privacy", "password", "results"];
        let others = self.errors.iter().filter(move |error| !known.contains(&error.field.as_str()));
        others.flat_map(|error| error.texts.iter().map(move |text| format!("{}: {text}", error.field)))
    }

    /// What the form would send; `None` when something is wrong before anything is sent, which its field then says.
    pub fn check(&mut self, ctx: &Ctx) -> Option<FormRequest> {
        self.errors.clear();
        self.problem = None;
        let wanted = match &self.kind {
            FormKind::New => self.check_new(ctx),
            FormKind::Edit { .. } => self.check_edit(ctx),
            FormKind::Many(_) => self.check_many(ctx),
        };
        match wanted {
            Ok(wanted) => Some(wanted),
            Err(error) => {
                if let Some(field) = self.fields().into_iter().find(|field| named(*field) == error.field) {
                    self.go_to(field);
                }
                self.errors.push(error);
                None
            }
        }
    }

    fn check_new(&self, ctx: &Ctx) -> Result<FormRequest, FieldError> {
        let urls = self.urls();
        let Some(first) = urls.first().cloned() else {
            return Err(wrong("url", "Type the address of the page to audit, or paste many, one a line"));
        };
        if urls.len() > MOST_PAGES {
            return Err(wrong("url", &format!("These are {} pages; at most {MOST_PAGES} at once", urls.len())));
        }
        let new = NewReport { url: first, privacy: self.privacy, password: self.wanted_password(false, ctx)? };
        Ok(if urls.len() == 1 { FormRequest::Create(new) } else { FormRequest::CreateMany(urls, new) })
    }

    /// The pages that are typed: one a line, each once.
    pub fn urls(&self) -> Vec<String> {
        let mut known = HashSet::new();
        let lines = self.url.value().lines().map(str::trim).filter(|line| !line.is_empty());
        lines.filter(|line| known.insert(*line)).map(str::to_owned).collect()
    }

    fn check_edit(&self, ctx: &Ctx) -> Result<FormRequest, FieldError> {
        let FormKind::Edit { id, privacy, has_password, known, .. } = &self.kind else { return Err(wrong("", "")) };
        let password = self.wanted_password(*has_password, ctx)?;
        let change =
            ReportChange { privacy: self.privacy.filter(|_| self.privacy != *privacy), password, rerun: self.rerun };
        if change.is_empty() {
            return Err(wrong("privacy", "Nothing is changed yet"));
        }
        Ok(FormRequest::Update(id.clone(), change, *known))
    }

    fn check_many(&self, ctx: &Ctx) -> Result<FormRequest, FieldError> {
        let privacy = self.privacy.ok_or_else(|| wrong("privacy", "Choose who may see the report pages"))?;
        let password = self.wanted_password(false, ctx)?;
        Ok(FormRequest::Many(BulkOperation::Privacy { privacy, password }))
    }

    fn wanted_password(&self, stored: bool, ctx: &Ctx) -> Result<Option<SecretString>, FieldError> {
        if self.privacy != Some(Privacy::Password) {
            return Ok(None);
        }
        let password = self.password.value();
        if password.contains('\n') {
            return Err(wrong("password", "A password is one line"));
        }
        if password.is_empty() && !stored {
            let key = ctx.key(Action::GeneratePassword);
            return Err(wrong("password", &format!("Type a password, or let {key} make one")));
        }
        Ok((!password.is_empty()).then(|| SecretString::from(password)))
    }

    /// The report changed at the service since the form was opened. Says so field by field; what is in the form
    /// stays, and is based on what the report is now.
    pub fn meet(&mut self, theirs: &Report, ctx: &Ctx) {
        self.saving = None;
        self.errors.clear();
        let FormKind::Edit { privacy, has_password, known, .. } = &mut self.kind else { return };
        let word = |privacy: Option<Privacy>| privacy.map_or("not said", Privacy::word);
        if known.privacy.is_some() && known.privacy != theirs.privacy {
            let text = format!("Theirs: {}, it was {}. Choose it to keep theirs", word(theirs.privacy), word(*privacy));
            self.errors.push(wrong("privacy", &text));
        }
        if known.has_password.is_some() && known.has_password != theirs.has_password {
            let text =
                if theirs.has_password == Some(true) { "Theirs: a password was set" } else { "Theirs: there is none" };
            self.errors.push(wrong("password", text));
        }
        (*privacy, *has_password, *known) = (theirs.privacy, theirs.has_password == Some(true), EditBase::of(theirs));
        let key = ctx.key(Action::Submit);
        self.problem = Some(format!("Somebody changed this report meanwhile. Nothing was sent; {key} sends yours"));
    }

    /// Takes a refusal: each text under its field, the rest above the buttons.
    pub fn refuse(&mut self, failure: &Failure) {
        self.saving = None;
        self.errors.clone_from(&failure.fields);
        self.problem = Some(failure.to_string());
        let field =
            self.fields().into_iter().find(|field| self.errors.iter().any(|error| error.field == named(*field)));
        if let Some(field) = field {
            self.go_to(field);
        }
    }
}

/// What a form wants to be sent.
#[derive(Debug, Clone)]
pub enum FormRequest {
    /// A new report.
    Create(NewReport),
    /// A new report for each of these pages, like this one.
    CreateMany(Vec<String>, NewReport),
    /// A change.
    Update(ReportId, ReportChange, EditBase),
    /// The same for all marked reports.
    Many(BulkOperation),
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

fn next_privacy(now: Option<Privacy>, forward: bool) -> Privacy {
    match (now, forward) {
        (Some(Privacy::Public), true) | (Some(Privacy::Password), false) => Privacy::Private,
        (Some(Privacy::Private), true) | (Some(Privacy::Public), false) => Privacy::Password,
        (None | Some(Privacy::Password), true) | (None | Some(Privacy::Private), false) => Privacy::Public,
    }
}
