//! The desk of the chosen service, for commands.

use std::sync::Arc;

use crate::api::client::{Client, ClientOptions};
use crate::api::desk_entry::DeskClients;
use crate::cli::context::{CommandContext, Target};
use crate::cli::exit::CommandError;
use crate::cli::setup::access::limits;
use crate::cli::setup::profiles::desk_of;
use crate::domain::desk::{ChangeId, Handle, LogPosition};
use crate::domain::failure::Failure;

/// A desk that has answered.
pub struct TeamDesk {
    /// Its client, and that of the service.
    pub clients: DeskClients,
    /// The number of the service on it.
    pub service: i64,
    /// The person whose key is used; `None` for a robot.
    pub me: Option<Handle>,
    /// The end of its log.
    pub position: LogPosition,
}

impl TeamDesk {
    /// Asks the desk of the chosen service.
    pub async fn open(context: &CommandContext<'_>) -> Result<Self, CommandError> {
        let Target::Elsewhere(base, elsewhere) = context.target()? else {
            let advice = "Choose a service with --profile or --base-url: every `reportdeck serve` has a desk";
            return Err(CommandError::usage("the service of this machine alone has no desk", advice));
        };
        let access = desk_of(&base, &elsewhere)?;
        let client = |base, key| {
            let options = ClientOptions { base, key, observer: Arc::new(|_| {}) };
            Client::with_limits(options, limits(context.options.timeout))
        };
        let desk = client(access.base.clone(), access.key.clone())?;
        let service = if access.is_own { None } else { Some(client(base, elsewhere.key.clone())?) };
        let clients = DeskClients { desk, service };
        let Some(overview) = clients.desk.desk().await? else {
            let advice = "Name one with `desk` in the profile, or ask its administrator";
            return Err(CommandError::local(format!("{} has no desk", access.base.as_str()), advice));
        };
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(no_random)?;
        let Some(service) = clients.service_number(&overview, ChangeId::from_random(bytes)).await? else {
            let advice = "Somebody with the role triage opens the service once";
            return Err(CommandError::local("the desk does not know this service yet", advice));
        };
        Ok(Self { clients, service, me: overview.me.handle, position: overview.position })
    }
}

fn no_random(error: getrandom::Error) -> Failure {
    use crate::domain::failure::FailureKind;
    Failure::new(FailureKind::Local, format!("The system gives no random numbers: {error}"), "Try again")
}
