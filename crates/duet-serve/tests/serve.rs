//! The real server: checks, limits, hostile requests, the page in a browser. `CLIENTS=100`
//! asks for more clients at once.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const FINE: &str = "__global__ void k(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }";
const RACY: &str = "__global__ void k(int *a) { a[0] = threadIdx.x; }";

fn number(variable: &str, usual: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// The program that checks lies beside the server: the tests of the workspace build both.
fn duet() -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_duet-serve")).parent().expect("a folder");
    let duet = folder.join("duet");
    assert!(duet.is_file(), "{} is not built", duet.display());
    duet
}

struct Server {
    process: Child,
    address: String,
    folder: tempfile::TempDir,
}

/// What the server answers: the status and the body.
type Answer = (u16, String);

impl Server {
    fn new(options: &[&str]) -> Server {
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

    fn send(&self, bytes: &[u8]) -> Answer {
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

    fn get(&self, path: &str) -> Answer {
        let head = format!("GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        self.send(head.as_bytes())
    }

    fn post(&self, path: &str, body: &str) -> Answer {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.send(head.as_bytes())
    }

    fn check(&self, language: &str, source: &str) -> Answer {
        self.post("/api/check", &json!({ "language": language, "source": source }).to_string())
    }

    fn verdict(&self, source: &str) -> String {
        let (status, body) = self.check("cuda", source);
        assert_eq!(status, 200, "{body}");
        let report: Value = serde_json::from_str(&body).expect("JSON");
        report["kernels"][0]["verdict"].as_str().expect("a verdict").to_string()
    }

    /// Nothing is left of any check: no process, no file.
    fn assert_clean(&self) {
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

#[test]
fn kernels_are_checked_over_http() {
    let server = Server::new(&[]);
    assert_eq!(server.verdict(FINE), "proved");
    assert_eq!(server.verdict(RACY), "refuted");
    let (status, body) =
        server.check("opencl", "kernel void k(global int *a) { a[0] = get_global_id(0); }");
    assert_eq!(status, 200);
    // The same as the command line says, with the name that it has there.
    let report: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(report["version"], 1);
    assert_eq!(report["file"], "kernel.cl");
    let (status, body) = server.check("cuda", "__global__ void k(int *a) { a[0] = ; }");
    assert!(status == 200 && body.contains("diagnostics"), "{body}");
    let (status, page) =
        server.post("/api/report", &json!({ "language": "cuda", "source": RACY }).to_string());
    assert!(status == 200 && page.contains("<html"), "{page}");
    assert_eq!(server.get("/health"), (200, "ok\n".to_string()));
    let (_, metrics) = server.get("/metrics");
    assert!(metrics.contains("duet_checks_total 5"), "{metrics}");
    let (status, examples) = server.get("/api/examples");
    let examples: Value = serde_json::from_str(&examples).expect("JSON");
    assert!(status == 200 && examples.as_array().is_some_and(|all| all.len() >= 3));
    server.assert_clean();
}

#[test]
fn files_outside_are_not_read() {
    let server = Server::new(&[]);
    let secret = server.folder.path().join("secret.h");
    std::fs::write(&secret, "secret words").expect("a file");
    let path = secret.display();
    for source in [
        format!("#include \"{path}\"\n{FINE}"),
        format!("#include \"../secret.h\"\n{FINE}"),
        format!("#define P \"{path}\"\n#include P\n{FINE}"),
        format!("#if __has_include(\"{path}\")\n#error there\n#endif\n{FINE}"),
        format!("char a[] = {{\n#embed \"{path}\"\n}};\n{FINE}"),
        format!("%:inc\\\nlude \"{path}\"\n{FINE}"),
    ] {
        let (status, body) = server.check("cuda", &source);
        assert_eq!(status, 400, "{source}: {body}");
        assert!(!body.contains("secret words"));
    }
    // No option comes in by way of a size.
    for size in ["1 -I/etc", "--include=/etc/passwd", "1;2"] {
        let question = json!({ "language": "cuda", "source": FINE, "block_dim": size });
        assert_eq!(server.post("/api/check", &question.to_string()).0, 400, "{size}");
    }
    let unknown = json!({ "language": "cuda", "source": FINE, "options": ["-I/etc"] });
    assert_eq!(server.post("/api/check", &unknown.to_string()).0, 400);
    assert_eq!(server.verdict(&format!("#include <cuda_runtime.h>\n{FINE}")), "proved");
}

#[test]
fn requests_that_are_none_do_no_harm() {
    let server = Server::new(&["--kilobytes=16"]);
    let large = json!({ "language": "cuda", "source": "x".repeat(17 << 10) }).to_string();
    assert_eq!(server.post("/api/check", &large).0, 413);
    assert_eq!(server.post("/api/check", "{").0, 400);
    assert_eq!(server.post("/api/check", "[1, 2]").0, 400);
    assert_eq!(server.check("fortran", FINE).0, 400);
    assert_eq!(server.get("/../../etc/passwd").0, 404);
    assert_eq!(server.get("/api/check").0, 405);
    let claimed = "POST /api/check HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{";
    assert_eq!(server.send(claimed.as_bytes()).0, 413);
    server.send(&[0, 159, 146, 150, 13, 10, 13, 10]);
    let plain = format!(
        "POST /api/check HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{{}}",
        2
    );
    assert_eq!(server.send(plain.as_bytes()).0, 400);
    assert_eq!(server.get("/health").0, 200);
    server.assert_clean();
}

/// What would take all memory or all time ends at its limits, and others go on.
#[test]
fn bombs_end_at_their_limits() {
    let server = Server::new(&["--seconds=3", "--memory=2048"]);
    let mut bomb = "#define A0 x x x x x x x x\n".to_string();
    for level in 1..14 {
        let one = format!("A{} ", level - 1);
        bomb.push_str(&format!("#define A{level} {}\n", one.repeat(8)));
    }
    let begun = Instant::now();
    let (status, _) = server.check("cuda", &format!("{bomb}{FINE}\nint y[] = {{ A13 }};\n"));
    assert!(status == 200 || status == 422, "{status}");
    assert!(begun.elapsed() < Duration::from_secs(90), "{:?}", begun.elapsed());
    assert_eq!(server.verdict(FINE), "proved");
    server.assert_clean();
}

/// Every client gets an answer: its own.
#[test]
fn many_clients_at_once_lose_nothing() {
    let clients = number("CLIENTS", 12);
    let server = Server::new(&["--per-client=1000", "--queue=1000", "--seconds=120"]);
    server.verdict(FINE);
    let times: Vec<Duration> = std::thread::scope(|scope| {
        let ask = |number: usize| {
            let server = &server;
            move || {
                let begun = Instant::now();
                let racy = number.is_multiple_of(2);
                let source = if racy { RACY } else { FINE };
                let name = format!("client{number}");
                let (status, body) =
                    server.check("cuda", &source.replace("k(", &format!("{name}(")));
                assert_eq!(status, 200, "{body}");
                let report: Value = serde_json::from_str(&body).expect("JSON");
                let kernel = &report["kernels"][0];
                assert_eq!(kernel["name"], name);
                assert_eq!(kernel["verdict"], if racy { "refuted" } else { "proved" });
                begun.elapsed()
            }
        };
        let all: Vec<_> = (0..clients).map(|number| scope.spawn(ask(number))).collect();
        all.into_iter().map(|one| one.join().expect("an answer")).collect()
    });
    let mut times = times;
    times.sort();
    let at = |part: usize| times[(times.len() * part / 100).min(times.len() - 1)];
    println!("{clients} clients: p50 {:?}, p99 {:?}", at(50), at(99));
    server.assert_clean();
}

/// Those beyond the limits are told so at once.
#[test]
fn a_full_queue_says_so() {
    let server = Server::new(&["--at-a-time=1", "--queue=1", "--per-client=100"]);
    let answers: Vec<u16> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..8).map(|_| scope.spawn(|| server.check("cuda", RACY).0)).collect();
        all.into_iter().map(|one| one.join().expect("an answer")).collect()
    });
    assert!(answers.iter().all(|status| matches!(status, 200 | 503)), "{answers:?}");
    assert!(answers.contains(&200) && answers.contains(&503), "{answers:?}");
    server.assert_clean();
}

/// The page by a link: the text is in the fragment, and the verdict appears.
#[test]
fn the_page_shows_a_verdict() {
    let server = Server::new(&[]);
    let show = |source: &str| {
        let question = json!({ "source": source, "language": "cuda" }).to_string();
        let url = format!("http://{}/#{}", server.address, base64(question.as_bytes()));
        let folder = tempfile::tempdir().expect("a folder");
        let output = Command::new("chromium")
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--virtual-time-budget=60000",
                "--dump-dom",
            ])
            .arg(format!("--user-data-dir={}", folder.path().display()))
            .arg(url)
            .stderr(Stdio::null())
            .output()
            .expect("chromium");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let page = show(RACY);
    assert!(page.contains("<h2 class=\"refuted\">k: refuted</h2>"), "{page}");
    assert!(page.contains("write-write-race"), "{page}");
    assert!(page.contains("a race and its barrier"), "no examples: {page}");
    let page = show(FINE);
    assert!(page.contains("<h2 class=\"proved\">k: proved</h2>"), "{page}");
    let page = show("#include \"/etc/passwd\"\n");
    assert!(page.contains("no header that may be included") && !page.contains("root:x"), "{page}");
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let number = three.iter().fold(0u32, |sum, &byte| sum << 8 | u32::from(byte))
            << (8 * (3 - three.len()));
        for at in 0..4 {
            let letter = LETTERS[(number >> (18 - 6 * at)) as usize & 63] as char;
            text.push(if at <= three.len() { letter } else { '=' });
        }
    }
    text
}
