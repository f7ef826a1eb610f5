//! The context of a command: global options, environment and configuration.

use std::cell::OnceCell;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use secrecy::SecretString;

use crate::api::address::BaseUrl;
use crate::api::client::{Client, Observer};
use crate::api::limits::Limits;
use crate::cli::args::{Format, GlobalOptions};
use crate::cli::exit::{CommandError, print_note};
use crate::cli::output::column::TableColumn;
use crate::cli::output::record::Record;
use crate::cli::output::{Printer, Shape, note_empty_list};
use crate::cli::setup::{keymap, wait_note};
use crate::config::choice::{RemoteService, ServiceSelection, ServiceSource, choose, profile_name};
use crate::config::environment::{DATABASE_URL, Environment};
use crate::config::error::ConfigError;
use crate::config::model::{ConfigFile, EMBEDDED};
use crate::config::store::{self, ChosenDatabase, DataDirectory};
use crate::domain::failure::Failure;
use crate::service::StoreAddress;
use crate::view::Characters;

/// The journal's file name in the state directory.
const JOURNAL: &str = "journal.sqlite";

/// Options and environment of this run.
pub(super) struct CommandContext<'a> {
    pub(super) options: GlobalOptions,
    pub(super) environment: &'a Environment,
    file: OnceCell<ConfigFile>,
    target: OnceCell<Target>,
}

/// The chosen service.
#[derive(Clone)]
pub(super) enum Target {
    /// The embedded service with this data directory.
    Embedded(PathBuf),
    /// A remote service.
    Elsewhere(BaseUrl, Box<RemoteService>),
}

impl<'a> CommandContext<'a> {
    /// Creates the context from options and environment.
    pub(super) fn new(options: GlobalOptions, environment: &'a Environment) -> Self {
        Self { options, environment, file: OnceCell::new(), target: OnceCell::new() }
    }

    /// Returns the configuration file. It is read once, and its warnings are printed once.
    pub(super) fn config(&self) -> Result<&ConfigFile, CommandError> {
        if let Some(file) = self.file.get() {
            return Ok(file);
        }
        let mut file = ConfigFile::load(self.environment)?;
        let (_, about_keys) = keymap::in_force(&file);
        file.warnings.extend(about_keys);
        for warning in &file.warnings {
            print_note(&format!("warning: {warning}"));
        }
        Ok(self.file.get_or_init(|| file))
    }

    /// Returns the service to use. It is chosen once, because reading its key may run a command.
    pub(super) fn target(&self) -> Result<Target, CommandError> {
        if let Some(target) = self.target.get() {
            return Ok(target.clone());
        }
        let file = self.config()?;
        let target = match self.choose_telling(file)? {
            None => Target::Embedded(self.data()?),
            Some(elsewhere) => {
                if let Some(note) = &elsewhere.note {
                    print_note(&format!("warning: {note}"));
                }
                Target::Elsewhere(address(&elsewhere)?, Box::new(elsewhere))
            }
        };
        Ok(self.target.get_or_init(|| target).clone())
    }

    /// Chooses the service. If its key command takes long, a note on a terminal says what is waited for.
    fn choose_telling(&self, file: &ConfigFile) -> Result<Option<RemoteService>, ConfigError> {
        let name = profile_name(self.options.profile.as_deref(), self.environment, file);
        let awaited = name.and_then(|name| wait_note::awaited(name, file.profiles.get(name)?));
        let tell = || {
            if let Some(awaited) = awaited.filter(|_| io::stderr().is_terminal()) {
                print_note(&format!("note: waiting for {awaited}"));
            }
        };
        let asked = self.asked();
        wait_note::telling_after(wait_note::UNNOTICED, tell, || choose(&asked, self.environment, file))
    }

    /// Returns the service selection in the options.
    pub(super) fn asked(&self) -> ServiceSelection {
        let GlobalOptions { base_url, profile, data, .. } = &self.options;
        ServiceSelection { base_url: base_url.clone(), profile: profile.clone(), data: data.is_some() }
    }

    /// Whether the service is used read-only.
    pub(super) fn is_read_only(&self, target: &Target) -> bool {
        let by_profile = match target {
            Target::Embedded(_) => false,
            Target::Elsewhere(_, elsewhere) => elsewhere.read_only,
        };
        self.options.read_only || by_profile
    }

    /// Returns the limits of clients, with `--timeout` if given.
    pub(super) fn limits(&self) -> Limits {
        self.options.timeout.map(Limits::within).unwrap_or_default()
    }

    /// Creates a client of a service or desk.
    pub(super) fn client(&self, base: BaseUrl, key: SecretString, observer: Observer) -> Result<Client, Failure> {
        Client::new(base, key, observer, self.limits())
    }

    /// Returns the given output format, or the default for stdout: a table on a terminal, JSON lines elsewhere.
    pub(super) fn format(&self) -> Format {
        let default = || if io::stdout().is_terminal() { Format::Table } else { Format::Jsonl };
        self.options.format.unwrap_or_else(default)
    }

    /// Creates a printer to stdout in that format.
    pub(super) fn printer(&self, shape: Shape, columns: &[TableColumn]) -> Printer {
        Printer::to_stdout(self.format(), shape, columns, self.characters())
    }

