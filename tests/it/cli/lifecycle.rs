//! Reports and projects of the embedded service from creation to deletion.

use std::io::Write as _;

use serde_json::{Value, json};

use crate::support::cli_user::{CliUser, page};
use crate::support::scripted_server::{Reply, ScriptedServer};

#[test]
fn a_report_is_created_listed_shown_changed_and_deleted() {
    let (person, page) = (CliUser::new(), page());
    let urls = [format!("{page}/green"), format!("{page}/black")];
    let created = person.run(&["reports", "create", &urls[0], &urls[1]]);
    assert_eq!((created.code, created.error.as_str()), (0, ""), "{created:?}");
    let created = created.records();
    assert_eq!(created.iter().map(|report| report["url"].as_str().unwrap()).collect::<Vec<_>>(), urls);
    let id = created[0]["id"].as_str().unwrap();

    let listed = person.run(&["reports", "list", "--format", "json"]);
    let list: Value = serde_json::from_str(&listed.out).unwrap();
    assert_eq!(list.as_array().unwrap().len(), 2);
    assert_eq!((&list[0]["id"], &list[0]["privacy"]), (&json!(id), &json!("public")));
    assert_eq!(list[0].get("checks"), None, "our lists contain no checks");
    assert!(list[0]["failed"].as_array().unwrap().contains(&json!("meta_description")), "{list}");
    assert_eq!(person.run(&["reports", "list", "--limit", "1"]).records().len(), 1);
    assert_eq!(person.run(&["reports", "list", "--search", "green"]).records().len(), 1);
    assert_eq!(person.run(&["reports", "list", "--result", "good"]).out, "");

    let shown = person.run(&["reports", "show", id]);
    let checks = shown.records()[0]["checks"].clone();
    assert!(checks.as_array().unwrap().iter().any(|check| check["id"] == "title" && check["category"] == "seo"));
    let table = person.run(&["reports", "show", id, "--format", "table"]).out;
    assert!(table.find("✗ meta_description") < table.find("passed,"), "{table}");

    let hushed =
        person.run_with(&["reports", "update", id, "--privacy", "password", "--password-stdin", "--rerun"], "hush\n");
    assert_eq!(hushed.code, 0, "{hushed:?}");
    let hushed = &hushed.records()[0];
    assert_eq!((&hushed["privacy"], &hushed["has_password"]), (&json!("password"), &json!(true)));

    let projects = person.run(&["projects", "list"]).records();
    assert_eq!((&projects[0]["project"], &projects[0]["reports"]), (&json!("127.0.0.1"), &json!(2)));
    assert_eq!(person.run(&["reports", "delete", id, "--yes"]).records(), [json!({ "id": id, "deleted": true })]);
    assert_eq!(person.run(&["reports", "show", id]).code, 3);
    assert_eq!(person.run(&["projects", "delete", "127.0.0.1", "--yes"]).code, 0);
    let empty = person.run(&["reports", "list", "--format", "json"]);
    assert_eq!((empty.code, empty.out.as_str()), (0, "[]\n"));
}

