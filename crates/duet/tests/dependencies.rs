//! What we take from others: only under licences that let Duet be MIT or Apache-2.0, in
//! one version each where possible, and nothing that is not used.
//!
//! Known vulnerabilities are not looked for here: the list of them is on the network,
//! and tests do without it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Licences that ask for no more than a notice.
const LICENCES: &[&str] = &[
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Packages that are there in several versions, with the reason.
const SEVERAL_VERSIONS: &[(&str, &str)] = &[
    ("getrandom", "jsonschema, of tests only, has not moved to the version of tempfile"),
    ("r-efi", "a part of getrandom for machines that we do not run on"),
    ("strum", "jsonschema and serde-sarif, both of tests only, disagree"),
    ("strum_macros", "comes with strum"),
    ("syn", "used while building only; derive macros have not all moved to version 3"),
];

/// Dependencies that no source names, with the reason.
const NOT_NAMED: &[(&str, &str)] = &[];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The packages that a build on this machine takes, as cargo describes them.
fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--locked", "--format-version=1", "--filter-platform"])
        .arg(format!("{}-unknown-linux-gnu", std::env::consts::ARCH))
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let nodes = metadata["resolve"]["nodes"].as_array().expect("nodes");
    let ids: BTreeSet<&str> = nodes.iter().filter_map(|node| node["id"].as_str()).collect();
    let packages = metadata["packages"].as_array().expect("packages").iter();
    packages.filter(|one| one["id"].as_str().is_some_and(|id| ids.contains(id))).cloned().collect()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or("")
}

/// May we use something under this licence? Of alternatives one is enough; of what is
/// joined by AND each is needed.
fn may_use(licence: &str) -> bool {
    let licence = licence.replace(" / ", " OR ").replace('/', " OR ");
    let one = |part: &str| LICENCES.contains(&part.trim().trim_matches(['(', ')']));
    let alternatives = |part: &str| part.trim_matches(['(', ')']).split(" OR ").any(one);
    licence.split(" AND ").all(|part| alternatives(part.trim()))
}

#[test]
fn licences_are_allowed() {
    let packages = packages();
    assert!(packages.len() > 100, "only {} packages", packages.len());
    let wrong = packages.iter().filter(|one| !may_use(text(one, "license")));
    let wrong: Vec<String> =
        wrong.map(|one| format!("{}: {:?}", text(one, "name"), text(one, "license"))).collect();
    assert_eq!(wrong, Vec::<String>::new(), "not on the list of licences");
}

#[test]
fn licences_are_read_as_they_are_meant() {
    assert!(may_use("MIT") && may_use("MIT/Apache-2.0") && may_use("GPL-3.0 OR MIT"));
    assert!(may_use("(MIT OR Apache-2.0) AND Unicode-3.0"));
    assert!(may_use("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT"));
    assert!(!may_use("GPL-3.0") && !may_use("") && !may_use("MIT AND GPL-3.0"));
    assert!(!may_use("(MIT OR Apache-2.0) AND GPL-2.0"));
}

/// The names in Cargo.lock that have several versions, on whatever machine.
fn duplicates(lock: &str) -> BTreeSet<String> {
    let mut versions: BTreeMap<&str, usize> = BTreeMap::new();
    for name in lock.lines().filter_map(|line| line.strip_prefix("name = ")) {
        *versions.entry(name.trim_matches('"')).or_default() += 1;
    }
    let several = versions.into_iter().filter(|(_, count)| *count > 1);
    several.map(|(name, _)| name.to_string()).collect()
}

#[test]
fn each_package_has_one_version() {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).expect("Cargo.lock");
    let accepted: BTreeSet<String> =
        SEVERAL_VERSIONS.iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(duplicates(&lock), accepted, "(found, accepted) differ");
    assert_eq!(duplicates("name = \"a\"\nname = \"b\"\nname = \"a\"\n").len(), 1);
}

/// All Rust sources below a folder in one text; nothing if the folder is not there.
fn sources(folder: &Path, into: &mut String) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push_str(&std::fs::read_to_string(&path).expect("a readable file"));
        }
    }
}

/// Does the text use the crate: as a path, in `use`, or as an attribute's path?
fn names(text: &str, package: &str) -> bool {
    let module = package.replace('-', "_");
    let path = format!("{module}::");
    let before_is_word =
        |at: usize| text[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(&path).any(|(at, _)| !before_is_word(at))
        || text.contains(&format!("use {module};"))
        // Read out of cargo's own data, for the schema that it brings.
        || text.contains(&format!("\"{package}\""))
}

#[test]
fn every_dependency_is_used() {
    let mut unused = vec![];
    for package in packages().iter().filter(|one| one["source"].is_null()) {
        let manifest = Path::new(text(package, "manifest_path"));
        let folder = manifest.parent().expect("a folder");
        let (mut main, mut all) = (String::new(), String::new());
        sources(&folder.join("src"), &mut main);
        for part in ["tests", "benches", "examples"] {
            sources(&folder.join(part), &mut all);
        }
        all.push_str(&main);
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let name = text(dependency, "name");
            let place = if dependency["kind"] == "dev" { &all } else { &main };
            if !names(place, name) && !NOT_NAMED.iter().any(|(known, _)| *known == name) {
                unused.push(format!("{} does not use {name}", text(package, "name")));
            }
        }
    }
    assert_eq!(unused, Vec::<String>::new());
    assert!(names("use serde::Serialize;", "serde") && !names("use x_serde::Y;", "serde"));
}
