//! Scripts of keys through all layers: keys → update → HTTP → SQLite → screen.

mod cached_rows;
mod connections;
mod desk;
mod failing_desk;
mod hand_over;
mod history;
mod key_counts;
mod plain_service;
mod plain_service_screens;
mod stored_choices;
mod team_services;
mod triage;

use std::sync::atomic::Ordering;

use reportdeck::domain::report::ReportId;
use reportdeck::domain::report::privacy::Privacy;
use reqwest::Method;

use crate::support::embedded_service::{KEY, Running};
use crate::support::session::Person;

/// A service with these reports, and a dashboard on it.
async fn with_reports(urls: &[&str]) -> (Running, tempfile::TempDir, Person) {
    let (running, data) = Running::start().await;
    for url in urls {
        running.client.create(url).await;
    }
    let person = Person::at(&running.service.base_url(), KEY).await;
    (running, data, person)
}

const THREE: [&str; 3] =
    ["https://shop.example/tea?score=90", "https://shop.example/cart?score=31", "https://blog.example/?score=60"];

#[tokio::test]
async fn without_a_clipboard_a_copy_is_a_file_readable_only_by_its_owner() {
    let (running, _data, _) = with_reports(&THREE[..1]).await;
    let state = tempfile::tempdir().unwrap();
    let journal = state.path().join("journal.sqlite");
    let mut person = Person::with_journal(&journal, &running.service.base_url(), KEY).await;
    person.press("Y").await;
    person.sees(&["No clipboard here: written to"]);
    assert_eq!(std::fs::read_to_string(state.path().join("copied.txt")).unwrap(), THREE[0]);
    // The embedded service has report pages.
    person.press("y G enter").await;
    let page = std::fs::read_to_string(state.path().join("copied.txt")).unwrap();
    assert!(page.starts_with("http://127.0.0.1:") && page.contains("/reports/1"), "{page}");
}

#[tokio::test]
async fn a_generated_password_is_copied_into_no_file() {
    let (running, _data, _) = with_reports(&THREE[..1]).await;
    let state = tempfile::tempdir().unwrap();
    let journal = state.path().join("journal.sqlite");
    let mut person = Person::with_journal(&journal, &running.service.base_url(), KEY).await;
    person.press("e right right tab ctrl+g ctrl+y").await;
    person.sees(&["No clipboard here: the password was not copied"]);
    assert!(!state.path().join("copied.txt").exists());
    person.press("ctrl+s").await;
    person.sees(&["privacy    password, a password is set"]);
}

#[tokio::test]
async fn a_message_uses_the_custom_template_and_an_invalid_template_writes_nothing() {
    let (running, _data, _) = with_reports(&THREE[..2]).await;
    let folder = tempfile::tempdir().unwrap();
    let mut person = Person::exporting_into(folder.path(), &running.service.base_url(), KEY).await;
    let template = folder.path().join("message.txt");
    std::fs::write(&template, "{{ count }} Seiten:\n{% for report in reports %}\n{{ report.ulr }}\n{% endfor %}\n")
        .unwrap();
    person.press("space space y j j j j enter j enter").await;
    person.sees(&[
        "message.txt, line 3: there is no report.ulr; did you mean report.url?",
        "Nothing was copied or written",
    ]);
    let messages = || {
        let files = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|path| path.to_string_lossy().contains("message-")).collect::<Vec<_>>()
    };
    assert!(messages().is_empty());
    std::fs::write(&template, "{{ count }} Seiten:\n{% for report in reports %}\n{{ report.url }}\n{% endfor %}\n")
        .unwrap();
    person.press("y j j j j enter j enter").await;
    person.sees(&["Message about 2 reports → ", "message-"]);
    let text = std::fs::read_to_string(&messages()[0]).unwrap();
    let [tea, cart] = [THREE[0], THREE[1]];
    assert_eq!(text, format!("2 Seiten:\n{cart}\n{tea}\n"));
}

