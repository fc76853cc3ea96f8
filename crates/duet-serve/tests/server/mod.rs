//! A server of its own for each test, and how to ask it.

#![allow(dead_code, reason = "each test uses some of it")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

pub const FINE: &str =
    "__global__ void k(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }";
pub const RACY: &str = "__global__ void k(int *a) { a[0] = threadIdx.x; }";

/// The program that checks lies beside the server: the tests of the workspace build both.
pub fn duet() -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_duet-serve")).parent().expect("a folder");
    let duet = folder.join("duet");
    assert!(duet.is_file(), "{} is not built", duet.display());
    duet
}

pub struct Server {
    pub process: Child,
    pub address: String,
    pub folder: tempfile::TempDir,
}

/// What the server answers: the status and the body.
pub type Answer = (u16, String);

impl Server {
    pub fn new(options: &[&str]) -> Server {
        let folder = tempfile::tempdir().expect("a folder");
        let z3 = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.duet/z3/bin/z3");
        let mut process = Command::new(env!("CARGO_BIN_EXE_duet-serve"))
            .args(["--listen=127.0.0.1:0", "--duet"])
            .arg(duet())
            .args(options)
            .env("DUET_Z3", z3)
            .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
            .env("TMPDIR", folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let output = process.stdout.take().expect("a pipe");
        BufReader::new(output).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("listening on http://").expect("an address");
        let address = address.trim_end_matches('/').to_string();
        Server { process, address, folder }
    }

    pub fn send(&self, bytes: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(180))).expect("a time");
        // The server may refuse before all is sent.
        let _ = stream.write_all(bytes);
        let mut answer = vec![];
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer).into_owned();
        let status = text.split_whitespace().nth(1).and_then(|word| word.parse().ok());
        let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body).to_string();
        (status.unwrap_or(0), body)
    }

    pub fn get(&self, path: &str) -> Answer {
        let head = format!("GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        self.send(head.as_bytes())
    }

    pub fn post(&self, path: &str, body: &str) -> Answer {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.send(head.as_bytes())
    }

    pub fn check(&self, language: &str, source: &str) -> Answer {
        self.post("/api/check", &json!({ "language": language, "source": source }).to_string())
    }

    pub fn verdict(&self, source: &str) -> String {
        let (status, body) = self.check("cuda", source);
        assert_eq!(status, 200, "{body}");
        let report: Value = serde_json::from_str(&body).expect("JSON");
        report["kernels"][0]["verdict"].as_str().expect("a verdict").to_string()
    }

    /// Nothing is left of any check: no process, no file.
    pub fn assert_clean(&self) {
        let end = Instant::now() + Duration::from_secs(30);
        loop {
            let children = children(self.process.id());
            let files = std::fs::read_dir(self.folder.path()).expect("a folder").count();
            if children == 0 && files == 0 {
                return;
            }
            assert!(Instant::now() < end, "{children} processes and {files} files are left");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// How many processes come from this one, through others or not.
fn children(of: u32) -> usize {
    let tasks = std::fs::read_dir(format!("/proc/{of}/task")).into_iter().flatten();
    let lists =
        tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("children")).ok());
    let ids: Vec<u32> = lists
        .flat_map(|list| {
            list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>()
        })
        .collect();
    ids.iter().map(|&id| 1 + children(id)).sum()
}
