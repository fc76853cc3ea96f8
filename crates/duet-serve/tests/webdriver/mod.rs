//! Headless Chromium, moved by chromium-driver: as much of the WebDriver protocol as the tests
//! need. Typing and clicking go through the browser's own input, so what a page does with them
//! is what it does for a user.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The key of an element in the protocol's answers.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// How long a page may take to show what is waited for.
const LONGEST: Duration = Duration::from_secs(60);

/// A window of a browser of its own.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    /// Kept open: the driver ends when it cannot write.
    _output: BufReader<ChildStdout>,
    _profile: tempfile::TempDir,
}

/// An element of the page that is shown.
pub struct Element<'a> {
    browser: &'a Browser,
    id: String,
}

impl Browser {
    pub fn new() -> Browser {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts; if it is missing: apt-get install chromium-driver");
        let mut output = BufReader::new(driver.stdout.take().expect("a pipe"));
        let said = output.by_ref().lines().map_while(Result::ok).find_map(|line| {
            let port = line.split("successfully on port ").nth(1)?;
            port.trim_end_matches('.').parse().ok()
        });
        let port = said.expect("chromedriver says its port");
        let profile = tempfile::tempdir().expect("a folder");
        let data = format!("--user-data-dir={}", profile.path().display());
        let session = String::new();
        let mut browser = Browser { driver, port, session, _output: output, _profile: profile };
        let args = json!([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            data
        ]);
        let wanted = json!({ "browserName": "chrome", "goog:chromeOptions": { "args": args } });
        let made =
            browser.ask("POST", "/session", &json!({ "capabilities": { "alwaysMatch": wanted } }));
        browser.session = made["sessionId"].as_str().expect("a session").to_string();
        browser
    }

    /// Sends a command to the driver; its answer.
    #[track_caller]
    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the driver listens");
        stream.set_read_timeout(Some(2 * LONGEST)).expect("a time");
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).expect("the driver reads");
        let answer = read_answer(stream);
        let value = answer["value"].clone();
        assert!(value.get("error").is_none(), "{method} {path}: {value}");
        value
    }

    #[track_caller]
    fn in_session(&self, method: &str, command: &str, body: &Value) -> Value {
        self.ask(method, &format!("/session/{}/{command}", self.session), body)
    }

    /// Opens an address.
    pub fn open(&self, url: &str) {
        self.in_session("POST", "url", &json!({ "url": url }));
    }

    /// The address that is shown now.
    pub fn url(&self) -> String {
        self.in_session("GET", "url", &Value::Null).as_str().expect("an address").to_string()
    }

    /// What a function body returns in the page.
    #[track_caller]
    pub fn script(&self, body: &str) -> Value {
        self.in_session("POST", "execute/sync", &json!({ "script": body, "args": [] }))
    }

    /// The elements that a selector of CSS names.
    #[track_caller]
    pub fn all(&self, selector: &str) -> Vec<Element<'_>> {
        let body = json!({ "using": "css selector", "value": selector });
        let found = self.in_session("POST", "elements", &body);
        let found = found.as_array().expect("a list").clone();
        let id = |one: &Value| one[ELEMENT].as_str().expect("an element").to_string();
        found.iter().map(|one| Element { browser: self, id: id(one) }).collect()
    }

    /// The first of them, which may appear later.
    #[track_caller]
    pub fn wait(&self, selector: &str) -> Element<'_> {
        let end = Instant::now() + LONGEST;
        loop {
            if let Some(one) = self.all(selector).into_iter().next() {
                return one;
            }
            let text = self.script("return document.body.innerText;");
            assert!(Instant::now() < end, "no `{selector}` in\n{text}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The texts of all elements that a selector names, as they are shown.
    #[track_caller]
    pub fn texts(&self, selector: &str) -> Vec<String> {
        self.all(selector).iter().map(Element::text).collect()
    }
}

impl Element<'_> {
    #[track_caller]
    fn ask(&self, method: &str, command: &str, body: &Value) -> Value {
        self.browser.in_session(method, &format!("element/{}/{command}", self.id), body)
    }

    #[track_caller]
    pub fn click(&self) {
        self.ask("POST", "click", &json!({}));
    }

    /// Empties a field and types a text into it.
    #[track_caller]
    pub fn write(&self, text: &str) {
        self.ask("POST", "clear", &json!({}));
        self.ask("POST", "value", &json!({ "text": text }));
    }

    /// The text as it is shown; what is hidden has none.
    #[track_caller]
    pub fn text(&self) -> String {
        self.ask("GET", "text", &Value::Null).as_str().unwrap_or_default().to_string()
    }

    #[track_caller]
    pub fn property(&self, name: &str) -> Value {
        self.ask("GET", &format!("property/{name}"), &Value::Null)
    }

    #[track_caller]
    pub fn is_shown(&self) -> bool {
        self.ask("GET", "displayed", &Value::Null) == true
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The driver ends the browser when its session ends. Tests that fail end here too, so
        // nothing is asserted.
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
            let head = format!(
                "DELETE /session/{} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n",
                self.session, self.port
            );
            let _ = stream.set_read_timeout(Some(Duration::from_secs(10)));
            let _ = stream.write_all(head.as_bytes());
            let _ = stream.read(&mut [0; 64]);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The body of an answer, which is as long as its head says: the driver leaves connections open.
fn read_answer(stream: TcpStream) -> Value {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        let count = reader.read_line(&mut line).expect("the driver answers");
        let line = line.trim().to_ascii_lowercase();
        if let Some(number) = line.strip_prefix("content-length:") {
            length = number.trim().parse().expect("a length");
        }
        if count == 0 || line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a whole answer");
    serde_json::from_slice(&body).expect("JSON")
}