#[tokio::test]
async fn without_a_desktop_the_url_is_shown_instead_of_opened() {
    let (_running, _data, mut person) = with_reports(&THREE[..1]).await;
    person.press("o").await;
    person.sees(&["No desktop here: press ctrl+t, then select https://shop.example/tea?score=90"]);
    person.press("ctrl+t").await;
    person.sees(&["then select https://shop.example/tea?score=90"]);
}

#[tokio::test]
async fn a_report_is_created_protected_re_run_and_deleted() {
    let (running, _data, mut person) = with_reports(&[]).await;
    person.sees(&["No reports yet.", "n creates one"]);
    person.press("n 'https://shop.example/tea?score=31' ctrl+s").await;
    person.sees(&["✗ bad     31 shop.example/tea", "Projects 1", "shop.example", "Failed 1", "The title is missing."]);

    person.press("e right right tab 'opensesame' ctrl+s").await;
    person.sees(&["password, a password is set", "→ password"]).misses(&["opensesame"]);
    person.press("e left left ctrl+s").await;
    person.sees(&["privacy    public"]);

    running.script.score.store(95, Ordering::SeqCst);
    person.press("t").await;
    person.sees(&["bad 31 → bad 31"]);

    person.press("D").await;
    person.sees(&["Delete report 1?", "https://shop.example/tea?score=31", "[ Cancel ]"]);
    person.press("enter").await;
    person.sees(&["shop.example/tea"]);
    person.press("D D y").await;
    person.sees(&["No reports yet.", "was deleted", "Projects 0"]);
    assert!(running.client.get("/api/v1/reports").await.data().is_empty());
}

#[tokio::test]
async fn a_form_is_never_lost() {
    let (running, _data, mut person) = with_reports(&[]).await;
    person.press("n 'https://refused.example/' ctrl+s").await;
    person.sees(&["New report", "refused.example", "! This address may not be fetched."]);
    person.press("esc").await;
    person.sees(&["Draft saved"]).misses(&["New report"]);
    person.press("n").await;
    person.sees(&["https://refused.example/", "your draft"]);
    person.press("ctrl+x").await;
    person.sees(&["Discard draft"]);
    person.press("y n").await;
    person.misses(&["refused.example"]);
    person.press("esc n").await;
    person.paste("https://a.example/\nhttps://b.example/\n").await;
    person.sees(&["https://a.example/⏎https://b.example/", "2 pages: a report each", "[ Audit all ]"]);
    assert_eq!(running.script.begun.load(Ordering::SeqCst), 1, "only the rejected request was sent");
    person.press("ctrl+s").await;
    person.sees(&["2 reports created", "a.example", "b.example"]).misses(&["New report"]);
    person.press("n").await;
    person
        .paste(
            "https://refused.example/
https://c.example/",
        )
        .await;
    person.press("ctrl+s").await;
    person.sees(&["1 report created, 1 rejected", "! https://refused.example/: This address may not be fetched."]);
}

#[tokio::test]
async fn drafts_survive_a_restart_without_their_password() {
    let (running, data) = Running::start().await;
    let journal = data.path().join("journal.sqlite");
    let mut person = Person::with_journal(&journal, &running.service.base_url(), KEY).await;
    person.press("n 'https://shop.example/draft' tab right right tab 'topsecret' ctrl+c").await;
    assert!(person.session.is_over());
    person.session.finish().await;
    let kept: Vec<u8> = std::fs::read_dir(data.path())
        .unwrap()
        .flat_map(|entry| std::fs::read(entry.unwrap().path()).unwrap_or_default())
        .collect();
    assert!(!String::from_utf8_lossy(&kept).contains("topsecret"));
    let mut person = Person::with_journal(&journal, &running.service.base_url(), KEY).await;
    person.press("n").await;
    person.sees(&["https://shop.example/draft", "(•) password", "your draft"]);
}

