//! The page, as a tree: what is in it, that all of it is escaped and linked, and that
//! it needs nothing from elsewhere. `in_a_browser` looks at what the script does.

mod dom;

use std::process::Command;

use dom::{Node, parse};
use duet_ir::{Diagnostic, Rule, SourceSpan};
use duet_report::{
    KernelResult, Memory, MemoryAccess, Reported, Run, Sources, SuppressedBy, Suppression, Witness,
    WitnessThread, render_html,
};

/// Whatever is shown of it must not become markup.
const EVIL: &str = "<script>alert(1)</script>\" onload='x' &amp; `a<b>`";

fn span(file: &str, line: u32, column: u32) -> SourceSpan {
    SourceSpan { file: file.into(), line, column }
}

fn race(file: &str) -> Reported {
    let mut diagnostic =
        Diagnostic::new(Rule::ReadWriteRace, "a thread reads `a[1]` while another writes it")
            .at(Some(span(file, 4, 3)))
            .note("the first note")
            .note("to see it again:\nduet run k.cu")
            .help("put a `__syncthreads()` between");
    diagnostic.label = Some("thread 1 writes".into());
    diagnostic.secondary = vec![(span(file, 2, 11), "thread 0 reads".into())];
    let thread = |name: &str, action: &str, line| WitnessThread {
        name: name.into(),
        action: action.into(),
        line: Some(line),
        since: Some(1),
        until: None,
        iterations: vec![(2, 3)],
    };
    let access = |offset, bytes, action: &str, value: Option<&str>| MemoryAccess {
        offset,
        bytes,
        action: action.into(),
        value: value.map(str::to_owned),
    };
    let witness = Witness {
        launch: vec![("grid".into(), "1".into()), ("block".into(), "2 × 2".into())],
        arguments: vec![("n".into(), "7".into())],
        contents: vec![("a".into(), "zero".into())],
        threads: vec![
            thread("thread 1, block 0", "writes", 4),
            thread("thread 0, block 0", "reads", 2),
        ],
        memory: Some(Memory {
            array: "a".into(),
            element: 4,
            size: None,
            accesses: vec![access(4, 4, "writes", Some("0x00000001")), access(6, 4, "reads", None)],
            overlap: Some((6, 2)),
        }),
        command: "duet run k.cu --arg n=7".into(),
    };
    Reported { diagnostic, is_refuted: true, suppression: None, witness: Some(witness) }
}

fn kernel(name: &str, verdict: &str, findings: Vec<Reported>) -> KernelResult {
    KernelResult {
        name: name.into(),
        verdict: verdict.into(),
        launch: "blockDim = [4], gridDim = [1]".into(),
        assumptions: vec!["no signed overflow".into()],
        findings,
    }
}

fn warning(file: &str) -> Reported {
    let diagnostic =
        Diagnostic::new(Rule::MissingRestrict, "`a` and `b` are assumed to be distinct")
            .at(Some(span(file, 1, 0)));
    Reported { diagnostic, is_refuted: false, suppression: None, witness: None }
}

fn sources() -> Sources {
    let mut sources = Sources::new();
    for file in ["k.cu", "other.cl"] {
        sources.insert(file, "barrier();\nint x = 1 < a[i];\nint y;\n  a[i + 1] = x & 3;\n}\n");
    }
    sources
}

fn run(file: &str, kernels: Vec<KernelResult>) -> Run {
    Run { file: file.into(), version: "1.0".into(), exit_code: 1, kernels, messages: vec![] }
}

fn page(runs: &[Run]) -> Node {
    let html = render_html(runs, &mut sources());
    parse(&html).unwrap_or_else(|problem| panic!("{problem}\n{html}"))
}

fn two_files() -> Vec<Run> {
    let first = vec![kernel("one", "refuted", vec![race("k.cu"), warning("k.cu")])];
    let second = vec![kernel("two", "proved", vec![]), kernel("three", "proved", vec![])];
    vec![run("k.cu", first), run("other.cl", second)]
}

