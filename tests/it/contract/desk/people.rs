//! People, and the permissions of each role on every route.

use reportdeck::domain::desk::{DeskActor, Handle, Role, RowPrecondition};
use reportdeck::domain::report::ReportId;
use reportdeck::domain::triage::State;
use reportdeck::service::keys::{self, PersonChange};
use reqwest::Method;
use secrecy::ExposeSecret as _;
use serde_json::json;

use crate::support::desk_team::{api_client, member, new_key, row};
use crate::support::embedded_service::{Client, Running, sent, store_of};

/// Returns the role that an operation of the OpenAPI description requires.
fn needed(method: &str, path: &str) -> Option<Role> {
    match (method, path) {
        (_, "/health") => None,
        ("get", _) => Some(Role::Viewer),
        ("put" | "patch", "/api/v1/reports/{id}") => Some(Role::Triage),
        (_, "/api/v1/desk/services/{service}/merge") => Some(Role::Admin),
        (_, path) if path.starts_with("/api/v1/desk") => Some(Role::Triage),
        _ => Some(Role::Admin),
    }
}

#[tokio::test]
async fn every_route_is_forbidden_to_lower_roles_and_only_to_them() {
    let (running, data) = Running::start().await;
    let id = running.client.create("https://shop.example/").await;
    let description = running.client.get("/api/v1/openapi.json").await.body;
    let mut asked = 0;
    for role in [Role::Viewer, Role::Triage, Role::Admin] {
        for person in [None, Some("anna")] {
            let key = new_key(data.path(), person, role).await;
            let client = Client::new(&running.service.base_url(), Some(key.expose_secret()));
            for (path, operations) in description["paths"].as_object().unwrap() {
                for method in operations.as_object().unwrap().keys() {
                    let Some(needed) = needed(method, path) else { continue };
                    // Nothing is deleted or created: ids do not exist, and bodies are invalid.
                    let id = if method == "delete" { "999".to_owned() } else { id.to_string() };
                    let full = path.replace("{id}", &id).replace("{project}", "none.example");
                    let full = full.replace("{service}", "1").replace("{report}", "812");
                    let method: Method = method.to_uppercase().parse().unwrap();
                    let answer = sent(client.request(method.clone(), &full)).await;
                    let is_refused = answer.status == 403;
                    assert_eq!(is_refused, role < needed, "{role:?} {method} {path}: {answer:?}");
                    asked += 1;
                }
            }
        }
    }
    assert!(asked >= 6 * 20, "{asked}");
}

#[tokio::test]
async fn the_triage_role_may_re_run_reports_but_not_change_their_privacy() {
    let (running, data) = Running::start().await;
    let id = running.client.create("https://shop.example/").await;
    let key = new_key(data.path(), Some("anna"), Role::Triage).await;
    let anna = Client::new(&running.service.base_url(), Some(key.expose_secret()));
    let path = format!("/api/v1/reports/{id}");
    for form in [&[("privacy", "1")][..], &[("results", "1"), ("privacy", "1")], &[("password", "tea")]] {
        let refused = anna.send(Method::PUT, &path, form).await.expect(403);
        let message = "This requires a key with the role admin; this key has the role triage.";
        assert_eq!(refused.body["message"], message);
    }
    let audits_before = running.script.begun.load(std::sync::atomic::Ordering::SeqCst);
    assert_eq!(audits_before, 1, "a forbidden re-run is not audited");
    let again = anna.send(Method::PUT, &path, &[("results", "1")]).await.expect(200);
    assert_eq!(
        (&again.body["data"]["privacy"], &again.body["data"]["history"].as_array().unwrap().len()),
        (&json!(0), &1)
    );
}

#[tokio::test]
async fn a_key_belongs_to_a_person_or_a_robot() {
    let (running, data) = Running::start().await;
    let anna = member(&running, data.path(), "anna", Role::Triage).await;
    let robot = api_client(&running.service.base_url(), &new_key(data.path(), None, Role::Triage).await);
    let overview = anna.desk().await.unwrap().unwrap();
    assert_eq!((overview.me.handle.as_ref().map(Handle::as_str), overview.me.role), (Some("anna"), Role::Triage));
    assert_eq!(overview.people[0].role, Some(Role::Triage));
    let row = |state| row(state, Some("anna"));
    let written = robot.write_desk_row(1, &ReportId::new("1"), RowPrecondition::Absent, &row(State::Looking)).await;
    assert!(matches!(written.unwrap().set_by, DeskActor::Key(_)));
    assert_eq!(robot.desk().await.unwrap().unwrap().me.handle, None);
    // A second key of anna: the highest role counts.
    member(&running, data.path(), "anna", Role::Admin).await;
    let people = keys::people(store_of(data.path()).await).await.unwrap();
    assert_eq!((people.len(), people[0].role, people[0].name.raw()), (1, Some(Role::Admin), "anna"));
}

#[tokio::test]
async fn a_person_who_left_has_no_keys_and_gets_no_new_reports_but_remains_listed() {
    let (running, data) = Running::start().await;
    let anna = member(&running, data.path(), "anna", Role::Triage).await;
    let ben = member(&running, data.path(), "ben", Role::Triage).await;
    let held =
        ben.write_desk_row(1, &ReportId::new("1"), RowPrecondition::Absent, &row(State::Looking, Some("ben"))).await;
    let held = held.unwrap();
    let handle = "ben".parse().unwrap();
    let rename = PersonChange { name: Some("Ben Ü.".to_owned()), is_here: None };
    keys::change_person(store_of(data.path()).await, &handle, rename).await.unwrap();
    let leave = PersonChange { name: None, is_here: Some(false) };
    let left = keys::change_person(store_of(data.path()).await, &handle, leave).await.unwrap();
    assert!(left.left_at.is_some() && left.role.is_none() && left.name.raw() == "Ben Ü.");
    assert_eq!(ben.desk().await.unwrap_err().status, Some(401));
    let people = anna.desk().await.unwrap().unwrap().people;
    assert_eq!(people[1], left);
    let assign = |state| row(state, Some("ben"));
    let refused = anna.write_desk_row(1, &ReportId::new("2"), RowPrecondition::Absent, &assign(State::Looking)).await;
    assert!(refused.is_err());
    // Reports held by ben stay his until somebody takes them over.
    let kept =
        anna.write_desk_row(1, &held.report, RowPrecondition::Version(1), &assign(State::Waiting)).await.unwrap();
    assert_eq!(kept.holder, held.holder);
    // Leaving twice changes nothing.
    let leave = PersonChange { name: None, is_here: Some(false) };
    assert_eq!(keys::change_person(store_of(data.path()).await, &handle, leave).await.unwrap(), left);
    // A new key reactivates ben.
    member(&running, data.path(), "ben", Role::Viewer).await;
    assert_eq!(anna.desk().await.unwrap().unwrap().people[1].left_at, None);
    for name in ["", " ", "a\0b", "a\u{202e}", &"x".repeat(101)] {
        let change = PersonChange { name: Some(name.to_owned()), is_here: None };
        let refused = keys::change_person(store_of(data.path()).await, &handle, change).await;
        assert!(matches!(refused, Err(keys::KeyError::PersonName)), "{name:?}");
    }
    let unknown = keys::change_person(
        store_of(data.path()).await,
        &"nobody".parse().unwrap(),
        PersonChange { name: None, is_here: Some(false) },
    )
    .await;
    assert!(matches!(unknown, Err(keys::KeyError::NoPerson(_))));
}
