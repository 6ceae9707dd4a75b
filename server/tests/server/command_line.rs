//! Contract section 11: each `create` prints one JSON object, errors go to standard error.

use std::io::Write as _;
use std::process::Stdio;

use crate::support::{Folder, text};

#[test]
fn project_key_and_user_are_created_and_printed_as_json() {
    let folder = Folder::new();
    let project = folder.create(&["project", "create", "--name", "Магазин", "--contact-limit", "5"]);
    let id = project["id"].as_str().unwrap();
    assert!(id.starts_with("prj_") && project["contact_limit"] == 5, "{project}");
    let key = folder.create(&["api-key", "create", "--project", id, "--scopes", "read"]);
    assert!(key["id"].as_str().unwrap().starts_with("key_"), "{key}");
    assert!(key["key"].as_str().unwrap().starts_with("btx_live_"), "{key}");
    assert_eq!(key["scopes"], serde_json::json!(["read"]));
    let user = folder.create(&["user", "create", "--email", "Anna@Example.com", "--project", id]);
    assert_eq!((user["email"].as_str(), user["role"].as_str()), (Some("anna@example.com"), Some("owner")));
    assert!(user["password"].as_str().unwrap().len() >= 16, "a generated password is printed: {user}");
}

#[test]
fn the_openapi_document_is_printed_without_a_database() {
    let folder = Folder::new();
    let document = folder.create(&["openapi"]);
    assert_eq!(document["openapi"], "3.1.0");
    assert!(document["paths"]["/public/v1/contacts"]["post"].is_object());
    assert!(document["servers"][0]["url"].as_str().unwrap().starts_with("http://"));
}

#[test]
fn a_piped_password_is_taken_and_not_printed() {
    let folder = Folder::new();
    let project = folder.create(&["project", "create", "--name", "N"]);
    let args = ["user", "create", "--email", "a@example.com", "--project", project["id"].as_str().unwrap()];
    let piped = |password: &str| {
        let mut command = folder.command(&args, &[]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(password.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    let short = piped("short\n");
    assert!(!short.status.success() && short.stdout.is_empty() && !text(&short.stderr).contains("short\n"));
    let made = piped("correct horse battery\n");
    assert!(made.status.success(), "{}", text(&made.stderr));
    assert!(!text(&made.stdout).contains("password"), "{}", text(&made.stdout));
    let again = piped("correct horse battery\n");
    assert!(!again.status.success() && text(&again.stderr).contains("exists already"));
}

#[test]
fn errors_go_to_standard_error_with_a_non_zero_exit() {
    let folder = Folder::new();
    for args in [
        &["api-key", "create", "--project", "prj_01ARZ3NDEKTSV4RRFFQ69G5FAV"][..],
        &["api-key", "create", "--project", "nonsense"],
        &["user", "create", "--email", "nobody", "--role", "support"],
        &["user", "create", "--email", "a@example.com"],
        &["project", "create", "--name", " "],
        &["cook"],
    ] {
        let output = folder.run(args, &[]);
        assert!(!output.status.success() && output.stdout.is_empty() && !output.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn the_secret_key_is_made_once_and_only_its_owner_may_read_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    folder.create(&["project", "create", "--name", "N"]);
    let path = folder.path().join("secret.key");
    for private in [&path, &folder.path().join("botix.db")] {
        assert_eq!(std::fs::metadata(private).unwrap().permissions().mode() & 0o777, 0o600, "{}", private.display());
    }
    let first = std::fs::read(&path).unwrap();
    assert!(first.len() >= 32);
    folder.create(&["project", "create", "--name", "N"]);
    assert_eq!(std::fs::read(&path).unwrap(), first);
}

#[test]
fn several_commands_on_a_fresh_folder_at_once_all_work() {
    let folder = Folder::new();
    let running: Vec<_> = (0..4)
        .map(|n| {
            let name = format!("Project {n}");
            let mut command = folder.command(&["project", "create", "--name", &name], &[]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for child in running {
        let ended = child.wait_with_output().unwrap();
        assert!(ended.status.success(), "{}", text(&ended.stderr));
    }
}