#[test]
fn counts_and_boxes_come_first() {
    let page = page(&two_files());
    let counts: Vec<String> = page.all(".count").iter().map(|one| one.text()).collect();
    let expected = ["3 kernels", "1 refuted", "0 unproven", "0 vacuous", "2 proved", "1 warnings"];
    assert_eq!(counts[..6], expected);
    let values = |name: &str| -> Vec<String> {
        let boxes = page.all("input");
        let named = boxes.iter().filter(|one| one.attribute("name") == Some(name));
        named.filter_map(|one| one.attribute("value")).map(str::to_owned).collect()
    };
    assert_eq!(values("verdict"), ["refuted", "proved"]);
    assert_eq!(values("rule"), ["missing-restrict", "read-write-race"]);
    let rows: Vec<String> = page.all(".overview tr").iter().map(|row| row.text()).collect();
    assert_eq!(rows.len(), 4);
    assert!(rows[1].starts_with("k.cu") && rows[1].contains("refuted"), "{rows:?}");
    assert_eq!(
        page.all("h2").iter().map(|one| one.text()).collect::<Vec<_>>(),
        ["k.cu", "other.cl"]
    );
}

#[test]
fn both_accesses_are_marked_and_linked() {
    let page = page(&[run("k.cu", vec![kernel("one", "refuted", vec![race("k.cu")])])]);
    let finding = &page.all(".finding")[0];
    assert_eq!(finding.attribute("data-rule"), Some("read-write-race"));
    let lines: Vec<String> = finding.all(".line").iter().map(|line| line.text()).collect();
    assert_eq!(lines[1], "2int x = 1 < a[i];", "the source is shown as it is");
    let marks: Vec<(String, String)> = finding
        .all("mark")
        .iter()
        .map(|mark| (mark.attribute("class").unwrap_or_default().to_owned(), mark.text()))
        .collect();
    assert_eq!(marks, [("second".into(), "<".into()), ("first".into(), "a".into())]);
    let labels = finding.all(".label");
    assert_eq!(labels[0].text(), "B thread 0 reads A in line 4");
    assert_eq!(labels[1].text(), "A thread 1 writes B in line 2");
    assert_eq!(labels[1].attribute("id"), Some("finding-1-A"));
    assert_eq!(labels[0].all("a")[0].attribute("href"), Some("#finding-1-A"));
    assert_eq!(finding.all("h4 code")[0].text(), "a[1]");
}

#[test]
fn the_run_is_tables_and_pictures() {
    let page = page(&[run("k.cu", vec![kernel("one", "refuted", vec![race("k.cu")])])]);
    let rows: Vec<String> = page.all(".values tr").iter().map(|row| row.text()).collect();
    assert_eq!(rows, ["grid1", "block2 × 2", "n7", "azero"]);
    let threads = &page.all(".threads")[0];
    let words: Vec<String> = threads.all("text").iter().map(|text| text.text()).collect();
    assert_eq!(words[..2], ["barrier in line 1", "end of the kernel"]);
    assert!(words.contains(&"writes, line 4, iteration 3".to_string()), "{words:?}");
    assert_eq!(threads.all(".dot").len(), 2);
    assert_eq!(threads.all(".meets").len(), 1);
    let memory = &page.all(".memory")[0];
    assert_eq!(memory.all(".bar").len(), 2);
    let number = |node: &Node, name: &str| -> i64 {
        node.attribute(name).and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{name}"))
    };
    let extent = |node: &Node| (number(node, "x"), number(node, "x") + number(node, "width"));
    let bars = memory.all(".bar");
    let (first, second, both) =
        (extent(&bars[0]), extent(&bars[1]), extent(&memory.all(".overlap")[0]));
    assert_eq!(both, (second.0, first.1), "the overlap is where the bars are both");
    assert!(first.0 < second.0 && first.1 < second.1);
    assert!(memory.text().contains("bytes 6 to 7 are touched by both"));
}