#[tokio::test]
async fn a_filter_narrows_the_rows_queries_the_service_and_is_cleared() {
    let (_running, _data, mut person) = with_reports(&THREE).await;
    person.sees(&["Reports 3", "3 reports"]);
    person.press("b").await;
    person.sees(&["result:bad", "showing 1 of 3", "shop.example/cart"]).misses(&["blog.example/?"]);
    person.press("b").await;
    person.sees(&["result:decent", "blog.example/?score=60"]).misses(&["shop.example/cart"]);
    person.press("b b").await;
    person.sees(&["3 reports"]);
    person.press("/ 'tea score:>50' enter").await;
    person.sees(&["tea score:>50", "showing 1 of 3", "shop.example/tea"]);
    person.press("esc").await;
    person.sees(&["3 reports"]);
    person.press("/ 'nothing.like.this'").await;
    person.sees(&["None of the 3 loaded reports matches the filter.", "Esc clears the filter"]);
    person.press("esc esc").await;
    person.sees(&["3 reports"]);
}

#[tokio::test]
async fn the_row_under_the_cursor_supplies_values_to_keep_or_exclude() {
    let (_running, _data, mut person) = with_reports(&THREE).await;
    person.press("= enter").await;
    person.sees(&["result:decent", "showing 1 of 3"]);
    person.press("esc - enter").await;
    person.sees(&["!result:decent", "showing 2 of 3"]);
    person.press("esc 1 j =").await;
    person.sees(&["project:\"blog.example\"", "showing 1 of 3"]);
}

#[tokio::test]
async fn reports_that_a_refresh_brings_above_the_screen_are_announced() {
    let urls: Vec<String> = (0..60).map(|number| format!("https://shop.example/page-{number}")).collect();
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    let (running, _data, mut person) = with_reports(&urls).await;
    person.press("G").await;
    for page in ["new-1", "new-2"] {
        running.client.create(&format!("https://shop.example/{page}")).await;
    }
    person.press("r").await;
    person.sees(&["2 new above (g goes there)", "page-0"]);
    person.press("g").await;
    person.sees(&["new-2", "new-1"]).misses(&["new above"]);
}

#[tokio::test]
async fn a_project_scopes_the_reports_and_is_deleted_by_its_typed_name() {
    let (running, _data, mut person) = with_reports(&THREE).await;
    person.press("1 j j enter").await;
    person.sees(&["Reports 2 · shop.example", "/tea?score=90"]).misses(&["blog.example/?"]);
    person.press("1 D 'shop.exampl' enter").await;
    assert_eq!(running.client.get("/api/v1/reports").await.ids().len(), 3, "a partly typed name deletes nothing");
    person.press("e enter").await;
    person.sees(&["Projects 1", "Reports 1", "blog.example/?score=60"]);
    assert_eq!(running.client.get("/api/v1/reports").await.ids().len(), 1);
}

#[tokio::test]
async fn rows_are_sorted_by_menu_and_reversed() {
    let (_running, _data, mut person) = with_reports(&THREE).await;
    person.press("s home enter").await;
    person.sees(&["· result ↑"]);
    let first = |person: &Person| person.session.app().reports.shown_row(0).unwrap().short_url().to_owned();
    assert_eq!(first(&person), "shop.example/cart?score=31");
    person.press("S").await;
    person.sees(&["· result ↓"]);
    assert_eq!(first(&person), "shop.example/tea?score=90");
}

#[tokio::test]
async fn help_is_searchable_and_runs_the_picked_action() {
    let (_running, _data, mut person) = with_reports(&THREE).await;
    person.press("? 'full screen' enter").await;
    assert!(person.session.app().screen.whole_screen);
    person.press("esc : 'q'").await;
    person.sees(&["Commands"]);
    person.press("esc").await;
    assert!(!person.session.is_over(), "letters in the search are text");
    person.press("1 ? 're-run'").await;
    person.sees(&["Not now: `All` is not a project"]);
}

