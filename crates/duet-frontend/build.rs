//! Collects the headers under `headers/` into a table that the program carries.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-changed=headers");
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let headers = root.join("headers");
    let mut files = vec![];
    collect(&headers, &mut files);
    files.sort();
    let mut table = String::from("&[\n");
    for file in files {
        let name = file.strip_prefix(&headers).expect("below the folder");
        // Relative to the crate at the time it is compiled: a folder `target` that was
        // copied to another checkout must not bring the headers of the first one.
        let name = name.display().to_string();
        let place = format!("/headers/{name}");
        let _ = writeln!(
            table,
            "({name:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {place:?}))),"
        );
    }
    table.push_str("]\n");
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("set by cargo"));
    std::fs::write(out.join("headers.rs"), table).expect("the output folder can be written");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of headers") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_none_or(|extension| extension != "md") {
            files.push(path);
        }
    }
}