#[test]
fn nothing_leaves_the_pictures() {
    let far = |offset: i64, bytes, size| {
        let mut one = race("k.cu");
        let memory = one.witness.as_mut().and_then(|witness| witness.memory.as_mut()).unwrap();
        memory.accesses = vec![MemoryAccess { offset, bytes, action: "reads".into(), value: None }];
        (memory.size, memory.overlap) = (size, None);
        one
    };
    for one in [
        far(-8, 4, Some(64)),
        far(64, 16, Some(64)),
        far(1 << 40, 4, Some(64)),
        far(i64::MAX - 3, 4, Some(64)),
        far(i64::MIN, 4, None),
        far(0, 1, Some(0)),
    ] {
        let page = page(&[run("k.cu", vec![kernel("one", "refuted", vec![one])])]);
        let rects = page.all("rect");
        assert!(rects.len() < 300, "{} cells", rects.len());
        for rect in rects {
            let number = |name| rect.attribute(name).and_then(|text| text.parse().ok());
            let (x, width): (i64, i64) = (number("x").unwrap(), number("width").unwrap());
            assert!(x >= 0 && width > 0 && x + width <= 380, "{x} {width}");
        }
    }
}

#[test]
fn notes_and_what_is_accepted_are_folded() {
    let mut accepted = race("k.cu");
    accepted.suppression =
        Some(Suppression { by: SuppressedBy::Comment, reason: "it is meant".into() });
    let page = page(&[run("k.cu", vec![kernel("one", "refuted", vec![accepted])])]);
    let fold = &page.all("details.accepted")[0];
    assert!(fold.text().starts_with("accepted (comment): it is meant"));
    assert_eq!(fold.all(".finding").len(), 1);
    assert_eq!(fold.all("details.notes summary")[0].text(), "1 note");
    assert_eq!(fold.all("details.command pre")[0].text(), "duet run k.cu --arg n=7");
    assert!(page.all("td").iter().any(|cell| cell.text() == "1 (1 accepted)"));
    assert!(page.all("details").iter().all(|one| one.attribute("open").is_none()));
}

#[test]
fn all_of_it_is_escaped() {
    let mut one = race("k.cu");
    one.diagnostic.headline = EVIL.into();
    one.diagnostic.label = Some(EVIL.into());
    one.diagnostic.secondary[0].1 = EVIL.into();
    one.diagnostic.notes = vec![EVIL.into()];
    one.diagnostic.help = Some(EVIL.into());
    let witness = one.witness.as_mut().expect("a witness");
    witness.command = EVIL.into();
    witness.arguments = vec![(EVIL.into(), EVIL.into())];
    witness.threads[0].name = EVIL.into();
    witness.threads[1].action = EVIL.into();
    let memory = witness.memory.as_mut().expect("memory");
    memory.array = EVIL.into();
    memory.accesses[0].value = Some(EVIL.into());
    let mut evil = kernel(EVIL, "refuted", vec![one]);
    evil.launch = EVIL.into();
    evil.assumptions = vec![EVIL.into()];
    let mut run = run(EVIL, vec![evil]);
    run.messages = vec![Diagnostic::new(Rule::CompileError, EVIL)];
    let mut sources = sources();
    sources.insert("k.cu", format!("{EVIL}\n{EVIL}\n{EVIL}\n{EVIL}\n"));
    let html = render_html(&[run.clone(), run], &mut sources);
    let page = parse(&html).unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(page.all("script").len(), 1, "only our own");
    assert!(page.everything().iter().all(|node| node.attribute("onload").is_none()));
    let shown = EVIL.replace('`', "");
    assert!(page.all("h4").iter().any(|one| one.text().contains(&shown)), "it is shown");
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let html = render_html(&two_files(), &mut sources());
    let page = parse(&html).expect("a tree");
    for node in page.everything() {
        assert!(!["link", "img", "iframe", "object", "embed"].contains(&node.tag.as_str()));
        for (name, value) in &node.attributes {
            assert!(!["src", "srcset", "data", "action"].contains(&name.as_str()), "{name}");
            assert!(!value.contains("//"), "{name}={value}");
        }
    }
    for sign in ["@import", "url(", "http:", "https:", "fetch(", "import("] {
        assert!(!html.contains(sign), "{sign}");
    }
    let ids: Vec<&str> = page.everything().iter().filter_map(|node| node.attribute("id")).collect();
    let mut unique = ids.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), ids.len(), "each id is there once");
    for link in page.all("a") {
        let target = link.attribute("href").and_then(|href| href.strip_prefix('#'));
        assert!(target.is_some_and(|target| ids.contains(&target)), "{:?}", link.attribute("href"));
    }
}

