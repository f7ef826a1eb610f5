//! `GET /desk/changes`: long polling for events after a position.

use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use tokio::time::Instant;

use super::input;
use super::reads::NO_SERVICE;
use crate::api::contract::parameter;
use crate::domain::desk::{DeskChanges, LogPosition, Presence, PresenceActivity};
use crate::domain::report::ReportId;
use crate::service::desk::presence::Heartbeat;
use crate::service::handlers::errors::{self, ErrorResponse};
use crate::service::handlers::list_page::ListRequest;
use crate::service::server::auth;
use crate::service::server::state::SharedState;
use crate::service::store::key_rows::RequestKey;

/// The longest wait, shorter than the one-minute timeout common among proxies.
const LONGEST_WAIT: Duration = Duration::from_secs(55);
/// The earliest response for a mere move: people move often, and each response wakes a client. Beginning or ending to
/// write is sent immediately.
const PRESENCE_PAUSE: Duration = Duration::from_secs(10);
/// `Retry-After` in seconds while all places to wait are taken.
const PAUSE: u64 = 15;
/// The values of the `doing` parameter.
pub const ACTIVITIES: [(&str, PresenceActivity); 2] =
    [("viewing", PresenceActivity::Viewing), ("writing", PresenceActivity::Writing)];

/// The parsed query.
struct ChangesQuery {
    /// `None` begins with the oldest retained event.
    after: Option<LogPosition>,
    service: Option<i64>,
    wait: Duration,
    at: Option<ReportId>,
    doing: Option<PresenceActivity>,
}

impl ChangesQuery {
    fn read(request: &ListRequest) -> Result<Self, ErrorResponse> {
        let mut form = request.form();
        let is_from_position = form.text(parameter::AFTER).is_some();
        let revision = form.number(parameter::AFTER, 0).unwrap_or_default();
        let wait = form.number(parameter::WAIT, 0).map(i64::unsigned_abs).unwrap_or_default();
        let service = form.number(parameter::SERVICE, 1);
        let doing = form.choice(parameter::DOING, &ACTIVITIES);
        let change = form.text(parameter::CHANGE).map(|change| change.parse().ok());
        if change == Some(None) {
            form.refuse(parameter::CHANGE, "The change must be a UUID.");
        }
        let at = input::report_field(&mut form, parameter::AT).map(|at| ReportId::new(&at));
        form.check()?;
        let after = is_from_position.then_some(LogPosition { revision, change: change.flatten() });
        Ok(Self { after, service, wait: Duration::from_secs(wait).min(LONGEST_WAIT), at, doing })
    }
}

/// `GET /desk/changes`
pub async fn follow(
    State(state): State<SharedState>,
    Extension(key): Extension<RequestKey>,
    headers: HeaderMap,
    request: ListRequest,
) -> Result<Response, ErrorResponse> {
    let query = ChangesQuery::read(&request)?;
    let board = &state.desk.presence;
    let reader = query.service.zip(key.person.as_ref());
    let others = || query.service.map(|service| board.others(service, key.person.as_ref())).unwrap_or_default();
    // Marked as sent before the list is read, so that nobody who moves in between is missed.
    let others_sent = || {
        if let Some((service, person)) = reader {
            board.mark_sent(service, person);
        }
        others()
    };
    let (mut events, mut moves) = (state.desk.subscribe(), board.subscribe());
    // Before this person's heartbeat is recorded, so that no reaction to it is missed.
    let (at_start, others_at_start) = (*moves.borrow_and_update(), others());
    let part = read_log(&state, &query).await?;
    if let (Some((service, handle)), Some(doing)) = (reader, query.doing) {
        record_heartbeat(&state, Heartbeat { service, handle: handle.clone(), report: query.at.clone(), doing }).await;
    }
    let began = Instant::now();
    if is_news(&part) || query.wait.is_zero() {
        return Ok(answer(part, others_sent(), 0));
    }
    let Some(_place) = state.desk.place() else {
        return Ok(answer(part, others_sent(), PAUSE));
    };
    let deadline = began + query.wait;
    // Moves between two requests are news too.
    let known = reader.and_then(|(service, person)| board.last_sent(service, person)).unwrap_or(at_start);
    let mut has_moved = known != *moves.borrow();
    let before = if known == at_start { Some(others_at_start) } else { None };
    loop {
        let is_writing_news = moves.borrow().writing != known.writing && before.as_ref() != Some(&others());
        let is_over = is_writing_news
            || tokio::select! {
                changed = events.changed() => changed.is_err(),
                Ok(()) = moves.changed() => {
                    has_moved = true;
                    continue;
                }
                () = tokio::time::sleep_until(began + PRESENCE_PAUSE), if has_moved => {
                    has_moved = false;
                    before.as_ref() != Some(&others())
                }
                () = tokio::time::sleep_until(deadline) => true,
                () = state.desk.stopped() => true,
            };
        let _turn = state.desk.reading_turn().await;
        let part = read_log(&state, &query).await?;
        if is_over || is_news(&part) {
            // A key that was revoked meanwhile gets no data.
            auth::check_key(&state, &headers).await?;
            return Ok(answer(part, others_sent(), 0));
        }
    }
}

/// Records a heartbeat, on other instances too.
async fn record_heartbeat(state: &SharedState, heartbeat: Heartbeat) {
    let board = &state.desk.presence;
    if let Err(error) = state.store.publish_presence(|| board.encoded(&heartbeat)).await {
        tracing::debug!(%error, "presence could not be sent to other instances");
    }
    board.touch(heartbeat);
}

async fn read_log(state: &SharedState, query: &ChangesQuery) -> Result<DeskChanges, ErrorResponse> {
    state.store.desk_changes(query.after, query.service).await?.ok_or(NO_SERVICE)
}

fn is_news(part: &DeskChanges) -> bool {
    part.reset || !part.events.is_empty()
}

fn answer(part: DeskChanges, present: Vec<Presence>, pause: u64) -> Response {
    let mut response = errors::one(StatusCode::OK, DeskChanges { present, pause, ..part });
    if pause > 0 {
        response.headers_mut().insert(header::RETRY_AFTER, pause.into());
    }
    response
}
