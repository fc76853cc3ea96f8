//! A store of objects for tests: as much of the protocol of S3 as `duet cache` needs, and ways to
//! misbehave. Lists come in pages of three.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

/// How the store treats those who use it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    Honest,
    /// Keeps half of what it is sent, and hangs up.
    TearsUploads,
    /// Hangs up in the middle of an object.
    TearsDownloads,
    /// Answers everything with an error.
    Fails,
}

type Objects = BTreeMap<String, Vec<u8>>;

pub struct Bucket {
    pub address: String,
    state: Arc<Mutex<(Manner, Objects)>>,
}

impl Bucket {
    /// Listens until the test's process ends.
    pub fn start() -> Bucket {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}/bucket", listener.local_addr().expect("an address"));
        let state = Arc::new(Mutex::new((Manner::Honest, Objects::new())));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                std::thread::spawn(move || answer(&state, stream));
            }
        });
        Bucket { address, state }
    }

    pub fn behave(&self, manner: Manner) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).0 = manner;
    }

    pub fn objects(&self) -> Objects {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }

    pub fn replace(&self, objects: Objects) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).1 = objects;
    }
}

/// One request and its answer; whoever hangs up is not asked why.
fn answer(state: &Mutex<(Manner, Objects)>, stream: TcpStream) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let (mut length, mut waits) = (0, false);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let header = header.trim_end().to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(text) = header.strip_prefix("content-length:") {
            length = text.trim().parse().ok()?;
        }
        waits |= header == "expect: 100-continue";
    }
    let mut words = line.split(' ');
    let (method, path) = (words.next()?, words.next()?.strip_prefix("/bucket/")?);
    let manner = state.lock().unwrap_or_else(PoisonError::into_inner).0;
    if manner == Manner::Fails {
        return send(stream, "503 Slow Down", b"", None);
    }
    if method == "PUT" {
        if waits {
            (&stream).write_all(b"HTTP/1.1 100 Continue\r\n\r\n").ok()?;
        }
        let torn = manner == Manner::TearsUploads;
        let mut body = vec![0; if torn { length / 2 } else { length }];
        reader.read_exact(&mut body).ok()?;
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        state.1.insert(path.to_string(), body);
        return if torn { None } else { send(stream, "200 OK", b"", None) };
    }
    let objects = state.lock().unwrap_or_else(PoisonError::into_inner).1.clone();
    match path.strip_prefix('?') {
        Some(query) => send(stream, "200 OK", list(&objects, query).as_bytes(), None),
        None => match objects.get(path) {
            Some(bytes) if manner == Manner::TearsDownloads => {
                send(stream, "200 OK", &bytes[..bytes.len() / 2], Some(bytes.len()))
            }
            Some(bytes) => send(stream, "200 OK", bytes, None),
            None => send(stream, "404 Not Found", b"", None),
        },
    }
}

fn send(mut stream: TcpStream, status: &str, body: &[u8], claimed: Option<usize>) -> Option<()> {
    let length = claimed.unwrap_or(body.len());
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)).ok()
}

/// A page of the list: the names that begin with the prefix, from a number on.
fn list(objects: &Objects, query: &str) -> String {
    let value = |name: &str| {
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let found = pairs.filter(|(key, _)| *key == name).map(|(_, value)| value).next();
        found.unwrap_or_default().replace("%2F", "/").replace("%2f", "/")
    };
    assert_eq!(value("list-type"), "2", "{query}");
    let from: usize =
        value("continuation-token").trim_start_matches("page%26").parse().unwrap_or(0);
    let prefix = value("prefix");
    let all: Vec<_> = objects.iter().filter(|(name, _)| name.starts_with(&prefix)).collect();
    let mut text = String::from("<?xml version=\"1.0\"?><ListBucketResult>");
    for (name, bytes) in all.iter().skip(from).take(3) {
        let size = bytes.len();
        text.push_str(&format!("<Contents><Key>{name}</Key><Size>{size}</Size></Contents>"));
    }
    let is_truncated = all.len() > from + 3;
    text.push_str(&format!("<IsTruncated>{is_truncated}</IsTruncated>"));
    if is_truncated {
        // A token is any text, with signs that have to be escaped.
        let token = format!("page&amp;{}", from + 3);
        text.push_str(&format!("<NextContinuationToken>{token}</NextContinuationToken>"));
    }
    text + "</ListBucketResult>"
}
