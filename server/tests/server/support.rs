//! The real binary, in a folder of its own, with nothing of the caller's configuration.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// A data folder that goes when the test ends.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// A fresh one.
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("botix-server-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The binary with these arguments and this environment.
    pub(crate) fn command(&self, args: &[&str], env: &[(&str, &str)]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_botix"));
        command.args(args).stdin(Stdio::null());
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("BOTIX_") || name == "DATABASE_URL") {
            command.env_remove(name);
        }
        command.env("BOTIX_DATA_DIR", &self.0).env("BOTIX_LISTEN", "127.0.0.1:0").envs(env.iter().copied());
        command
    }

    /// Runs it to its end.
    pub(crate) fn run(&self, args: &[&str], env: &[(&str, &str)]) -> Output {
        self.command(args, env).output().expect("the binary")
    }

    /// Runs a `create` and reads the object that it prints.
    pub(crate) fn create(&self, args: &[&str]) -> serde_json::Value {
        let output = self.run(args, &[]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let printed = text(&output.stdout);
        assert_eq!(printed.lines().count(), 1, "{printed}");
        serde_json::from_str(&printed).expect("one JSON object")
    }

    /// Starts a server and waits for its address.
    pub(crate) fn serve(&self, args: &[&str], env: &[(&str, &str)]) -> Server {
        let mut child =
            self.command(args, env).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().expect("the binary");
        let mut log = BufReader::new(child.stderr.take().expect("its log"));
        let mut lines = String::new();
        let address = loop {
            let from = lines.len();
            let read = log.read_line(&mut lines).expect("a line");
            assert!(read > 0, "it ended: {lines}");
            let line = &lines[from..];
            if let (true, Some((_, rest))) = (line.contains("botix is ready"), line.split_once("address=")) {
                break rest.split_whitespace().next().unwrap_or_default().to_owned();
            }
        };
        Server { child, address, log }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Left behind if it can't be removed; it is in the system's own folder for that.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A running server; killed when the test ends.
pub(crate) struct Server {
    child: Child,
    /// `127.0.0.1:port`
    pub(crate) address: String,
    log: BufReader<std::process::ChildStderr>,
}

impl Server {
    /// A plain request with its whole answer.
    pub(crate) fn get(&self, path: &str, headers: &str) -> String {
        get(&self.address, path, headers)
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status();
        assert!(sent.expect("kill").success());
    }

    /// Waits for its end and answers with its exit code and the rest of its log.
    pub(crate) fn ended(mut self, within: Duration) -> (Option<i32>, String) {
        let from = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("its status") {
                break status;
            }
            assert!(from.elapsed() < within, "it did not end within {within:?}");
            std::thread::sleep(Duration::from_millis(10));
        };
        let mut rest = String::new();
        self.log.read_to_string(&mut rest).expect("its log");
        (status.code(), rest)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A plain HTTP/1.1 request with its whole answer.
pub(crate) fn get(address: &str, path: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a time-out");
    let host = if headers.to_lowercase().contains("host:") { String::new() } else { format!("Host: {address}\r\n") };
    write!(stream, "GET {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\n\r\n").expect("a request");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    text(&answer)
}

/// As text.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A `POST` to the API that must create something; its path is its idempotency key.
pub(crate) fn api_post(address: &str, bearer: &str, path: &str, body: &str) -> String {
    let headers =
        format!("Authorization: Bearer {bearer}\r\nIdempotency-Key: {path}\r\nContent-Type: application/json\r\n");
    let answer = post(address, &format!("/public/v1{path}"), &headers, body);
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
    answer
}

/// A plain `POST` with its whole answer.
pub(crate) fn post(address: &str, path: &str, headers: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    let length = body.len();
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nHost: {address}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
    .expect("a request");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    text(&answer)
}
