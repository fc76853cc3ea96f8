//! Holds the crate layering: a dependency of a crate of ours that the tables of
//! ARCHITECTURE.md do not allow fails here, and so does a line of those tables
//! that no longer says anything. Also holds who may call [`WellFormed::rewrite`].
//!
//! [`WellFormed::rewrite`]: duet_ir::WellFormed::rewrite

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

type Names = BTreeSet<String>;

/// What one crate may depend on.
#[derive(Default, Debug)]
struct Allowed {
    ours: Names,
    external: Names,
    tests: Names,
}

/// What one crate depends on.
#[derive(Default, Debug)]
struct Used {
    normal: Names,
    tests: Names,
}

fn workspace_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn architecture() -> String {
    std::fs::read_to_string(workspace_root().join("ARCHITECTURE.md")).unwrap()
}

/// The rows of the table between `<!-- name:begin -->` and `<!-- name:end -->`,
/// each cell as the list of its words in backquotes.
fn table(text: &str, name: &str) -> Vec<Vec<Names>> {
    let (_, rest) = text.split_once(&format!("<!-- {name}:begin -->")).expect(name);
    let (body, _) = rest.split_once(&format!("<!-- {name}:end -->")).expect(name);
    let rows = body.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.map(|row| row.trim_matches('|').split('|').map(quoted).collect()).collect()
}

/// The words of a text that stand in backquotes.
fn quoted(text: &str) -> Names {
    text.split('`').skip(1).step_by(2).map(str::to_string).collect()
}

fn allowed(text: &str) -> BTreeMap<String, Allowed> {
    let rows = table(text, "layering").into_iter().map(|row| {
        let [name, ours, external, tests] = row.try_into().expect("four columns");
        (name.first().expect("a crate").clone(), Allowed { ours, external, tests })
    });
    rows.collect()
}

/// The crates of the workspace and what their manifests ask for.
fn used() -> BTreeMap<String, Used> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version=1"])
        .current_dir(workspace_root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    packages.iter().map(|package| (name_of(package), dependencies(package))).collect()
}

fn name_of(object: &Value) -> String {
    object["name"].as_str().unwrap().to_string()
}

fn dependencies(package: &Value) -> Used {
    let mut used = Used::default();
    for dependency in package["dependencies"].as_array().unwrap() {
        let is_test = dependency["kind"] == "dev";
        let names = if is_test { &mut used.tests } else { &mut used.normal };
        names.insert(name_of(dependency));
    }
    used
}

/// One line per crate and dependency that the table does not allow.
fn violations(used: &BTreeMap<String, Used>, allowed: &BTreeMap<String, Allowed>) -> Vec<String> {
    let nothing = Allowed::default();
    let mut found = vec![];
    for (name, used) in used {
        let rule = allowed.get(name).unwrap_or(&nothing);
        let may = |name: &String| rule.ours.contains(name) || rule.external.contains(name);
        let normal = used.normal.iter().filter(|name| !may(name));
        let tests = used.tests.iter().filter(|name| !may(name) && !rule.tests.contains(*name));
        found.extend(normal.map(|other| format!("{name} must not depend on {other}")));
        found.extend(tests.map(|other| format!("the tests of {name} must not depend on {other}")));
    }
    found
}

#[test]
fn every_dependency_is_allowed() {
    let violations = violations(&used(), &allowed(&architecture()));
    assert!(violations.is_empty(), "ARCHITECTURE.md forbids:\n{}", violations.join("\n"));
}

#[test]
fn the_table_names_the_crates_that_there_are() {
    let in_table: Names = allowed(&architecture()).into_keys().collect();
    let in_workspace: Names = used().into_keys().collect();
    assert_eq!(in_table, in_workspace);
}

#[test]
fn the_layers_have_no_cycle() {
    let allowed = allowed(&architecture());
    for name in allowed.keys() {
        let below = reachable(name, &allowed);
        assert!(!below.contains(name), "{name} may depend on itself through {below:?}");
    }
}

/// Our crates that a crate may come to depend on.
fn reachable(name: &str, allowed: &BTreeMap<String, Allowed>) -> Names {
    let mut found = Names::new();
    let mut todo = vec![name.to_string()];
    while let Some(next) = todo.pop() {
        let ours = allowed.get(&next).map(|rule| rule.ours.clone()).unwrap_or_default();
        todo.extend(ours.into_iter().filter(|name| found.insert(name.clone())));
    }
    found
}

#[test]
fn every_external_crate_has_its_reason() {
    let text = architecture();
    let rules = allowed(&text);
    let named = rules.values().flat_map(|rule| rule.external.iter().chain(&rule.tests));
    let named: Names = named.filter(|name| !rules.contains_key(*name)).cloned().collect();
    let explained: Names =
        table(&text, "external").into_iter().flat_map(|row| row[0].clone()).collect();
    assert_eq!(named, explained, "the two tables of ARCHITECTURE.md differ");
}

#[test]
fn nothing_is_allowed_that_no_crate_uses() {
    let used = used();
    for (name, rule) in allowed(&architecture()) {
        let Some(used) = used.get(&name) else { continue };
        let stale: Vec<_> = rule.ours.iter().chain(&rule.external).collect();
        let stale = stale.into_iter().filter(|other| !used.normal.contains(*other));
        assert_eq!(stale.collect::<Vec<_>>(), Vec::<&String>::new(), "not used by {name}");
    }
}

/// The crates with a Rust file that contains this text, tests included.
fn crates_that_say(text: &str) -> Names {
    let crates = workspace_root().join("crates");
    let says = |folder: &Path| {
        rust_files(folder).iter().any(|file| std::fs::read_to_string(file).unwrap().contains(text))
    };
    let folders = std::fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path());
    let found = folders.filter(|folder| says(folder));
    found.map(|folder| folder.file_name().unwrap().to_string_lossy().to_string()).collect()
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = vec![];
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// A rewrite is checked in debug builds only, so no other crate may make modules by one.
#[test]
fn only_duet_transform_rewrites() {
    let method = "rewrite";
    let allowed = ["duet-ir", "duet-transform"].map(str::to_string);
    assert_eq!(crates_that_say(&format!(".{method}(")), allowed.into());
    assert_eq!(crates_that_say(&format!("WellFormed::{method}(")), Names::new());
    let in_place = format!(".{method}_in_place(");
    assert_eq!(
        crates_that_say(&in_place),
        ["duet-ir", "duet-transform"].map(str::to_string).into()
    );
}

#[test]
fn a_forbidden_dependency_is_found() {
    let allowed = BTreeMap::from([("low".to_string(), Allowed::default())]);
    let names = |name: &str| Names::from([name.to_string()]);
    let low = Used { normal: names("high"), tests: names("helper") };
    let used = BTreeMap::from([("low".to_string(), low)]);
    let expected = ["low must not depend on high", "the tests of low must not depend on helper"];
    assert_eq!(violations(&used, &allowed), expected);
}
