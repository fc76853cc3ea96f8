//! The pages of the rules: `duet explain` shows them, the kernels on them do what
//! they say, and every rule of the page on `duet check` has one.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use duet_ir::{Rule, Severity};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules")
}

fn duet(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_duet"))
        .args(args)
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs")
}

/// The rules that have a page, with the page.
fn pages() -> Vec<(String, String)> {
    let mut pages: Vec<(String, String)> = std::fs::read_dir(folder())
        .expect("the folder of pages")
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let rule = path.file_stem().expect("a name").to_string_lossy().to_string();
            (rule, std::fs::read_to_string(path).expect("a page"))
        })
        .collect();
    pages.sort();
    pages
}

/// The kernel under a heading: its options and its source.
fn kernel<'p>(page: &'p str, heading: &str) -> Option<(Vec<&'p str>, &'p str)> {
    let section = page.split_once(&format!("## {heading}\n"))?.1;
    let (info, rest) = section.split_once("```")?.1.split_once('\n')?;
    Some((info.split(' ').skip(1).collect(), rest.split_once("```")?.0))
}

/// Checks a kernel; the exit code and all that was said.
fn check(source: &str, options: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("k.cu");
    std::fs::write(&file, source).expect("a file");
    let file = file.display().to_string();
    let output = duet(&[&["check", &file], options].concat());
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).to_string())
}

#[test]
fn failing_kernels_fail_and_mended_ones_are_proved() {
    let mut kernels = 0;
    for (rule, page) in pages() {
        let Some((options, fails)) = kernel(&page, "Fails") else { continue };
        kernels += 1;
        let (code, text) = check(fails, &options);
        // What is wrong with an annotation is no matter of a run.
        let shown = !["vacuous", "barrier-invariant-range", "misplaced-barrier-invariant"]
            .contains(&rule.as_str());
        let wanted = if shown { Some(1) } else { Some(2) };
        assert_eq!(code, wanted, "{rule}:\n{text}");
        let own = match rule.as_str() {
            // Without tolerance it is a race like any other.
            "benign-write-write-race" => "write-write-race",
            other => other,
        };
        assert!(text.contains(&format!("error[{own}]")), "{rule}:\n{text}");
        let (options, mended) = kernel(&page, "Mended").expect("a mended kernel");
        let (code, text) = check(mended, &options);
        assert_eq!(code, Some(0), "{rule}:\n{text}");
    }
    assert!(kernels >= 11, "only {kernels} pages have kernels");
}

#[test]
fn every_rule_is_explained() {
    let list = String::from_utf8(duet(&["explain"]).stdout).expect("UTF-8");
    for (rule, page) in pages() {
        assert!(list.contains(&format!("{rule}: ")), "`duet explain` does not list {rule}");
        let output = duet(&["explain", &rule]);
        assert_eq!(String::from_utf8(output.stdout).expect("UTF-8"), page);
    }
    assert_eq!(duet(&["explain", "D001"]).stdout, duet(&["explain", "write-write-race"]).stdout);
    assert_eq!(duet(&["explain", "no-such-rule"]).status.code(), Some(4));
}

/// Every rule that can be printed has a page, and every page is of such a rule.
#[test]
fn rules_and_pages_are_the_same() {
    let mut ids: Vec<&str> = Rule::ALL.iter().map(|rule| rule.id()).collect();
    ids.sort_unstable();
    let pages: Vec<String> = pages().into_iter().map(|(rule, _)| rule).collect();
    assert_eq!(ids, pages);
}

/// Code outside of the table names rules by `Rule`, never by the id's text. What is
/// called like a rule and is none: a property, and a rule of well-formed modules.
#[test]
fn no_rule_is_a_string_outside_of_the_table() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let allowed = [
        ("duet-check/src/report.rs", "barrier-divergence"),
        ("duet-ir/src/well_formed/mod.rs", "constant-write"),
    ];
    let mut files = vec![];
    for entry in std::fs::read_dir(&crates).expect("the crates") {
        rust_files(&entry.expect("an entry").path().join("src"), &mut files);
    }
    assert!(files.len() > 100, "only {} files", files.len());
    for file in files {
        let path = file.strip_prefix(&crates).expect("a file of a crate").display().to_string();
        // The table, and the list of the pages' files.
        if path == "duet-ir/src/rule.rs" || path.ends_with("/rule_pages.rs") {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("a source file");
        for id in Rule::ALL.iter().map(|rule| rule.id()).filter(|id| id.contains('-')) {
            let found = text.contains(&format!("\"{id}\""));
            assert!(!found || allowed.contains(&(path.as_str(), id)), "{path} has \"{id}\"");
        }
    }
}

/// The Rust files of a folder and its folders.
fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn codes_are_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/check.md");
    let text = std::fs::read_to_string(path).expect("docs/check.md");
    let documented: Vec<&str> = text.lines().filter(|line| line.starts_with("| D")).collect();
    let row = |rule: &Rule| {
        let severity = match rule.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        format!("| {} | `{rule}` | {severity} |", rule.code())
    };
    assert_eq!(documented, Rule::ALL.iter().map(row).collect::<Vec<_>>());
}

#[test]
fn every_rule_of_the_check_has_a_page() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/check.md");
    let text = std::fs::read_to_string(path).expect("docs/check.md");
    let rules = text.split_once("## Rules").expect("the rules").1;
    let table = rules.split_once("\n## ").expect("a next section").0;
    let name = regex::Regex::new("`([a-z]+(?:-[a-z]+)+|vacuous)`").expect("a pattern");
    let mut found = 0;
    for line in table.lines().filter(|line| line.starts_with("| `")) {
        let column = line.split('|').nth(1).expect("a first column");
        for rule in name.captures_iter(column) {
            found += 1;
            let page = folder().join(format!("{}.md", &rule[1]));
            assert!(page.is_file(), "`{}` has no page", &rule[1]);
        }
    }
    assert!(found >= 15, "only {found} rules in the table");
}