#[tokio::test]
async fn the_activity_list_shows_requests_without_the_key() {
    let (_running, _data, mut person) = with_reports(&THREE).await;
    person.press("@ @").await;
    person.sees(&["GET    /api/v1/reports", "200", "Bearer ••••"]).misses(&[KEY]);
    person.press("/ '200 get reports'").await;
    person.sees(&["1 of 2 hits"]);
    person.press("' nowhere'").await;
    person.sees(&["0 hits"]);
}

#[tokio::test]
async fn quitting_waits_for_a_write_and_shows_it() {
    let (running, _data, mut person) = with_reports(&[]).await;
    for character in ["n", "s", "l", "o", "w", ".", "e", "x", "a", "m", "p", "l", "e", "ctrl+s", "esc", "q"] {
        person.key(character);
    }
    person.sees(&["Quitting after auditing slow.example"]);
    assert!(!person.session.is_over());
    running.script.end.add_permits(1);
    while !person.session.is_over() {
        let message = person.session.next_message().await;
        person.session.handle(message);
    }
    assert_eq!(running.client.get("/api/v1/reports").await.ids().len(), 1);
}

#[tokio::test]
async fn escape_goes_back_step_by_step_and_never_quits() {
    let (_running, _data, mut person) = with_reports(&THREE).await;
    person.press("b enter f ? esc").await;
    assert!(person.session.app().screen.whole_screen);
    person.press("esc esc esc esc esc esc").await;
    let app = person.session.app();
    assert!(!app.screen.whole_screen && app.reports.filter_line.value().is_empty() && !person.session.is_over());
    assert_eq!(app.screen.focus, reportdeck::app::frame_layout::Pane::Reports);
}

#[tokio::test]
async fn a_read_only_session_explains_why_it_does_not_write() {
    let (running, _data) = Running::start().await;
    running.client.create(THREE[0]).await;
    let mut person = Person::read_only(&running.service.base_url(), KEY).await;
    for key in ["n", "e", "t", "D"] {
        person.press(key).await;
        person.sees(&["This session is read-only"]);
        assert!(person.session.app().overlays.is_empty(), "{key}");
    }
}

#[tokio::test]
async fn shown_rows_are_exported_and_no_file_is_overwritten() {
    let (running, _data, _) = with_reports(&THREE).await;
    let directory = tempfile::tempdir().unwrap();
    let mut person = Person::exporting_into(directory.path(), &running.service.base_url(), KEY).await;
    person.press("ctrl+s").await;
    person.sees(&["Export 3 shown reports", "CSV", "JSON", "Markdown", "HTML"]);
    person.press("enter").await;
    person.sees(&["3 reports, ", " columns → "]);
    person.press("g space ctrl+s").await;
    person.sees(&["Export 1 marked report "]);
    person.press("enter ctrl+s j enter").await;
    person.sees(&["1 report, ", "reports-", ".json"]);
    let mut files: Vec<_> = std::fs::read_dir(directory.path())
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    files.sort_by_key(String::len);
    files.retain(|text| !text.trim_start().starts_with('['));
    assert_eq!(files.len(), 2, "the marked report is in its own file");
    assert_eq!([files[0].lines().count(), files[1].lines().count()], [2, 4]);
    assert!(files[0].starts_with("result,score,url,"), "{}", files[0]);
    for url in THREE {
        assert!(files[1].contains(url), "{url} is complete in {}", files[1]);
    }
}

#[tokio::test]
async fn an_unwritable_export_directory_is_reported_with_advice() {
    let (running, _data, _) = with_reports(&THREE).await;
    let directory = tempfile::tempdir().unwrap();
    let gone = directory.path().join("gone");
    let mut person = Person::exporting_into(&gone, &running.service.base_url(), KEY).await;
    person.press("ctrl+s enter").await;
    person.sees(&["No file could be created in", "not found", "Start reportdeck in a directory"]);
    assert!(!gone.exists());
}