#[test]
fn a_file_without_kernels_has_its_messages() {
    let mut run = run("k.cu", vec![]);
    run.messages =
        vec![Diagnostic::new(Rule::CompileError, "expected `;`").at(Some(span("k.cu", 2, 5)))];
    let page = page(&[run]);
    assert!(page.all("main")[0].text().contains("There is no kernel."));
    assert_eq!(page.all(".finding.error h4")[0].text(), "compile-error expected ;");
}

/// The page in headless Chromium after `script` has run in it.
fn in_a_browser(runs: &[Run], script: &str) -> Node {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "page-{}",
        script.bytes().fold(0u64, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()))
    ));
    std::fs::create_dir_all(&folder).expect("a folder");
    let html = render_html(runs, &mut sources());
    let html = html.replace("</body>", &format!("<script>{script}</script></body>"));
    std::fs::write(folder.join("page.html"), html).expect("a file");
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", folder.join("page.html").display()))
        .output()
        .expect("chromium (`make setup` installs it)");
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    parse(&dom).unwrap_or_else(|problem| panic!("{problem}\n{dom}"))
}

fn shown(page: &Node, selector: &str) -> usize {
    page.all(selector).iter().filter(|one| one.attribute("hidden").is_none()).count()
}

#[test]
fn boxes_show_and_hide() {
    let untick = |value: &str| {
        format!("const box = document.querySelector('input[value={value}]'); box.click();")
    };
    let page = in_a_browser(&two_files(), "");
    assert_eq!((shown(&page, "article"), shown(&page, ".finding")), (3, 2));
    assert_eq!(page.all("output")[0].text(), "2 of 2 findings shown");
    let page = in_a_browser(&two_files(), &untick("proved"));
    assert_eq!((shown(&page, "article"), shown(&page, ".overview tr")), (1, 2));
    let page = in_a_browser(&two_files(), &untick("missing-restrict"));
    assert_eq!((shown(&page, "article"), shown(&page, ".finding")), (1, 1));
    assert_eq!(page.all("output")[0].text(), "1 of 2 findings shown");
}

/// Nothing is wider than a narrow window, but for source lines, which scroll.
#[test]
fn a_narrow_window_is_wide_enough() {
    let script = "const wide = [...document.querySelectorAll('main, header, .finding, svg, table, pre, .picture')]\
        .filter((one) => one.getBoundingClientRect().right > 400).length;\
        document.body.setAttribute('data-wide', wide + ',' + document.documentElement.scrollWidth);";
    let frame = format!(
        "if (window === top && !document.querySelector('iframe.narrow')) {{\
         document.documentElement.style.width = '400px'; document.body.style.width = '400px'; {script} }}"
    );
    let page = in_a_browser(&two_files(), &frame);
    let wide = page.all("body")[0].attribute("data-wide").map(str::to_owned);
    assert!(wide.as_deref().is_some_and(|wide| wide.starts_with("0,")), "{wide:?}");
}
