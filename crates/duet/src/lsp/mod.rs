//! `duet lsp`: a language server. It holds no verification logic: each check is `duet check`
//! in a process of its own, on a copy of what the editor shows.
//!
//! | file | holds |
//! |---|---|
//! | this one | the server: messages of the editor, documents, when to check |
//! | `work` | checks in processes that can be ended |
//! | `source` | where kernels are in a text |
//! | `answers` | reports as diagnostics, hovers, edits and inlays |
//!
//! A document is checked after a pause in which nothing was typed. A change ends the check
//! that is under way. Two checks are made: a plain one, for diagnostics soon, and if a kernel
//! is not proved one that also looks for barriers and preconditions to offer as edits.

mod answers;
mod source;
mod work;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use serde_json::{Value, json};

use crate::exit::Exit;
use work::{Done, Stage, Work};

/// How long nothing is typed before a check, unless the editor says otherwise.
const PAUSE: Duration = Duration::from_millis(600);
/// How often finished checks are looked for while there are some.
const TICK: Duration = Duration::from_millis(20);

/// Options of `duet lsp`.
#[derive(clap::Args)]
pub struct Args {
    /// Speak on standard input and output (the only way there is; editors pass it)
    #[arg(long)]
    stdio: bool,
    /// An option of `duet check` for every check, such as --work=50 (may be repeated)
    #[arg(long = "check-option", value_name = "OPTION", allow_hyphen_values = true)]
    check_options: Vec<String>,
}

/// Runs the server until the editor ends it.
pub fn lsp(args: &Args) -> Exit {
    let (connection, threads) = Connection::stdio();
    let result = serve(&connection, &args.check_options);
    drop(connection);
    match result.and_then(|()| Ok(threads.join()?)) {
        Ok(()) => Exit::Proved,
        Err(error) => {
            eprintln!("error: {error}");
            Exit::Internal
        }
    }
}

fn serve(connection: &Connection, options: &[String]) -> Result<(), Box<dyn Error + Sync + Send>> {
    let capabilities = json!({
        "textDocumentSync": { "openClose": true, "change": 1, "save": true },
        "hoverProvider": true,
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "inlayHintProvider": true,
        "positionEncoding": "utf-16",
    });
    let told = connection.initialize(capabilities)?;
    let settings = &told["initializationOptions"];
    let mut options = options.to_vec();
    let words = settings["checkOptions"].as_array().into_iter().flatten();
    options.extend(words.filter_map(Value::as_str).map(str::to_string));
    let pause = settings["pauseMilliseconds"].as_u64().map_or(PAUSE, Duration::from_millis);
    let refreshes = &told["capabilities"]["workspace"]["inlayHint"]["refreshSupport"];
    let (done, results) = channel();
    let mut server = Server {
        connection,
        documents: BTreeMap::new(),
        options,
        pause,
        refreshes_inlays: refreshes.as_bool().unwrap_or(false),
        done,
        results,
        requests: 0,
    };
    server.run()
}

/// A document that the editor has open.
#[derive(Default)]
struct Document {
    path: PathBuf,
    text: String,
    version: i64,
    /// When it is to be checked.
    due: Option<Instant>,
    /// The check that is under way.
    work: Option<Work>,
    /// What the last check said, and of which version.
    report: Option<(i64, Value)>,
}

struct Server<'c> {
    connection: &'c Connection,
    documents: BTreeMap<String, Document>,
    options: Vec<String>,
    pause: Duration,
    refreshes_inlays: bool,
    done: Sender<Done>,
    results: Receiver<Done>,
    requests: i32,
}

