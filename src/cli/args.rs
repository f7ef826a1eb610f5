//! The options and commands; their doc comments are the texts of `--help`.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::NonEmptyStringValueParser;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use jiff::SignedDuration;
use strum::IntoEnumIterator as _;

use crate::cli::output::column::{self, TableColumn};
use crate::cli::service_args::{KeyCommand, ServeOptions, StoreCommand};
use crate::cli::value_parsers::{
    at_least_one, not_stdin, one_of, page_size, score, service_number, single_id, span, span_ahead, time_limit,
};
use crate::domain::list::query::{Direction, ProjectSort, ReportSort, ResultFilter};
use crate::domain::report::privacy::Privacy;
use crate::domain::triage::StateKind;

/// The states that a person can set; `done` is set only by an audit.
fn settable_states() -> impl Iterator<Item = StateKind> {
    StateKind::iter().filter(|state| *state != StateKind::Done)
}

/// A terminal dashboard for web page reports.
///
/// Without a command the dashboard opens. It works with the service of --base-url or a profile, or else with its own
/// embedded service, which needs no account.
#[derive(Debug, Parser)]
#[command(name = "reportdeck", version = env!("REPORTDECK_VERSION"), propagate_version = true)]
pub(super) struct Arguments {
    #[command(flatten)]
    pub(super) global: GlobalOptions,
    /// Open the dashboard on a scratch service with two sample sites and a week of history; all of it is removed on quit
    #[arg(long, help_heading = "Dashboard options")]
    pub(super) sample: bool,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

/// Options allowed before or after any command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(super) struct GlobalOptions {
    /// Use this profile of the configuration, or `embedded` for the program's own service
    #[arg(long, global = true, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(super) profile: Option<String>,
    /// Use the service at this address; its key is read from `REPORTDECK_API_KEY`
    #[arg(long, global = true, value_name = "URL", value_parser = NonEmptyStringValueParser::new())]
    pub(super) base_url: Option<String>,
    /// Send no request that changes anything
    #[arg(long, global = true)]
    pub(super) read_only: bool,
    /// Start the dashboard with this saved view
    #[arg(long, help_heading = "Dashboard options", value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(super) view: Option<String>,
    /// Start the dashboard with the overview
    #[arg(long, help_heading = "Dashboard options")]
    pub(super) overview: bool,
    /// Use the embedded service with this data directory, instead of that of environment and configuration
    #[arg(long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) data: Option<PathBuf>,
    /// Output format; by default table on a terminal and jsonl elsewhere
    #[arg(long, global = true, value_name = "FORMAT", value_enum)]
    pub(super) format: Option<Format>,
    /// Timeout of a request, for example 30s or 2m; by default 30s for reads and 2m for writes
    #[arg(long, global = true, value_name = "TIME", value_parser = time_limit)]
    pub(super) timeout: Option<Duration>,
}

/// Output formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// A table with aligned columns
    Table,
    /// One JSON document
    Json,
    /// One JSON object per line
    Jsonl,
    /// Comma-separated values with a header row
    Csv,
    /// A Markdown table
    Markdown,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List, show, create, update and delete reports
    #[command(subcommand)]
    Reports(ReportCommand),
    /// List and delete projects
    #[command(subcommand)]
    Projects(ProjectCommand),
    /// Audit pages and print their reports; nothing is stored
    Audit(AuditOptions),
    /// Print the events of a service's reports known to this machine and the desk, oldest first
    Changes {
        /// How far back to look, for example 8h or 2d
        #[arg(long, value_name = "TIME", default_value = "24h", value_parser = span)]
        since: SignedDuration,
    },
    /// Show and update the desk on which a team triages the reports of a service
    #[command(subcommand)]
    Desk(DeskCommand),
    /// Show the path of the configuration, the settings in effect, and whether they are valid
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Store the API key of a profile, after the service has accepted it
    Login(LoginOptions),
    /// Delete the stored API keys of a profile and its desk
    Logout {
        /// The profile; by default the one in use
        #[arg(value_name = "PROFILE", value_parser = NonEmptyStringValueParser::new())]
        name: Option<String>,
    },
    /// Check this machine and the service, and print the findings
    Doctor,
    /// Print a completion script for a shell
    ///
    /// bash and zsh load it with `source <(reportdeck completions bash)`, or `zsh`; fish with
    /// `reportdeck completions fish | source`.
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the man page
    Man {
        /// Write the pages of all commands into this directory instead
        #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
        all: Option<PathBuf>,
    },
    /// Run the embedded service for a team
    Serve(ServeOptions),
    /// Run audits for the `serve` instances that share a PostgreSQL database, without listening for requests
    Worker,
    /// Back up, restore, import and copy the reports of the embedded service
    #[command(subcommand)]
    Store(StoreCommand),
    /// Create, list and revoke API keys of the embedded service
    #[command(subcommand)]
    Keys(KeyCommand),
}