    /// Prints a single record.
    pub(super) fn print_one(&self, columns: &[TableColumn], record: &Record) -> io::Result<()> {
        let mut printer = self.printer(Shape::One, columns);
        printer.record(record)?;
        printer.finish()
    }

    /// Prints a whole list, and notes on a terminal that there are no such `rows`.
    pub(super) fn print_list(
        &self,
        columns: &[TableColumn],
        records: impl IntoIterator<Item = Record>,
        rows: &str,
    ) -> io::Result<()> {
        let (mut printer, mut is_empty) = (self.printer(Shape::Many, columns), true);
        for record in records {
            printer.record(&record)?;
            is_empty = false;
        }
        printer.finish()?;
        if is_empty {
            note_empty_list(rows);
        }
        Ok(())
    }

    fn characters(&self) -> Characters {
        if self.environment.terminal().is_utf8 { Characters::All } else { Characters::AsciiOnly }
    }

    /// Returns the data directory of the embedded service.
    pub(super) fn data(&self) -> Result<PathBuf, CommandError> {
        self.data_directory().map(|data| data.path)
    }

    /// Returns the data directory of the embedded service, and its origin.
    pub(super) fn data_directory(&self) -> Result<DataDirectory, CommandError> {
        if let Some(path) = self.options.data.clone() {
            return Ok(DataDirectory { path, from: "option".to_owned() });
        }
        store::data_directory(self.config()?, self.environment).ok_or_else(|| {
            CommandError::usage("there is no home directory to keep data in", "Choose a directory with --data")
        })
    }

    /// Returns the store of `serve` and related commands: the directory of `--data`, or else the database named by
    /// environment or configuration, or else the data directory.
    pub(super) fn store(&self) -> Result<StoreAddress, CommandError> {
        match self.database()? {
            Some(database) => Ok(StoreAddress::Postgres(database.url)),
            None => Ok(StoreAddress::Data(self.data()?)),
        }
    }

    /// Returns the database named by environment or configuration, unless `--data` names a directory.
    pub(super) fn database(&self) -> Result<Option<ChosenDatabase>, CommandError> {
        if self.options.data.is_some() { Ok(None) } else { self.named_database() }
    }

    /// Returns the database named by environment or configuration, regardless of `--data`.
    pub(super) fn named_database(&self) -> Result<Option<ChosenDatabase>, CommandError> {
        Ok(database(self.config()?, self.environment)?)
    }

    /// Returns the name of the embedded service in header and journal. Two data directories are two services.
    pub(super) fn name_of_embedded(&self, data: &Path) -> String {
        let usual = self.environment.directories().map(|directories| canonical(&directories.data));
        let data = canonical(data);
        if usual.is_some_and(|usual| usual == data) {
            EMBEDDED.to_owned()
        } else {
            format!("{EMBEDDED} {}", data.display())
        }
    }

    /// Returns the path of the dashboard's journal; `None` without a home directory.
    pub(super) fn journal(&self) -> Option<PathBuf> {
        self.environment.directories().map(|directories| directories.state.join(JOURNAL))
    }
}

/// Canonicalises a path, even if its end does not exist yet.
fn canonical(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for above in whole.ancestors() {
        if let (Ok(real), Ok(rest)) = (above.canonicalize(), whole.strip_prefix(above)) {
            // Joining an empty path would add a slash.
            return if rest.as_os_str().is_empty() { real } else { real.join(rest) };
        }
    }
    whole
}

/// Returns the database named by environment or configuration. Fails if its URL cannot be used.
pub(super) fn database(file: &ConfigFile, environment: &Environment) -> Result<Option<ChosenDatabase>, ConfigError> {
    let Some(database) = store::database(file, environment)? else { return Ok(None) };
    match StoreAddress::Postgres(database.url.clone()).place() {
        Ok(_) => Ok(Some(database)),
        Err(error) => {
            let name = if database.place.is_none() { format!("{DATABASE_URL}: ") } else { String::new() };
            Err(ConfigError { place: database.place, ..ConfigError::new(format!("{name}{error}"), "") })
        }
    }
}

/// Parses the base URL. An invalid one is a usage error, whatever its origin, and so is an invalid address of the desk:
/// otherwise `config check` would accept what every command with a desk refuses.
pub(super) fn address(elsewhere: &RemoteService) -> Result<BaseUrl, ConfigError> {
    let parse = |text: &str, name: &str| parse_address(text, name, elsewhere.allow_insecure);
    let base = match &elsewhere.source {
        ServiceSource::Option => parse(&elsewhere.base_url, "--base-url: ")?,
        ServiceSource::Variable => parse(&elsewhere.base_url, "REPORTDECK_BASE_URL: ")?,
        ServiceSource::Profile(place) => parse(&elsewhere.base_url, "").map_err(|error| error.at(place.clone()))?,
    };
    if let Some(desk) = &elsewhere.desk {
        parse(&desk.base_url, "desk: ").map_err(|error| error.at(desk.place.clone()))?;
    }
    Ok(base)
}

/// Parses the address of a service or desk. `name` is where it is from, for the message.
pub(super) fn parse_address(text: &str, name: &str, allow_insecure: bool) -> Result<BaseUrl, ConfigError> {
    BaseUrl::parse(text, allow_insecure)
        .map_err(|failure| ConfigError::new(format!("{name}{}", failure.message), failure.advice))
}
