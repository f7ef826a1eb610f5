//! `serve`, `keys` and `doctor` on a PostgreSQL database.

use reqwest::Method;

use crate::support::cli_user::{CliUser, page};
use crate::support::postgres;
use crate::support::serve_process::{Caller, Serving, database_of, key_of};

/// Commands that need an existing database.
const NEED_DATABASE: [&[&str]; 6] = [
    &["keys", "list"],
    &["keys", "people"],
    &["keys", "revoke", "team"],
    &["keys", "person", "anna", "--name", "Anna"],
    &["serve", "--listen", "127.0.0.1:0"],
    &["worker"],
];

#[tokio::test]
async fn several_instances_share_a_home_and_a_database() {
    if !postgres::is_there() {
        return;
    }
    let url = postgres::new_database().await;
    let person = CliUser::new().with("REPORTDECK_DATABASE_URL", &url);
    person.configure("[serve]\nlisten = \"127.0.0.1:0\"\naudit_allow = [\"127.0.0.1\"]\n");
    let found = |output: &crate::support::cli_user::CommandOutput| {
        output.records().into_iter().find(|row| row["check"] == "database").unwrap_or_else(|| panic!("{output:?}"))
    };
    let looked = person.run(&["doctor"]);
    assert!(found(&looked)["found"].as_str().unwrap().ends_with("no tables yet"), "{looked:?}");
    let refused = person.run(&["serve"]);
    assert!(refused.code == 1 && refused.error.contains("`keys create` creates one"), "{refused:?}");
    let key = key_of(&person);
    let services = [Serving::of(person.command(&["serve"])), Serving::of(person.command(&["serve"]))];
    let callers = services.each_ref().map(|service| Caller::new(&service.base_url, &key));
    let created = callers[0].request(Method::POST, "").form(&[("url", page())]);
    let (status, created) = Caller::answered(created).await.unwrap();
    assert_eq!(status, 201, "{created}");
    let path = format!("/{}", created["data"]["id"]);
    let (status, _) = Caller::answered(callers[1].request(Method::GET, &path)).await.unwrap();
    assert_eq!(status, 200, "the other instance lists it");
    let http = reqwest::Client::builder().tls_certs_only([]).no_proxy().build().unwrap();
    let metrics = http.get(format!("{}/metrics", services[1].base_url)).bearer_auth(&key).send().await.unwrap();
    assert!(metrics.text().await.unwrap().contains("reportdeck_reports"));
    let looked = person.run(&["doctor"]);
    assert_eq!(looked.code, 0, "{looked:?}");
    assert!(found(&looked)["found"].as_str().unwrap().contains("PostgreSQL"), "{looked:?}");
    assert!(!database_of(&person).exists(), "the data directory stays empty");
    assert_eq!(person.run(&["keys", "revoke", "team"]).code, 0);
    let (status, _) = Caller::answered(callers[0].request(Method::GET, &path)).await.unwrap();
    assert_eq!(status, 401);
}

#[tokio::test]
async fn a_mistyped_database_is_not_an_empty_list_of_keys() {
    if !postgres::is_there() {
        return;
    }
    let url = postgres::new_database().await;
    let person = CliUser::new().with("REPORTDECK_DATABASE_URL", &url);
    for command in NEED_DATABASE {
        let output = person.run(command);
        assert_eq!((output.code, output.out.as_str()), (1, ""), "{command:?}");
        assert!(output.error.contains("there is no database of reportdeck in"), "{output:?}");
    }
    let client = postgres::connect(&url).await;
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    assert_eq!(postgres::count(&client, tables).await, 0);
    assert_eq!(person.run(&["keys", "create", "team"]).code, 0);
    assert_eq!(person.run(&["keys", "list"]).records().len(), 1);
}

#[tokio::test]
async fn doctor_and_serve_refuse_the_same_databases() {
    if !postgres::is_there() {
        return;
    }
    let (foreign, newer, latin) =
        (postgres::new_database().await, postgres::new_database().await, postgres::new_database().await);
    postgres::sql(&foreign, "CREATE TABLE reports (pages text)").await;
    CliUser::new().with("REPORTDECK_DATABASE_URL", &newer).run(&["keys", "create", "team"]);
    postgres::sql(&newer, "UPDATE store_format SET version = 99, compatible_from = 99").await;
    let (server, name) = latin.rsplit_once('/').unwrap();
    let create = format!("CREATE DATABASE {name}_latin ENCODING LATIN1 LOCALE 'C' TEMPLATE template0");
    postgres::sql(&format!("{server}/postgres"), &create).await;
    for (url, expected) in [
        (foreign, "tables of another program with the same names. Create a separate database"),
        (newer, "was written by a newer reportdeck (its format is 99"),
        (format!("{latin}_latin"), "its encoding is not UTF8. Create it with: CREATE DATABASE"),
    ] {
        let person = CliUser::new().with("REPORTDECK_DATABASE_URL", &url);
        let looked = person.run(&["doctor"]);
        let records = looked.records();
        let database = records.iter().find(|row| row["check"] == "database").unwrap();
        let found = database["found"].as_str().unwrap();
        assert!(database["state"] == "failed" && found.contains(expected), "{looked:?}");
        assert_eq!(looked.code, 1, "{looked:?}");
        let served = person.run(&["serve", "--listen", "127.0.0.1:0"]);
        assert!(served.code == 1 && served.error.contains(expected), "{served:?}");
    }
}

#[cfg(feature = "postgres")]
#[test]
fn an_unreachable_database_has_the_exit_code_of_an_unreachable_service() {
    // Bound and closed again, so that nothing listens there.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("postgres://team:hunter2@127.0.0.1:{port}/reports?sslmode=disable");
    let person = CliUser::new().with("REPORTDECK_DATABASE_URL", &url);
    for command in NEED_DATABASE.into_iter().chain([&["keys", "create", "team"][..]]) {
        let output = person.run(command);
        assert_eq!((output.code, output.out.as_str()), (6, ""), "{command:?}: {output:?}");
        assert!(output.error.contains("and that its server is running"), "{output:?}");
        assert!(output.error.contains("\"kind\":\"unreachable\""), "{output:?}");
    }
}
