//! A receiver that plays whatever a test wants, byte by byte.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// What a receiver does with a request.
#[derive(Clone)]
pub(crate) enum Answer {
    /// Sends these bytes and closes.
    Bytes(Vec<u8>),
    /// Sends these bytes over and over until the other side has had enough.
    Endless(&'static [u8], &'static [u8]),
    /// Sends a byte of the head each time this has passed.
    Dripping(Duration),
    /// Sends the head, then a piece each time this has passed.
    Slowly(&'static [u8], &'static [u8], Duration),
    /// Says nothing for a minute.
    Hangs,
    /// Resets the connection.
    Resets,
}

/// A running receiver.
pub(crate) struct Receiver {
    pub(crate) address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
}

/// A complete answer with this status.
pub(crate) fn status(status: u16) -> Answer {
    with_headers(status, "")
}

/// A complete answer with this status and these extra header lines.
pub(crate) fn with_headers(status: u16, headers: &str) -> Answer {
    Answer::Bytes(
        format!("HTTP/1.1 {status} X\r\n{headers}Content-Length: 2\r\nConnection: close\r\n\r\nok").into_bytes(),
    )
}

impl Receiver {
    /// Answers the first request with the first answer and so on; the last one for ever.
    pub(crate) async fn start(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let log = requests.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (log, answers) = (log.clone(), answers.clone());
                tokio::spawn(async move { serve(stream, &log, &answers).await });
            }
        });
        Self { address, requests }
    }

    /// The requests so far, head and body.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// Waits until so many have come.
    pub(crate) async fn requested(&self, count: usize) {
        while self.requests().len() < count {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/hook?a=1", self.address)
    }
}

async fn serve(mut stream: TcpStream, log: &Mutex<Vec<String>>, answers: &[Answer]) {
    let Some(request) = read_request(&mut stream).await else { return };
    let at = {
        let mut log = log.lock().unwrap();
        log.push(request);
        log.len() - 1
    };
    // A receiver that is cut off mid-answer is what some tests are about.
    let _ = play(stream, answers[at.min(answers.len() - 1)].clone()).await;
}

async fn play(mut stream: TcpStream, answer: Answer) -> std::io::Result<()> {
    match answer {
        Answer::Bytes(bytes) => stream.write_all(&bytes).await?,
        Answer::Endless(head, more) => {
            stream.write_all(head).await?;
            loop {
                stream.write_all(more).await?;
            }
        }
        Answer::Slowly(head, piece, pause) => {
            stream.write_all(head).await?;
            loop {
                tokio::time::sleep(pause).await;
                stream.write_all(piece).await?;
            }
        }
        Answer::Dripping(pause) => {
            for byte in b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".iter().cycle() {
                stream.write_all(&[*byte]).await?;
                tokio::time::sleep(pause).await;
            }
        }
        Answer::Hangs => tokio::time::sleep(Duration::from_secs(60)).await,
        Answer::Resets => {
            #[expect(deprecated, reason = "a zero linger is what sends a reset")]
            stream.set_linger(Some(Duration::ZERO))?;
        }
    }
    Ok(())
}

async fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        let mut chunk = [0; 4_096];
        let read = stream.read(&mut chunk).await.ok()?;
        if read == 0 {
            return None;
        }
        bytes.extend_from_slice(&chunk[..read]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length =
            head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse::<usize>().ok());
        if body.len() >= length.unwrap_or(0) {
            return Some(text.into_owned());
        }
    }
}
