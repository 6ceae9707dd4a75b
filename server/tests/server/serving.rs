//! Contract section 1: the surfaces of one process.

use crate::support::{Folder, get};

#[test]
fn alive_ready_and_measured_on_the_one_listener() {
    let folder = Folder::new();
    let server = folder.serve(&["serve"], &[]);
    assert!(server.get("/healthz", "").starts_with("HTTP/1.1 200"));
    assert!(server.get("/readyz", "").starts_with("HTTP/1.1 200"));
    assert!(server.get("/metrics", "").contains("# TYPE botix_"));
    let root = server.get("/", "");
    assert!(root.starts_with("HTTP/1.1 307") && root.contains("location: /developers"), "{root}");
}

#[test]
fn operations_move_to_a_listener_of_their_own() {
    let folder = Folder::new();
    let own = free_address();
    let server = folder.serve(&["serve"], &[("BOTIX_OPS_LISTEN", &own)]);
    assert!(get(&own, "/readyz", "").starts_with("HTTP/1.1 200"));
    assert!(server.get("/metrics", "").starts_with("HTTP/1.1 404"));
}

#[test]
fn what_the_command_line_creates_works_at_once_beside_a_running_server() {
    let folder = Folder::new();
    let server = folder.serve(&["serve"], &[]);
    let project = folder.create(&["project", "create", "--name", "N"]);
    let key = folder.create(&["api-key", "create", "--project", project["id"].as_str().unwrap()]);
    let bearer = format!("Authorization: Bearer {}\r\n", key["key"].as_str().unwrap());
    assert!(server.get("/public/v1/contacts", "").starts_with("HTTP/1.1 401"));
    let answer = server.get("/public/v1/contacts", &bearer);
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"has_more\":false"), "{answer}");
}

#[test]
fn a_surface_with_a_host_of_its_own_is_not_found_on_another() {
    let folder = Folder::new();
    let env = [("BOTIX_APP_URL", "http://app.localhost"), ("BOTIX_API_URL", "http://api.localhost")];
    let server = folder.serve(&["serve"], &env);
    let on = |host: &str, path: &str| server.get(path, &format!("Host: {host}:3000\r\n"));
    assert!(on("api.localhost", "/public/v1/contacts").starts_with("HTTP/1.1 401"));
    assert!(on("app.localhost", "/public/v1/contacts").starts_with("HTTP/1.1 404"));
    assert!(on("app.localhost", "/developers/sign-in").starts_with("HTTP/1.1 200"));
    assert!(on("api.localhost", "/developers/sign-in").starts_with("HTTP/1.1 404"));
    assert!(on("elsewhere", "/developers/sign-in").starts_with("HTTP/1.1 404"));
    assert!(on("elsewhere", "/healthz").starts_with("HTTP/1.1 200"));
}

#[test]
fn a_worker_alone_serves_no_surface() {
    let folder = Folder::new();
    let server = folder.serve(&["serve"], &[("BOTIX_ROLES", "worker")]);
    assert!(server.get("/readyz", "").starts_with("HTTP/1.1 200"));
    assert!(server.get("/public/v1/contacts", "").starts_with("HTTP/1.1 404"));
}

fn free_address() -> String {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}
