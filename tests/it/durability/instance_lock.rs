//! Several processes on one data directory: only a second `serve` is refused.

use reqwest::Method;

use crate::support::cli_user::{CliUser, page};
use crate::support::serve_process::{Caller, Serving, data_of, key_of};

#[tokio::test]
async fn a_second_serve_exits_and_other_commands_keep_working() {
    let person = CliUser::new();
    let key = key_of(&person);
    let serving = Serving::start(&person);
    let data = data_of(&person);
    let data = data.to_str().unwrap();

    let second = person.run(&["serve", "--listen", "127.0.0.1:0", "--data", data]);
    assert_eq!((second.code, second.out.as_str()), (1, ""));
    let expected = format!("error: another reportdeck already serves {data}. Stop it, or choose another directory");
    assert!(second.error.starts_with(&expected), "{second:?}");

    // Commands with their own embedded service, two of them concurrently with the running one.
    let created = person.run(&["reports", "create", &page(), "--data", data]);
    assert_eq!(created.code, 0, "{created:?}");
    let id = created.records()[0]["id"].as_str().unwrap().to_owned();
    let caller = Caller::new(&serving.base_url, &key);
    let change = caller.request(Method::PUT, &format!("/{id}")).form(&[("privacy", "1")]);
    let (status, _) = Caller::answered(change).await.unwrap();
    assert_eq!(status, 200, "reports created by a command are visible through the service");
    let listed = person.run(&["reports", "list", "--data", data]).records();
    assert_eq!((listed.len(), &listed[0]["privacy"]), (1, &"private".into()), "{listed:?}");
    let kept = person.run(&["keys", "list", "--data", data]);
    assert_eq!(kept.code, 0, "{kept:?}");

    // A killed process leaves no lock.
    serving.kill();
    drop(Serving::start(&person));
}