#[derive(Debug, Args)]
pub(super) struct AuditOptions {
    /// The pages to audit; a lone - reads them from stdin, as `reports create` does
    #[arg(required = true, value_name = "URL", value_parser = NonEmptyStringValueParser::new())]
    pub(super) urls: Vec<String>,
    /// Exit with 8 if a page has this result or a worse one; a page that cannot be fetched counts as bad
    #[arg(long, value_name = "RESULT", value_parser = one_of([ResultFilter::Bad, ResultFilter::Decent], ResultFilter::name))]
    pub(super) fail_on: Option<ResultFilter>,
    /// Exit with 8 if a page scores less than N; a page that cannot be fetched scores 0
    #[arg(long, value_name = "N", value_parser = score)]
    pub(super) fail_under: Option<u8>,
}

#[derive(Debug, Subcommand)]
pub(super) enum ReportCommand {
    /// List reports from all pages
    List(ReportList),
    /// Show reports with their checks
    Show {
        /// The reports' ids; a lone - reads them from stdin
        #[arg(required = true, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
        ids: Vec<String>,
    },
    /// List the current and earlier results of a report, newest first
    History {
        /// The report's id
        #[arg(value_parser = single_id())]
        id: String,
    },
    /// Open the audited page of a report in the web browser
    Open {
        /// The report's id
        #[arg(value_parser = single_id())]
        id: String,
        /// Open the report page instead of the audited page
        #[arg(long)]
        page: bool,
    },
    /// Print the address of a report page
    Link {
        /// The report's id
        #[arg(value_parser = single_id())]
        id: String,
    },
    /// Print the triage states of reports, or set one
    State {
        /// The reports' ids; by default all with a state; a lone - reads them from stdin
        #[arg(value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
        ids: Vec<String>,
        /// Set this state
        #[arg(long, value_name = "STATE", requires = "ids", value_parser = one_of(settable_states(), StateKind::name))]
        set: Option<StateKind>,
        /// How long to snooze the reports, for example 3d; by default a week
        #[arg(long = "for", value_name = "TIME", requires = "set", value_parser = span_ahead)]
        snooze: Option<SignedDuration>,
    },
    /// Print the notes about reports, or add one
    Note {
        /// The reports' ids; by default all with a note; a lone - reads them from stdin
        #[arg(value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
        ids: Vec<String>,
        /// Add this note
        #[arg(long, value_name = "TEXT", requires = "ids", value_parser = NonEmptyStringValueParser::new())]
        add: Option<String>,
    },
    /// Audit pages and store their reports
    Create {
        /// The pages to audit; a lone - reads them from stdin: one per line, a JSON array, JSON lines, or CSV with a
        /// column named url
        #[arg(required = true, value_name = "URL", value_parser = NonEmptyStringValueParser::new())]
        urls: Vec<String>,
        #[command(flatten)]
        privacy: PrivacyOptions,
    },
    /// Change the privacy of reports, or re-run them
    Update {
        /// The reports' ids; a lone - reads them from stdin: one per line, a JSON array, JSON lines, or CSV with a column
        /// named id
        #[arg(required = true, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
        ids: Vec<String>,
        #[command(flatten)]
        privacy: PrivacyOptions,
        /// Re-run the reports
        #[arg(long)]
        rerun: bool,
    },
    /// Delete reports
    Delete {
        /// The reports' ids; a lone - reads them from stdin: one per line, a JSON array, JSON lines, or CSV with a column
        /// named id
        #[arg(required = true, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
        ids: Vec<String>,
        /// Do not ask for confirmation
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Debug, Args)]
pub(super) struct ReportList {
    /// Only reports whose URL contains this
    #[arg(long, value_parser = NonEmptyStringValueParser::new())]
    pub(super) search: Option<String>,
    /// Only reports of this project
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(super) project: Option<String>,
    /// Only reports with one of these results; can be repeated or separated by commas
    #[arg(long, value_delimiter = ',', value_parser = one_of(ResultFilter::iter(), ResultFilter::name))]
    pub(super) result: Vec<ResultFilter>,
    /// Only reports that match this filter of the dashboard, for example 'result:bad age:>30d check:title'
    #[arg(long, value_parser = NonEmptyStringValueParser::new())]
    pub(super) filter: Option<String>,
    /// Print these columns in this order; in JSON, these fields
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = one_of(column::all_of_report(), |column| column.name))]
    pub(super) columns: Vec<TableColumn>,
    /// The field to sort by. Without --sort-by and --sort: by id, oldest first
    #[arg(long, value_name = "FIELD", value_parser = one_of(ReportSort::iter(), ReportSort::name))]
    pub(super) sort_by: Option<ReportSort>,
    #[command(flatten)]
    pub(super) paging: Paging,
}

