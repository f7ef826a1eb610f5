//! Finds a service on a desk, and reads all of its rows and notes.

use super::client::Client;
use crate::domain::desk::{ChangeId, DeskContent, DeskOverview, DeskService, Role, ServiceLookup};
use crate::domain::failure::Failure;
use crate::domain::text::Text;

/// The number of the desk's own service.
const OWN_SERVICE: i64 = 1;

/// The clients of a desk and, if it is another service, of the service with the reports.
#[derive(Clone)]
pub struct DeskClients {
    /// The client of the desk.
    pub desk: Client,
    /// The client of the service; `None` if the desk belongs to it.
    pub service: Option<Client>,
}

impl DeskClients {
    /// Returns the number of the service on the desk; `None` if there is none. Creates it under the id `creation`, if
    /// given and the role permits.
    pub async fn service_number(
        &self,
        overview: &DeskOverview,
        creation: Option<ChangeId>,
    ) -> Result<Option<i64>, Failure> {
        let Some(service) = &self.service else { return Ok(Some(OWN_SERVICE)) };
        // Our own services have an id that is independent of the address.
        let own = service.desk().await.ok().flatten().map(|own| own.service_id);
        if own.as_ref() == Some(&overview.service_id) {
            return Ok(Some(OWN_SERVICE));
        }
        let base = service.base().as_str().trim_end_matches('/');
        let is_it = |known: &&DeskService| {
            known.base.as_ref().is_some_and(|known| known.raw() == base)
                || (own.is_some() && known.service_id.as_ref() == own.as_ref())
        };
        if let Some(known) = overview.services.iter().find(is_it) {
            return Ok(Some(known.id));
        }
        let Some(change) = creation.filter(|_| overview.me.role >= Role::Triage) else { return Ok(None) };
        let label = service.base().host();
        let (base, label) = (Text::from_outside(base), Text::from_outside(label.as_str()));
        let lookup = ServiceLookup { change, base, service_id: own, label };
        Ok(Some(self.desk.desk_service(&lookup).await?.id))
    }

    /// Reads all rows and notes of a service.
    pub async fn read_all(&self, service: i64) -> Result<DeskContent, Failure> {
        let mut content = DeskContent::default();
        let mut after = None;
        loop {
            let page = self.desk.desk_rows(service, after.as_ref()).await?;
            if after.is_none() {
                // Later pages may be newer; events up to their position then change nothing.
                content.position = page.position;
            }
            after = page.rows.last().map(|row| row.report.clone());
            page.rows.into_iter().for_each(|row| content.put_row(row));
            if !page.more || after.is_none() {
                break;
            }
        }
        let mut after = None;
        loop {
            let page = self.desk.desk_notes(service, after).await?;
            after = page.notes.last().map(|note| note.id);
            page.notes.into_iter().for_each(|note| content.put_note(note));
            if !page.more || after.is_none() {
                return Ok(content);
            }
        }
    }
}
