//! `duet lsp` as an editor sees it: messages over pipes, as the extension for VS Code sends
//! them.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

const RACY: &str = "__global__ void turn(int *out) {
  __shared__ int part[64];
  part[threadIdx.x] = out[64 * blockIdx.x + threadIdx.x];
  out[64 * blockIdx.x + threadIdx.x] = part[63 - threadIdx.x];
}
";
const FINE: &str =
    "__global__ void put(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n";
/// Takes its time: the loop's bound is any number.
const SLOW: &str = "__global__ void mix(int *a, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      a[(i * 37 + j * threadIdx.x) % n] += a[(j * 11 + i * threadIdx.x) % m];
      __syncthreads();
    }
}
";

struct Editor {
    server: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    /// Messages that came while others were waited for.
    kept: Vec<Value>,
    number: i64,
    folder: tempfile::TempDir,
}

fn read_message(output: &mut BufReader<ChildStdout>) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        output.read_line(&mut line).ok().filter(|&count| count > 0)?;
        match line.trim() {
            "" => break,
            line => {
                if let Some(number) = line.strip_prefix("Content-Length: ") {
                    length = number.parse().expect("a length");
                }
            }
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

impl Editor {
    fn new(options: &[&str]) -> Editor {
        let folder = tempfile::tempdir().expect("a folder");
        let mut server = Command::new(env!("CARGO_BIN_EXE_duet"))
            .args(["lsp", "--stdio"])
            .env("XDG_CACHE_HOME", folder.path().join("cache"))
            .env("TMPDIR", folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let input = server.stdin.take().expect("a pipe");
        let mut output = BufReader::new(server.stdout.take().expect("a pipe"));
        let (send, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read_message(&mut output) {
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        let mut editor = Editor { server, input, messages, kept: vec![], number: 0, folder };
        let settings = json!({ "pauseMilliseconds": 50, "checkOptions": options });
        let told = editor.ask(
            "initialize",
            json!({ "processId": null, "rootUri": null, "capabilities": {}, "initializationOptions": settings }),
        );
        assert_eq!(told["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("sent");
        self.input.flush().expect("sent");
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let number = self.number;
        self.send(&json!({ "jsonrpc": "2.0", "id": number, "method": method, "params": params }));
        self.wait(|message| message["id"] == number && message["method"].is_null())["result"]
            .clone()
    }

    /// The first message of a kind.
    #[track_caller]
    fn wait(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&is_wanted) {
            return self.kept.remove(at);
        }
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let message = self.messages.recv_timeout(left).expect("a message in time");
            if is_wanted(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}", self.folder.path().join(name).display())
    }

    fn open(&mut self, name: &str, text: &str) -> String {
        let uri = self.uri(name);
        let document = json!({ "uri": uri, "languageId": "cuda-cpp", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        uri
    }

    fn change(&mut self, uri: &str, version: i64, text: &str) {
        let document = json!({ "uri": uri, "version": version });
        let changes = json!([{ "text": text }]);
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", params);
    }

    /// The next diagnostics of a version.
    #[track_caller]
    fn diagnostics(&mut self, uri: &str, version: i64) -> Vec<Value> {
        let message = self.wait(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && message["params"]["version"] == version
        });
        message["params"]["diagnostics"].as_array().expect("diagnostics").clone()
    }

    fn at(&mut self, method: &str, uri: &str, line: u64) -> Value {
        let document = json!({ "uri": uri });
        let position = json!({ "line": line, "character": 20 });
        let range = json!({ "start": position, "end": position });
        let context = json!({ "diagnostics": [] });
        self.ask(
            method,
            json!({ "textDocument": document, "position": position, "range": range, "context": context }),
        )
    }

    fn end(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        let status = self.server.wait().expect("an end");
        assert_eq!(status.code(), Some(0));
        let left: Vec<_> = std::fs::read_dir(self.folder.path())
            .expect("a folder")
            .filter_map(|item| item.ok()?.file_name().into_string().ok())
            .filter(|name| name.starts_with("duet-lsp"))
            .collect();
        assert!(left.is_empty(), "files are left: {left:?}");
    }
}

/// Puts the first edit of an action into the text.
fn edited(text: &str, action: &Value, uri: &str) -> String {
    let edit = &action["edit"]["changes"][uri][0];
    let start = &edit["range"]["start"];
    let line = start["line"].as_u64().expect("a line") as usize;
    let before: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let at = before + start["character"].as_u64().expect("a column") as usize;
    format!("{}{}{}", &text[..at], edit["newText"].as_str().expect("a text"), &text[at..])
}

/// Nothing is saved: what counts is what the editor shows. The barrier that is offered is one
/// that was checked.
#[test]
fn a_race_is_shown_and_mended() {
    let mut editor = Editor::new(&["--block-dim=64"]);
    let uri = editor.open("turn.cu", RACY);
    let found = editor.diagnostics(&uri, 1);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["code"], "read-write-race");
    assert_eq!(found[0]["severity"], 1);
    let lines = [&found[0]["range"], &found[0]["relatedInformation"][0]["location"]["range"]]
        .map(|range| range["start"]["line"].as_u64().expect("a line"));
    assert!(lines == [2, 3] || lines == [3, 2], "{found:?}");
    // The second check brings the edits.
    editor.diagnostics(&uri, 1);
    let line = found[0]["range"]["start"]["line"].as_u64().expect("a line");
    let actions = editor.at("textDocument/codeAction", &uri, line);
    let titles: Vec<&str> = actions
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["title"].as_str())
        .collect();
    let barrier = titles.iter().position(|title| title.contains("Insert `__syncthreads();`"));
    let accept = titles.iter().position(|title| title.contains("Accept this `read-write-race`"));
    let (barrier, accept) = (barrier.expect("a barrier"), accept.expect("a comment"));
    let mended = edited(RACY, &actions[barrier], &uri);
    editor.change(&uri, 2, &mended);
    assert!(editor.diagnostics(&uri, 2).is_empty());
    // A comment counts once it has a reason.
    let accepted = edited(RACY, &actions[accept], &uri).replace(") \n", ") halves are alike\n");
    editor.change(&uri, 3, &accepted);
    assert!(editor.diagnostics(&uri, 3).is_empty(), "{accepted}");
    editor.end();
}

#[test]
fn hovers_and_inlays_tell_the_verdict() {
    let mut editor = Editor::new(&[]);
    let text =
        format!("{FINE}int main() {{ int *a; cudaMalloc(&a, 4096); put<<<8, 128>>>(a); }}\n");
    let uri = editor.open("put.cu", &text);
    assert!(editor.diagnostics(&uri, 1).is_empty());
    let hover = editor.at("textDocument/hover", &uri, 0);
    let shown = hover["contents"]["value"].as_str().expect("a text");
    assert!(shown.contains("proved") && shown.contains("<<<8, 128>>> at put.cu:2"), "{shown}");
    let inlays = editor.at("textDocument/inlayHint", &uri, 0);
    let found: Vec<(u64, &str)> = inlays
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| {
            let line = one["position"]["line"].as_u64().expect("a line");
            (line, one["label"].as_str().expect("a text").trim())
        })
        .collect();
    assert_eq!(found, [(1, "proved"), (0, "proved")]);
    assert_eq!(editor.at("textDocument/hover", &uri, 9), Value::Null);
    editor.end();
}

/// A precondition that was found can be put into the kernel, and is a proof.
#[test]
fn a_precondition_is_offered() {
    let mut editor = Editor::new(&[]);
    let text = "__global__ void put(int *out, int at) { out[threadIdx.x * at] = threadIdx.x; }\n";
    let uri = editor.open("put.cu", text);
    assert!(!editor.diagnostics(&uri, 1).is_empty());
    editor.diagnostics(&uri, 1);
    let actions = editor.at("textDocument/codeAction", &uri, 0);
    let found = actions
        .as_array()
        .expect("a list")
        .iter()
        .find(|one| one["title"].as_str().is_some_and(|title| title.starts_with("Require `")));
    let mended = edited(text, found.expect("a precondition"), &uri);
    editor.change(&uri, 2, &mended);
    assert!(editor.diagnostics(&uri, 2).is_empty(), "{mended}");
    editor.end();
}

/// A change ends the check of what was there before: its answer never comes, and no process
/// stays behind.
#[test]
fn a_stale_check_is_ended() {
    let mut editor = Editor::new(&["--work=1000000", "--timeout=0"]);
    let uri = editor.open("mix.cu", SLOW);
    std::thread::sleep(Duration::from_millis(1500));
    editor.change(&uri, 2, FINE);
    assert!(editor.diagnostics(&uri, 2).is_empty());
    let is_old = |message: &Value| message["params"]["version"] == 1;
    assert!(!editor.kept.iter().any(is_old), "{:?}", editor.kept);
    let server = editor.server.id();
    let end = Instant::now() + Duration::from_secs(20);
    while children(server) > 0 {
        assert!(Instant::now() < end, "a check is still running");
        std::thread::sleep(Duration::from_millis(50));
    }
    editor.end();
}

/// How many processes have this one as their parent.
fn children(of: u32) -> usize {
    let path = format!("/proc/{of}/task");
    let tasks = std::fs::read_dir(path).expect("a process").filter_map(Result::ok);
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    lists.map(|list| list.split_whitespace().count()).sum()
}

/// A file that does not compile is said, and a closed document has no diagnostics.
#[test]
fn what_cannot_be_read_is_said() {
    let mut editor = Editor::new(&[]);
    let uri = editor.open("bad.cu", "__global__ void k(int *a) { a[0] = ; }\n");
    let found = editor.diagnostics(&uri, 1);
    assert!(!found.is_empty());
    assert_eq!(found[0]["range"]["start"]["line"], 0);
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    let message = editor.wait(|message| {
        message["method"] == "textDocument/publishDiagnostics"
            && message["params"]["diagnostics"].as_array().is_some_and(Vec::is_empty)
    });
    assert_eq!(message["params"]["uri"], uri);
    editor.end();
}