#[derive(Debug, Args)]
pub(super) struct Paging {
    /// Sort direction; desc if only --sort-by is given
    #[arg(long, value_name = "DIRECTION", value_parser = one_of([Direction::Ascending, Direction::Descending], Direction::name))]
    pub(super) sort: Option<Direction>,
    /// Rows per request: 10, 25, 50 or 100; by default 100, or fewer if --limit needs no more
    #[arg(long, value_name = "ROWS", value_parser = page_size)]
    pub(super) per_page: Option<u16>,
    /// Stop after N rows; the order stays the same
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(super) limit: Option<usize>,
}

#[derive(Debug, Args)]
pub(super) struct PrivacyOptions {
    /// Who may see the report page
    #[arg(long, value_parser = one_of(Privacy::iter(), Privacy::name))]
    pub(super) privacy: Option<Privacy>,
    /// Read the page's password from stdin
    #[arg(long, conflicts_with = "password_file", action = ArgAction::SetTrue)]
    pub(super) password_stdin: bool,
    /// Read the page's password from a file
    #[arg(long, value_name = "FILE")]
    pub(super) password_file: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(super) enum ProjectCommand {
    /// List projects from all pages
    List(ProjectList),
    /// Delete projects with all their reports
    Delete {
        /// The projects' names
        #[arg(required = true, value_name = "NAME", value_parser = not_stdin("names of projects are not read from stdin"))]
        names: Vec<String>,
        /// Do not ask for confirmation
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Debug, Args)]
pub(super) struct ProjectList {
    /// Only projects whose name contains this
    #[arg(long, value_parser = NonEmptyStringValueParser::new())]
    pub(super) search: Option<String>,
    /// The field to sort by. Without --sort-by and --sort: by `created_at`, oldest first
    #[arg(long, value_name = "FIELD", value_parser = one_of(ProjectSort::iter(), ProjectSort::name))]
    pub(super) sort_by: Option<ProjectSort>,
    #[command(flatten)]
    pub(super) paging: Paging,
}

#[derive(Debug, Clone, Copy, Subcommand)]
pub(super) enum ConfigCommand {
    /// Print the path of the configuration file, whether it exists or not
    Path,
    /// Print the settings in effect from file, environment and options, without keys
    Show,
    /// Print a configuration file with every option, commented out and explained
    Default,
    /// Check the whole file, and try the key source of every profile
    Check,
}

#[derive(Debug, Args)]
pub(super) struct LoginOptions {
    /// The profile; by default the one in use
    // Not called `profile`: the option everywhere has that id.
    #[arg(value_name = "PROFILE", value_parser = NonEmptyStringValueParser::new())]
    pub(super) name: Option<String>,
    /// Read the key from stdin instead of prompting for it
    #[arg(long)]
    pub(super) key_stdin: bool,
    /// Store the key of the profile's desk instead
    #[arg(long)]
    pub(super) desk: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum DeskCommand {
    /// Print a handover for the next shift: bad reports that are free, and those held, waiting, returning from a snooze
    /// or closed
    Handover {
        /// How far back to list closed reports, and how far ahead to list ending snoozes
        #[arg(long, value_name = "TIME", default_value = "8h", value_parser = span)]
        since: SignedDuration,
    },
    /// Print events of the desk as they happen, until interrupted
    Watch {
        /// Only events that concern the key's person: assigned, taken, mentioned
        #[arg(long)]
        mine: bool,
    },
    /// Print past events of the desk, oldest first
    Log {
        /// How far back to look, for example 8h or 2d
        #[arg(long, value_name = "TIME", default_value = "24h", value_parser = span)]
        since: SignedDuration,
    },
    /// List the services whose reports are triaged on the desk
    Services {
        /// Merge the first service into the second (the same service at another address)
        #[arg(long, action = ArgAction::Set, num_args = 2, value_names = ["FROM", "INTO"], value_parser = service_number)]
        merge: Option<Vec<i64>>,
    },
    /// Upload the states and notes of this machine to the desk; existing ones are kept
    Import,
}
