//! The real server: checks, limits, hostile requests. `CLIENTS=10 ROUNDS=20` asks for
//! another number of clients at once than 100, and for more than one question of each.

mod server;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use server::{FINE, RACY, Server};

fn number(variable: &str, usual: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
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

/// A client that sends the head of its request letter by letter, or nothing behind an answer,
/// is soon cut off; a check that takes longer than a head may is answered all the same.
#[test]
fn heads_that_do_not_come_are_not_waited_for() {
    let server = Server::new(&["--head-seconds=1", "--connections=2"]);
    let patience = Duration::from_secs(20);
    let connect = || {
        let stream = TcpStream::connect(&server.address).expect("a connection");
        stream.set_read_timeout(Some(patience)).expect("a time");
        stream
    };
    // Without the limit, both connections that the server takes would be held for minutes.
    let slow: Vec<_> = (0..2).map(|_| std::thread::spawn(letters(connect()))).collect();
    for client in slow {
        assert!(client.join().expect("a client") < patience, "a slow client keeps its place");
    }
    let mut stream = connect();
    let body = json!({ "language": "cuda", "source": RACY }).to_string();
    let head = "POST /api/check HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
    stream
        .write_all(format!("{head}Content-Length: {}\r\n\r\n", body.len()).as_bytes())
        .expect("a head");
    // The body has a limit of its own.
    std::thread::sleep(Duration::from_millis(1500));
    stream.write_all(body.as_bytes()).expect("a body");
    let mut answer = String::new();
    let begun = Instant::now();
    let _ = stream.read_to_string(&mut answer);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(begun.elapsed() < patience, "the connection is kept open behind the answer");
}

/// Sends letters of a head until the server closes the connection; how long it took.
fn letters(mut stream: TcpStream) -> impl FnOnce() -> Duration {
    move || {
        let begun = Instant::now();
        for letter in "GET / HTTP/1.1\r\nHost: ".bytes().chain(std::iter::repeat(b'a')) {
            let is_closed = stream.write_all(&[letter]).is_err();
            if is_closed || begun.elapsed() > Duration::from_secs(30) {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        begun.elapsed()
    }
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
    let (clients, rounds) = (number("CLIENTS", 100), number("ROUNDS", 1));
    let server = Server::new(&["--per-client=1000", "--queue=1000", "--seconds=120"]);
    server.verdict(FINE);
    let ask = |client: usize, round: usize| {
        let begun = Instant::now();
        let racy = client.is_multiple_of(2);
        let name = format!("client{client}round{round}");
        let source = if racy { RACY } else { FINE };
        let (status, body) = server.check("cuda", &source.replace("k(", &format!("{name}(")));
        assert_eq!(status, 200, "{body}");
        let report: Value = serde_json::from_str(&body).expect("JSON");
        let kernel = &report["kernels"][0];
        assert_eq!(kernel["name"], name);
        assert_eq!(kernel["verdict"], if racy { "refuted" } else { "proved" });
        begun.elapsed()
    };
    let mut times: Vec<Duration> = std::thread::scope(|scope| {
        let ask = &ask;
        let client = |number: usize| {
            move || (0..rounds).map(|round| ask(number, round)).collect::<Vec<Duration>>()
        };
        let all: Vec<_> = (0..clients).map(|number| scope.spawn(client(number))).collect();
        all.into_iter().flat_map(|one| one.join().expect("an answer")).collect()
    });
    times.sort();
    assert_eq!(times.len(), clients * rounds);
    let at = |part: usize| times[(times.len() * part / 100).min(times.len() - 1)];
    println!("{clients} clients, {rounds} rounds: p50 {:?}, p99 {:?}", at(50), at(99));
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

/// `duet serve` becomes the server, which ends when it is told to.
#[test]
fn the_server_of_the_command_ends_by_a_signal() {
    let mut duet = Command::new(server::duet())
        .args(["serve", "--", "--listen=127.0.0.1:0"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("duet");
    let mut line = String::new();
    let mut output = BufReader::new(duet.stdout.take().expect("a pipe"));
    output.read_line(&mut line).expect("a line");
    assert!(line.starts_with("listening on http://127.0.0.1:"), "{line}");
    let asked = Command::new("kill").arg(duet.id().to_string()).status();
    assert!(asked.expect("kill").success());
    let end = Instant::now() + Duration::from_secs(20);
    let status = loop {
        match duet.try_wait().expect("a status") {
            Some(status) => break Some(status),
            None if Instant::now() > end => break None,
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let _ = duet.kill();
    assert_eq!(status.and_then(|status| status.code()), Some(0), "it goes on");
}

/// The hostile run of `scripts/hostile.py`, for a few seconds; docs/serve.md has a longer one.
#[test]
fn a_hostile_run_does_no_harm() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new("python3")
        .arg(root.join("scripts/hostile.py"))
        .args([
            "4",
            "--clients=1",
            "--senders=1",
            "--kernels=4",
            "--server",
            env!("CARGO_BIN_EXE_duet-serve"),
        ])
        .arg("--duet")
        .arg(server::duet())
        .output()
        .expect("python3");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("the server withstood it"), "{said}");
}