#[tokio::test]
async fn a_change_of_many_settings_leaves_reports_that_someone_else_has_protected_since() {
    let (running, _data, _) = with_reports(&THREE).await;
    let set = async |id: u8, form: &[(&str, &str)]| {
        running.client.send(Method::PUT, &format!("/api/v1/reports/{id}"), form).await.expect(200);
    };
    for id in 1..=3 {
        set(id, &[("privacy", "1")]).await;
    }
    let mut person = Person::at(&running.service.base_url(), KEY).await;
    person.press("V x").await;
    person.sees(&["make public 3 marked reports"]);
    person.press("j enter").await;
    person.sees(&["private", "public"]);
    // A colleague, while the plan is on the screen. The same setting as the planned one is no conflict.
    set(2, &[("privacy", "2"), ("password", "opensesame")]).await;
    set(3, &[("privacy", "0")]).await;
    person.press("y").await;
    person.sees(&["make public: 2 done, 1 skipped", "was set to password meanwhile", "is already public"]);
    let privacy =
        async |id: u8| running.client.get(&format!("/api/v1/reports/{id}")).await.body["data"]["privacy"].clone();
    assert_eq!([privacy(1).await, privacy(2).await, privacy(3).await], [0, 2, 0]);
    person.press("esc").await;
    let report = person.session.app().reports.listing.row(&ReportId::new("2"));
    assert_eq!(report.unwrap().privacy, Some(Privacy::Password), "the list shows the colleague's setting");
}

#[tokio::test]
async fn a_run_that_set_privacy_is_undone_and_redone_by_runs_that_leave_what_someone_else_has_set_since() {
    let (running, _data, _) = with_reports(&THREE).await;
    let set = async |id: u8, form: &[(&str, &str)]| {
        running.client.send(Method::PUT, &format!("/api/v1/reports/{id}"), form).await.expect(200);
    };
    let all = async || {
        let mut settings = Vec::new();
        for id in 1..=3 {
            let report = running.client.get(&format!("/api/v1/reports/{id}")).await;
            settings.push(report.body["data"]["privacy"].as_i64().unwrap());
        }
        settings
    };
    set(1, &[("privacy", "2"), ("password", "opensesame")]).await;
    let mut person = Person::at(&running.service.base_url(), KEY).await;
    person.press("V x").await;
    person.sees(&["make private 3 marked reports"]);
    person.press("j j enter y").await;
    person.sees(&["make private: 3 done", "u undoes"]);
    assert_eq!(all().await, [1, 1, 1]);
    // One plan for each earlier setting, the last first. Esc leaves the step.
    person.press("u").await;
    person.sees(&["Password-protect 1 report?", "private → password"]);
    person.press("esc u y").await;
    person.sees(&["password-protect: 1 done"]);
    assert_eq!(all().await, [2, 1, 1]);
    // A colleague, while the second plan is on the screen.
    person.press("u").await;
    person.sees(&["Make public 2 reports?", "private → public"]);
    set(3, &[("privacy", "2"), ("password", "opensesame")]).await;
    person.press("y").await;
    person.sees(&["make public: 1 done, 1 skipped", "was set to password meanwhile"]);
    assert_eq!(all().await, [2, 0, 2]);
    // Redo has the same plans, in reverse.
    person.press("esc U").await;
    person.sees(&["Make private 1 report?", "public → private"]);
    person.press("y esc U y").await;
    person.sees(&["make private: 1 done"]);
    assert_eq!(all().await, [1, 1, 2]);
    // What was changed since, as the list knows, stays.
    person.press("esc").await;
    set(1, &[("privacy", "0")]).await;
    set(2, &[("privacy", "0")]).await;
    person.press("r u").await;
    person.sees(&["Not undone: these reports were deleted, or set to another privacy since"]);
    assert_eq!(all().await, [0, 0, 2]);
}