#[test]
fn data_is_stored_in_the_given_directory() {
    let (person, page) = (CliUser::new(), page());
    let data = person.home().join("elsewhere");
    let data = data.to_str().unwrap();
    assert_eq!(person.run(&["--data", data, "reports", "create", &page]).code, 0);
    assert_eq!(person.run(&["reports", "list", "--data", data]).records().len(), 1);
    assert_eq!(person.run(&["reports", "list"]).records().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn audit_says_who_has_to_act_if_a_page_cannot_be_fetched() {
    let circle = ScriptedServer::start(|asked| Reply::head(302, &[&format!("location: {}?", asked.path())])).await;
    let circle = circle.base.clone();
    let person = CliUser::new();
    for (url, advice) in [
        (circle.as_str(), "The site's host must fix the server's redirects or responses\n"),
        ("http://127.0.0.1:1/", "Check its address and the network\n"),
    ] {
        let output = person.run(&["audit", url]);
        assert!(output.code == 6 && output.error.contains(advice), "{output:?}");
    }
}

#[test]
fn audit_prints_a_report_without_an_id_and_stores_nothing() {
    let (person, page) = (CliUser::new(), page());
    let audit = person.run(&["audit", &page, "--format", "json"]);
    let report: Value = serde_json::from_str(&audit.out).unwrap();
    let verdict = format!("audited 1 page: {} {}\n", report["result"].as_str().unwrap(), report["score"]);
    assert_eq!((audit.code, audit.error), (0, verdict));
    assert_eq!((&report["id"], &report["project"]), (&Value::Null, &json!("127.0.0.1")));
    assert!(report["checks"].as_array().unwrap().len() > 20);
    assert_eq!(std::fs::read_dir(person.home()).unwrap().count(), 0);
    // An unreachable page is a failure, and its report says so.
    let unreachable = person.run(&["audit", "http://127.0.0.1:1/"]);
    assert_eq!((unreachable.code, &unreachable.records()[0]["result"]), (6, &json!("bad")));
    assert_eq!(unreachable.records()[0]["fetch_error"], "refused", "as in a stored report");
    assert_eq!(report.get("fetch_error"), None);
    assert!(unreachable.error.starts_with("error: the page could not be fetched"), "{unreachable:?}");
    assert_eq!(unreachable.problem()["failed"], json!(["http://127.0.0.1:1/"]));
    let some = person.run_with(&["audit", "-"], &format!("{page}/a\nhttp://127.0.0.1:1/\n{page}/b\n"));
    assert_eq!((some.code, some.records().len()), (7, 3), "{some:?}");
    assert!(
        some.error.contains("audited 3 pages: 0 good, ") && some.error.contains("(1 could not be fetched)"),
        "{some:?}"
    );
    let both = person.run(&["audit", &format!("{page}/a"), &format!("{page}/b"), "--format", "json"]);
    let both: Value = serde_json::from_str(&both.out).unwrap();
    assert_eq!(both.as_array().unwrap().len(), 2, "several pages give an array");
    let refused = person.run(&["audit", "ftp://shop.example/"]);
    assert_eq!((refused.code, &refused.problem()["kind"]), (5, &json!("invalid")));
}

#[test]
fn a_page_under_the_threshold_fails_the_audit() {
    let (person, page) = (CliUser::new(), page());
    let audited = person.run(&["audit", &page, "--format", "json"]);
    let report: Value = serde_json::from_str(&audited.out).unwrap();
    let (result, score) = (report["result"].as_str().unwrap(), report["score"].as_u64().unwrap());
    assert_eq!(result, "decent", "the cases below need a decent page");
    let unreachable = "http://127.0.0.1:1/";
    for (arguments, code) in [
        (vec!["--fail-on", "bad", &page], 0),
        (vec!["--fail-on", "decent", &page], 8),
        (vec!["--fail-under", &score.to_string(), &page], 0),
        (vec!["--fail-under", &(score + 1).to_string(), &page], 8),
        (vec!["--fail-on", "bad", &page, unreachable], 8),
        (vec!["--fail-under", "1", unreachable], 8),
        (vec!["--fail-under", "0", unreachable], 0),
        // A response that is not a page is invalid input, not a bad page.
        (vec!["--fail-on", "bad", "ftp://shop.example/"], 5),
        (vec!["--fail-on", "bad", &page, "ftp://shop.example/"], 7),
        // That a page is below the threshold holds whatever happened to the others.
        (vec!["--fail-on", "decent", &page, "ftp://shop.example/"], 8),
        (vec!["--fail-on", "good", &page], 2),
        (vec!["--fail-under", "101", &page], 2),
    ] {
        let output = person.run(&[&["audit"], &arguments[..]].concat());
        assert_eq!(output.code, code, "{arguments:?}: {output:?}");
    }
    let output = person.run(&["audit", "--fail-on", "bad", &page, unreachable]);
    assert!(output.error.contains("below the threshold: http://127.0.0.1:1/: could not be fetched: "), "{output:?}");
    assert!(output.error.contains("error: 1 of 2 pages below the threshold"), "{output:?}");
    let problem = output.problem();
    assert_eq!((&problem["kind"], &problem["failed"]), (&json!("threshold"), &json!([unreachable])));
    // Pages that could not be audited are named too.
    assert_eq!(person.run_with(&["audit", "-"], "\n").code, 0);
    let output = person.run_with(&["audit", "--fail-under", "1", "-"], "\n");
    assert_eq!(output.code, 2, "a deployment is not checked without pages: {output:?}");
    let output = person.run(&["audit", "--fail-on", "decent", "ftp://shop.example/", &page]);
    assert!(output.error.contains("error: 1 of 2 failed"), "{output:?}");
    assert!(output.error.contains("error: 1 of 1 page below the threshold"), "{output:?}");
    assert_eq!(output.problem()["failed"], json!(["ftp://shop.example/", page]), "{output:?}");
}

#[test]
fn an_audit_ends_with_its_reader_but_a_threshold_is_about_all_pages() {
    let (person, page) = (CliUser::new(), page());
    let pages = ["a", "b", "c", "d"].map(|path| format!("{page}/{path}"));
    let audited = |options: &[&str]| {
        let (reader, mut writer) = std::io::pipe().unwrap();
        drop(reader);
        // A process that another test starts at this moment also holds the reader until it runs its program.
        while writer.write_all(b"\n").is_ok() {}
        let mut command = person.command(&[&["audit"], options].concat());
        let output = command.args(&pages).stdout(writer).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(audited(&[]), (Some(0), String::new()));
    let (code, error) = audited(&["--fail-on", "bad"]);
    assert_eq!(code, Some(7), "{error}");
    assert!(error.starts_with("error: 3 of 4 not sent\n"), "{error}");
}

#[test]
fn a_report_of_an_unreachable_page_names_the_error() {
    let output = CliUser::new().run(&["reports", "create", "http://127.0.0.1:1/"]);
    assert_eq!((output.code, output.records().len()), (0, 1), "{output:?}");
    assert!(output.error.starts_with("warning: http://127.0.0.1:1/: the page could not be fetched"), "{output:?}");
}

#[test]
fn deleting_without_a_terminal_requires_yes() {
    let person = CliUser::new();
    for arguments in [["reports", "delete", "1"], ["projects", "delete", "shop.example"]] {
        let output = person.run(&arguments);
        assert_eq!((output.code, output.out.as_str()), (2, ""));
        assert!(output.error.lines().next().unwrap().contains("Add --yes"), "{output:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_deletion_in_a_terminal_needs_a_yes() {
    let service = ScriptedServer::start(|asked| match asked.method.as_str() {
        "DELETE" => Reply::Json(200, json!({ "deleted": true })),
        _ => Reply::Json(404, json!({})),
    })
    .await;
    let person = CliUser::with_service(&service.base);
    let ids: &[&str] = &["reports", "delete", "7", "8"];
    let name: &[&str] = &["projects", "delete", "shop.example"];
    for (arguments, what, answer, code, deletions) in [
        (ids, "Delete 2 reports (7, 8)? This cannot be undone. [y/N]", "\r", 1, 0),
        (ids, "Delete 2 reports (7, 8)?", "no\r", 1, 0),
        // The end of the input.
        (ids, "Delete 2 reports (7, 8)?", "\u{4}", 1, 0),
        (ids, "Delete 2 reports (7, 8)?", "y\r", 0, 2),
        (name, "Delete project shop.example with all its reports?", "\r", 1, 0),
        (name, "Delete project shop.example with all its reports?", " YES \r", 0, 1),
    ] {
        let before = service.asked().iter().filter(|asked| asked.method == "DELETE").count();
        let mut running = person.terminal(arguments);
        running.wait_for(what);
        running.send(answer);
        if code != 0 {
            running.wait_for("\nerror: nothing was deleted");
        }
        assert_eq!(running.wait().exit_code(), code, "{what} {answer:?}");
        let after = service.asked().iter().filter(|asked| asked.method == "DELETE").count();
        assert_eq!(after - before, deletions, "{what} {answer:?}");
    }
}

#[test]
fn a_read_only_profile_changes_nothing() {
    let (person, page) = (CliUser::new(), page());
    for arguments in [
        &["--read-only", "reports", "create", page.as_str()][..],
        &["reports", "update", "1", "--rerun", "--read-only"],
        &["reports", "delete", "1", "--yes", "--read-only"],
        &["projects", "delete", "x", "--yes", "--read-only"],
        &["keys", "revoke", "x", "--read-only"],
    ] {
        let output = person.run(arguments);
        assert_eq!(output.code, 2, "{arguments:?}");
        assert!(output.error.contains("only reading is allowed"), "{output:?}");
    }
    assert_eq!(person.run(&["reports", "list", "--read-only"]).out, "");
}
