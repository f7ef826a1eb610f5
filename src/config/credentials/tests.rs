//! Stored keys: readable only by their owner, replaced atomically, found by their own profile, removed by `forget`.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use secrecy::{ExposeSecret as _, SecretString};

use super::{Credential, CredentialStore, StorePreference, find, forget, origin_of, store};
use crate::config::environment::{Directories, Environment, KEYRING};

fn person(home: &Path) -> Environment {
    let home = home.to_owned();
    let directories = Directories { config: home.clone(), data: home.clone(), state: home.join("state"), home };
    Environment::of([(KEYRING, "off")], Some(directories))
}

fn credential(profile: &str, key: &str) -> Credential {
    let origin = "https://work.example".to_owned();
    Credential { profile: profile.to_owned(), origin, key: SecretString::from(key) }
}

fn key_of(profile: &str, environment: &Environment) -> Option<String> {
    let found = find(profile, StorePreference::Any, environment).unwrap_or_else(|error| panic!("{error}"));
    found.map(|found| found.credential.key.expose_secret().to_owned())
}

#[test]
fn a_key_is_readable_only_by_its_owner_and_replaced_atomically() {
    let home = tempfile::tempdir().unwrap();
    let environment = person(home.path());
    // A folder that others can read, as a copied home directory may contain it.
    let folder = home.path().join("state/credentials");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    for profile in ["work", "../../work", "a b/ü", ".", ""] {
        assert_eq!(key_of(profile, &environment), None, "{profile}");
        for key in ["first", "second"] {
            let stored =
                store(&credential(profile, key), StorePreference::Any, &environment).unwrap_or_else(|e| panic!("{e}"));
            let CredentialStore::File(path) = stored.place else { panic!("there is no keyring") };
            let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
            assert_eq!(path.parent().unwrap(), folder);
            assert_eq!(key_of(profile, &environment).as_deref(), Some(key));
        }
    }
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 5);
    assert_eq!(forget("work", &environment).unwrap().len(), 1);
    assert_eq!(forget("work", &environment).unwrap(), []);
    assert_eq!((key_of("work", &environment), key_of("../../work", &environment).as_deref()), (None, Some("second")));
}

#[test]
fn a_file_readable_by_others_is_reported_and_a_foreign_one_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let environment = person(home.path());
    let stored = store(&credential("work", "hunter2"), StorePreference::Any, &environment);
    let CredentialStore::File(path) = stored.unwrap_or_else(|error| panic!("{error}")).place else {
        panic!("no keyring")
    };
    for mode in [0o640, 0o604] {
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        let found = find("work", StorePreference::Any, &environment).unwrap_or_else(|error| panic!("{error}")).unwrap();
        let note = found.note.unwrap();
        assert!(note.contains("chmod 600") && !note.contains("hunter2"), "{note}");
    }
    // On case-insensitive file systems, `WORK` has the file of `work`.
    std::fs::rename(&path, path.with_file_name("WORK.json")).unwrap();
    let error = find("WORK", StorePreference::Any, &environment).err().unwrap().to_string();
    assert!(error.contains("contains no key") && !error.contains("hunter2"), "{error}");
}

#[test]
fn a_missing_keyring_is_an_error_only_for_the_keyring() {
    let home = tempfile::tempdir().unwrap();
    let environment = person(home.path());
    assert!(store(&credential("work", "k"), StorePreference::KeyringOnly, &environment).is_err());
    assert!(find("work", StorePreference::KeyringOnly, &environment).is_err());
    assert!(!home.path().join("state").exists());
}

#[test]
fn an_origin_is_scheme_host_and_port() {
    for (text, origin) in [
        ("https://Work.example/api/v1/", Some("https://work.example")),
        ("https://work.example:443", Some("https://work.example")),
        ("http://127.0.0.1:8750", Some("http://127.0.0.1:8750")),
        ("work.example", None),
        ("mailto:a@b.example", None),
    ] {
        assert_eq!(origin_of(text).as_deref(), origin, "{text}");
    }
}
