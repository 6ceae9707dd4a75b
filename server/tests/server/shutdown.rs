//! How a process ends: orderly, in time, and at once when a second signal insists.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use crate::support::{Folder, api_post};

#[test]
fn a_signal_ends_an_idle_server_at_once_and_with_success() {
    for signal in ["TERM", "INT"] {
        let folder = Folder::new();
        let server = folder.serve(&["serve"], &[]);
        // A connection that is kept open must not hold it up.
        let _idle = TcpStream::connect(&server.address).unwrap();
        server.signal(signal);
        let (code, log) = server.ended(Duration::from_secs(5));
        assert_eq!(code, Some(0), "{signal}: {log}");
    }
}

#[test]
fn a_delivery_under_way_is_finished_and_a_second_signal_does_not_wait_for_it() {
    for (signals, code) in [(1, 0), (2, 130)] {
        let folder = Folder::new();
        let receiver = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = folder.serve(&["serve"], &[("BOTIX_ALLOWED_PRIVATE_NETWORKS", "127.0.0.0/8")]);
        let project = folder.create(&["project", "create", "--name", "N"]);
        let key = folder.create(&["api-key", "create", "--project", project["id"].as_str().unwrap()]);
        let url = format!("http://{}/hook", receiver.local_addr().unwrap());
        let bearer = key["key"].as_str().unwrap();
        api_post(&server.address, bearer, "/webhooks/endpoints", &format!(r#"{{"url":"{url}","event_types":["*"]}}"#));
        api_post(&server.address, bearer, "/events", r#"{"type":"shutdown.tested","data":{}}"#);
        let (mut delivery, _) = receiver.accept().unwrap();
        let mut request = [0; 4_096];
        assert!(delivery.read(&mut request).unwrap() > 0);
        server.signal("TERM");
        std::thread::sleep(Duration::from_millis(300));
        if signals == 2 {
            server.signal("TERM");
        } else {
            delivery.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").unwrap();
        }
        let (ended, log) = server.ended(Duration::from_secs(5));
        assert_eq!(ended, Some(code), "{log}");
        if signals == 1 {
            let again = folder.serve(&["serve"], &[]);
            let attempts = again.get("/public/v1/webhooks/attempts", &format!("Authorization: Bearer {bearer}\r\n"));
            assert!(attempts.contains(r#""status":"delivered""#), "{attempts}");
        }
    }
}
