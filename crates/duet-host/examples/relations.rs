//! Prints what is known about each launch of a program: `relations FILE... [-I DIR]...`.

use std::path::PathBuf;

fn main() {
    let mut options = duet_frontend::Options::default();
    let mut files: Vec<PathBuf> = vec![];
    for word in std::env::args().skip(1) {
        match word.strip_prefix("-I") {
            Some(folder) => options.include_dirs.push(folder.into()),
            None => files.push(word.into()),
        }
    }
    match duet_host::read(&files, &options) {
        Ok(host) => {
            for site in &host.sites {
                println!("{}", site.describe());
            }
            for name in &host.missing {
                println!("missing {name}");
            }
            for name in &host.escaped {
                println!("escaped {name}");
            }
            println!("time {:?} closed {}", host.timings, host.is_closed);
        }
        Err(errors) => {
            for error in errors {
                println!("error {}", error.headline);
            }
            std::process::exit(3);
        }
    }
}
