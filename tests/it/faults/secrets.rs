//! API keys and page passwords never appear in exchanges, failures, debug output or on screens.

use reportdeck::app::effect::Effect;
use reportdeck::app::message::Message;
use reportdeck::app::overlays::form::secret_input::SecretInput;
use reportdeck::domain::bulk::BulkOperation;
use reportdeck::domain::report::privacy::Privacy;
use reportdeck::domain::report::{NewReport, ReportChange, ReportId};
use reportdeck::input::Input;
use serde_json::json;
use url::form_urlencoded;

use crate::faults::healthy_service::{KEY, brisk, client, healthy, list, person};
use crate::support::scripted_server::{Reply, ScriptedServer};

const PASSWORD: &str = "Pw7-secret-Pw7";

#[track_caller]
fn no_secret(text: &str) {
    let decoded: String = form_urlencoded::parse(text.replace('=', "%3D").as_bytes()).map(|(text, _)| text).collect();
    // The host of a URL is in lower case.
    let texts = [text, &decoded].map(str::to_lowercase);
    for secret in [KEY, PASSWORD] {
        assert!(!texts.iter().any(|text| text.contains(&secret.to_lowercase())), "{secret} is in {text}");
    }
}

/// Returns a body that repeats the key in another spelling.
fn repeated(spell: impl Fn(char) -> String) -> Reply {
    let key: String = KEY.chars().map(spell).collect();
    let row = format!("{{\"id\":3,\"url\":\"x.example/{key}\",\"project\":\"{key}\",\"note\":{{\"{key}\":1}}}}");
    Reply::Full(200, vec!["Content-Type: application/json".into()], format!("{{\"data\":[{row}]}}").into_bytes())
}

fn replies() -> [Reply; 14] {
    [
        Reply::head(307, &[&format!("Location: /api/v1/reports?token={KEY}")]),
        Reply::Json(401, json!({"message": "No."})),
        Reply::Json(422, json!({"errors": {"password": ["No."]}})),
        Reply::Json(500, json!({})),
        Reply::html(200, "Hello"),
        Reply::Reset,
        Reply::head(302, &["Location: https://elsewhere.example/"]),
        Reply::head(302, &[&format!("Location: https://{KEY}.example/")]),
        Reply::head(302, &["Location: /login"]),
        Reply::Json(200, json!({"data": {"id": 3, "url": "x.example", "password": PASSWORD}})),
        repeated(|character| format!("\\u{:04x}", character as u32)),
        repeated(|character| format!("%{:02x}", character as u32)),
        repeated(|character| if character == '-' { "%2D".to_owned() } else { character.to_string() }),
        Reply::Json(500, json!({"message": format!("key {KEY} is odd")})),
    ]
}

#[tokio::test]
async fn no_exchange_failure_or_report_contains_a_secret() {
    for reply in replies() {
        let service = ScriptedServer::start(move |_| reply.clone()).await;
        let (client, exchanges) = client(&service, brisk());
        let id = ReportId::new("3");
        let new =
            NewReport { url: "x.example".into(), privacy: Some(Privacy::Password), password: Some(PASSWORD.into()) };
        let change = ReportChange { privacy: None, password: Some(PASSWORD.into()), rerun: false };
        no_secret(&format!("{new:?} {change:?}"));
        no_secret(&format!("{:?}", list(&client).await));
        no_secret(&format!("{:?}", client.show_report(&id).await));
        no_secret(&format!("{:?}", client.create_report(&new).await));
        no_secret(&format!("{:?}", client.update_report(&id, &change).await));
        no_secret(&format!("{:?}", client.delete_report(&id).await));
        no_secret(&format!("{:?}", exchanges.lock().unwrap()));
        assert!(service.asked()[..1].iter().all(|asked| !asked.target.contains(KEY)));
    }
}

#[test]
fn no_debug_output_of_messages_effects_or_actions_contains_a_secret() {
    let texts = [
        format!("{:?}", Message::Password(PASSWORD.into())),
        format!("{:?}", Message::Input(Input::Paste(PASSWORD.to_owned()))),
        format!("{:?}", Effect::UseKey(KEY.into())),
        format!("{:?}", BulkOperation::Privacy { privacy: Privacy::Password, password: Some(PASSWORD.into()) }),
        format!("{:?}", SecretInput::with(PASSWORD)),
    ];
    for text in texts {
        no_secret(&text);
    }
}

#[tokio::test]
async fn no_screen_or_debug_output_contains_a_secret() {
    for reply in replies() {
        let service = ScriptedServer::start(healthy).await;
        let mut person = person(&service).await;
        service.now(move |_| reply.clone());
        for keys in ["r", "n 'x.example/new' tab right right tab", "ctrl+s", "esc @", "esc K"] {
            person.press(keys).await;
            if keys.starts_with('n') {
                person.paste(PASSWORD).await;
            }
            if keys == "esc K" {
                person.paste(KEY).await;
            }
            no_secret(&person.screen());
            no_secret(&format!("{:?}", person.session.app()));
        }
        person.press("enter").await;
        no_secret(&person.screen());
    }
}

#[tokio::test]
async fn a_key_echoed_by_the_service_is_not_shown() {
    let service = ScriptedServer::start(|asked| {
        let texts = asked.head.lines().find(|line| line.starts_with("authorization")).unwrap_or_default().to_owned();
        Reply::Json(401, json!({"message": texts, "errors": {"key": [texts]}}))
    })
    .await;
    let mut person = person(&service).await;
    person.press("t n 'x.example' ctrl+s").await;
    no_secret(&person.screen());
    no_secret(&format!("{:?}", person.session.app()));
    no_secret(&format!("{:?}", list(&client(&service, brisk()).0).await));
}

#[tokio::test]
async fn a_password_that_is_part_of_an_address_leaves_the_saved_report_as_it_is() {
    let url = format!("https://x.example/{PASSWORD}");
    let saved = json!({"data": {"id": 3, "url": &url}});
    let service = ScriptedServer::start(move |_| Reply::Json(200, saved.clone())).await;
    let new = NewReport { url: url.clone(), privacy: Some(Privacy::Password), password: Some(PASSWORD.into()) };
    assert_eq!(client(&service, brisk()).0.create_report(&new).await.unwrap().url.to_string(), url);
}

#[tokio::test]
async fn a_password_echoed_by_the_service_is_not_shown() {
    let service = ScriptedServer::start(healthy).await;
    let mut person = person(&service).await;
    service.now(|asked| {
        Reply::Json(422, json!({"message": "Refused.", "errors": {"password": [format!("Not {}", asked.body)]}}))
    });
    person.press("n 'x.example/new' tab right right tab").await;
    person.paste(PASSWORD).await;
    person.press("ctrl+s").await;
    assert!(person.screen().contains("Not url="), "{}", person.screen());
    no_secret(&person.screen());
    no_secret(&format!("{:?}", person.session.app()));
}