impl Server<'_> {
    fn run(&mut self) -> Result<(), Box<dyn Error + Sync + Send>> {
        loop {
            let is_busy =
                self.documents.values().any(|one| one.due.is_some() || one.work.is_some());
            let wait = if is_busy { TICK } else { Duration::from_secs(3600) };
            match self.connection.receiver.recv_timeout(wait) {
                Ok(Message::Request(request)) => {
                    if self.connection.handle_shutdown(&request)? {
                        return Ok(());
                    }
                    let answer = self.answer(&request);
                    self.connection.sender.send(answer.into())?;
                }
                Ok(Message::Notification(notification)) => self.take_note(&notification)?,
                Ok(Message::Response(_)) => {}
                Err(error) if error.is_timeout() => {}
                Err(_) => return Ok(()),
            }
            while let Ok(done) = self.results.try_recv() {
                self.finish(done)?;
            }
            self.begin_what_is_due()?;
        }
    }

    fn take_note(
        &mut self,
        notification: &Notification,
    ) -> Result<(), Box<dyn Error + Sync + Send>> {
        let params = &notification.params;
        let document = &params["textDocument"];
        let uri = document["uri"].as_str().unwrap_or_default().to_string();
        let version = document["version"].as_i64().unwrap_or_default();
        match notification.method.as_str() {
            "textDocument/didOpen" => {
                let text = document["text"].as_str().unwrap_or_default();
                self.change(&uri, version, text);
            }
            "textDocument/didChange" => {
                let last = params["contentChanges"].as_array().and_then(|all| all.last());
                let text = last.and_then(|change| change["text"].as_str());
                self.change(&uri, version, text.unwrap_or_default());
            }
            "textDocument/didSave" => {
                if let Some(document) = self.documents.get_mut(&uri) {
                    // Files that it includes may have been saved too.
                    document.work = None;
                    document.due = Some(Instant::now());
                }
            }
            "textDocument/didClose" => {
                self.documents.remove(&uri);
                self.publish(&uri, None, vec![])?;
            }
            _ => {}
        }
        Ok(())
    }

    fn change(&mut self, uri: &str, version: i64, text: &str) {
        let Some(path) = source::path_of(uri) else { return };
        let document = self.documents.entry(uri.to_string()).or_default();
        document.path = path;
        document.text = text.to_string();
        document.version = version;
        // Dropping a check ends it.
        document.work = None;
        document.due = Some(Instant::now() + self.pause);
    }

    fn begin_what_is_due(&mut self) -> Result<(), Box<dyn Error + Sync + Send>> {
        let now = Instant::now();
        let mut failed = vec![];
        for (uri, document) in &mut self.documents {
            if document.due.is_some_and(|due| due <= now) {
                document.due = None;
                let begun = Work::begin(
                    (uri, document.version),
                    (&document.path, &document.text),
                    Stage::Plain,
                    &self.options,
                    self.done.clone(),
                );
                match begun {
                    Ok(work) => document.work = Some(work),
                    Err(error) => failed.push(error.to_string()),
                }
            }
        }
        failed.iter().try_for_each(|error| self.say(&format!("duet: {error}")))
    }

    /// Shows what a check said, unless the text has changed meanwhile.
    fn finish(&mut self, done: Done) -> Result<(), Box<dyn Error + Sync + Send>> {
        let Some(document) = self.documents.get_mut(&done.uri) else { return Ok(()) };
        if done.version != document.version {
            return Ok(());
        }
        document.work = None;
        let Some(report) = done.report else { return self.say(&done.message) };
        if done.stage == Stage::Plain && answers::has_open_kernels(&report) {
            let begun = Work::begin(
                (&done.uri, document.version),
                (&document.path, &document.text),
                Stage::WithEdits,
                &self.options,
                self.done.clone(),
            );
            document.work = begun.ok();
        }
        let diagnostics = answers::diagnostics(&report, &done.uri, &document.text);
        document.report = Some((done.version, report));
        self.publish(&done.uri, Some(done.version), diagnostics)?;
        if self.refreshes_inlays {
            self.requests += 1;
            let (id, method) = (self.requests.into(), "workspace/inlayHint/refresh".to_string());
            self.connection.sender.send(Request { id, method, params: Value::Null }.into())?;
        }
        Ok(())
    }

    fn publish(
        &self,
        uri: &str,
        version: Option<i64>,
        diagnostics: Vec<Value>,
    ) -> Result<(), Box<dyn Error + Sync + Send>> {
        let params = json!({ "uri": uri, "version": version, "diagnostics": diagnostics });
        self.notify("textDocument/publishDiagnostics", params)
    }

    /// A message for the editor's log.
    fn say(&self, message: &str) -> Result<(), Box<dyn Error + Sync + Send>> {
        self.notify("window/logMessage", json!({ "type": 2, "message": message }))
    }

    fn notify(&self, method: &str, params: Value) -> Result<(), Box<dyn Error + Sync + Send>> {
        let method = method.to_string();
        Ok(self.connection.sender.send(Notification { method, params }.into())?)
    }

    fn answer(&self, request: &Request) -> Response {
        let params = &request.params;
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        let document = self.documents.get(uri);
        // Places of an older text would be wrong.
        let known = document.and_then(|document| {
            let (version, report) = document.report.as_ref()?;
            (*version == document.version).then_some((document.text.as_str(), report))
        });
        let id = request.id.clone();
        match request.method.as_str() {
            "textDocument/hover" => {
                let found =
                    known.map(|(text, report)| answers::hover(report, text, &params["position"]));
                Response::new_ok(id, found.unwrap_or(Value::Null))
            }
            "textDocument/codeAction" => {
                let found = known
                    .map(|(text, report)| answers::actions(report, uri, text, &params["range"]));
                Response::new_ok(id, found.unwrap_or_default())
            }
            "textDocument/inlayHint" => {
                let found = known.map(|(text, report)| answers::inlays(report, uri, text));
                Response::new_ok(id, found.unwrap_or_default())
            }
            method => {
                let message = format!("there is no {method}");
                Response::new_err(id, ErrorCode::MethodNotFound as i32, message)
            }
        }
    }
}
