//! The page of the server and the HTML report as a user has them: in headless Chromium, with
//! what is typed, clicked and shown.

mod server;
mod webdriver;

use std::process::Command;

use server::{FINE, RACY, Server, duet};
use webdriver::Browser;

/// A thread reads what its neighbour writes.
const SHIFT: &str = "__global__ void shift(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int next = a[i + 1];
  a[i] = next;
}
";

fn open(server: &Server) -> Browser {
    let browser = Browser::new();
    browser.open(&format!("http://{}/", server.address));
    // The examples come by a request of their own.
    browser.wait("#example option:nth-child(4)");
    browser
}

#[test]
fn a_pasted_kernel_gets_its_verdict() {
    let server = Server::new(&[]);
    let browser = open(&server);
    let check = |source: &str| {
        browser.wait("#source").write(source);
        browser.wait("#check").click();
    };
    check(SHIFT);
    assert_eq!(browser.wait("h2.refuted").text(), "shift: refuted");
    assert!(browser.texts("article h3")[0].starts_with("read-write-race: "));
    // Both accesses are marked in the source.
    let (first, second) = (browser.texts(".line.first"), browser.texts(".line.second"));
    assert_eq!((first.len(), second.len()), (1, 1), "{first:?} {second:?}");
    let mut both = [first[0].trim(), second[0].trim()];
    both.sort_unstable();
    assert_eq!(both, ["3    int next = a[i + 1];", "4    a[i] = next;"]);
    check(FINE);
    assert_eq!(browser.wait("h2.proved").text(), "k: proved");
    assert_eq!(browser.all("article").len(), 0, "the answer before is gone");
    // What the compiler says, with its line, and what the server refuses.
    check("__global__ void k(int *a) {\n  a[0] = ;\n}\n");
    let said = browser.wait("#answer p.refuted").text();
    assert!(said.starts_with("compile-error: ") && said.ends_with("(line 2)"), "{said}");
    check("#include \"/etc/passwd\"\n");
    let said = browser.wait("#answer p.error").text();
    assert!(said.contains("no header that may be included"), "{said}");
    // The sizes that are asked for.
    browser.wait("#block_dim").write("1");
    browser.wait("#grid_dim").write("1");
    check(RACY);
    assert_eq!(browser.wait("h2.proved").text(), "k: proved");
    server.assert_clean();
}

#[test]
fn examples_are_chosen_and_links_hold_the_text() {
    let server = Server::new(&[]);
    let browser = open(&server);
    let names = browser.texts("#example option");
    let number = names.iter().position(|name| name == "a race and its barrier").expect("a race");
    browser.all("#example option")[number].click();
    let source = browser.wait("#source").property("value");
    assert!(source.as_str().is_some_and(|text| text.contains("__global__")), "{source}");
    browser.wait("#check").click();
    let verdicts = browser.wait("#answer h2").text();
    assert!(verdicts.contains(": "), "{verdicts}");
    // The link has the text, and whoever follows it sees the text and the verdict.
    browser.wait("#source").write("// grüße\n__global__ void k(int *a) { a[0] = threadIdx.x; }");
    browser.wait("#link").click();
    let link = browser.url();
    assert!(link.contains("/#"), "{link}");
    let other = Browser::new();
    other.open(&link);
    assert_eq!(other.wait("h2.refuted").text(), "k: refuted");
    let source = other.wait("#source").property("value");
    assert_eq!(source, "// grüße\n__global__ void k(int *a) { a[0] = threadIdx.x; }");
    // The fragment is no part of any request, so the server has nothing to store.
    let (_, metrics) = server.get("/metrics");
    assert!(metrics.contains("duet_requests_total"), "{metrics}");
    server.assert_clean();
}

/// The report in a frame of the page: its pictures are there, and its script works there.
#[test]
fn the_full_report_is_shown_in_the_page() {
    let server = Server::new(&[]);
    let browser = open(&server);
    browser.wait("#source").write(SHIFT);
    browser.wait("#full").click();
    let frame = browser.wait("#answer iframe");
    assert!(frame.is_shown());
    let page = frame.property("srcdoc");
    let page = page.as_str().expect("a page");
    assert!(page.contains("<svg") && page.contains("read-write-race"), "no picture");
    assert!(!page.contains("src=\"http") && !page.contains("href=\"http"), "it loads something");
}

#[test]
fn the_report_of_the_command_line_works_in_a_browser() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("fine.cu", FINE), ("shift.cu", SHIFT)] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let z3 = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.duet/z3/bin/z3");
    let output = Command::new(duet())
        .current_dir(folder.path())
        .args(["check", ".", "--format=html"])
        .env("DUET_Z3", z3)
        .output()
        .expect("duet");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let page = folder.path().join("report.html");
    std::fs::write(&page, output.stdout).expect("a file");
    let browser = Browser::new();
    browser.open(&format!("file://{}", page.display()));
    assert_eq!(browser.texts(".badge.refuted").len(), 2, "in the overview and at the kernel");
    assert_eq!(browser.wait("#shown").text(), "1 of 1 findings shown");
    // Both accesses are marked, and each leads to the other.
    assert_eq!(browser.all("mark.first").len(), 1);
    assert_eq!(browser.all("mark.second").len(), 1);
    let drawn = browser.script(
        "return [...document.querySelectorAll('svg')].every((one) => one.getBoundingClientRect().width > 50);",
    );
    assert_eq!((browser.all("svg").is_empty(), drawn), (false, true.into()));
    // Proved kernels can be hidden, and come back.
    let shown = || browser.all("article.kernel").iter().filter(|one| one.is_shown()).count();
    assert_eq!(shown(), 2);
    browser.wait("input[value=proved]").click();
    assert_eq!(shown(), 1);
    browser.wait("input[value=proved]").click();
    assert_eq!(shown(), 2);
    let loaded = browser.script("return performance.getEntriesByType('resource').length;");
    assert_eq!(loaded, 0, "the page needs nothing else");
}
