//! `duet cache`: a folder of answers and proofs (`--query-cache`, `--proof-cache`) shared by way
//! of an object store.
//!
//! | file | holds |
//! |---|---|
//! | this one | the commands: what is fetched and what is sent |
//! | `object` | an entry as an object of the store, sealed |
//! | `store` | the store: lists, objects fetched and sent, by curl |
//!
//! A check reads and writes the folder only, and judges each entry as it judges one of the
//! folder's own. So nothing that a store or a network does can change a verdict but by an entry
//! whose seal and checksum are right; where strangers can write to the store, a key in the seal
//! (`--key`) keeps their entries out.

mod object;
mod store;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::exit::Exit;
use object::Key;
use store::Store;

/// Options of `duet cache`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Fetch the entries that the folder lacks
    Pull(Place),
    /// Send the entries that the store lacks
    Push(Place),
}

/// The two sides.
#[derive(clap::Args)]
struct Place {
    /// The folder of --query-cache, of --proof-cache, or one with both in it
    folder: PathBuf,
    /// The address of the bucket: http or https, as S3 and its kin serve it
    store: String,
    /// What the names of objects begin with, such as `duet/`
    #[arg(long, value_name = "TEXT", default_value = "")]
    prefix: String,
    /// A file with a secret that all who share the store have: entries are sealed with it, and
    /// those with another seal are ignored
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// An option of curl, such as --curl-option=--netrc; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    curl_option: Vec<String>,
}

/// Runs the command.
pub fn cache(args: &Args) -> Exit {
    let done = match &args.command {
        Command::Pull(place) => pull(place),
        Command::Push(place) => push(place),
    };
    match done {
        Ok(said) => {
            eprintln!("note: {said}");
            Exit::Proved
        }
        Err(message) => {
            eprintln!("error: {message}");
            Exit::Usage
        }
    }
}

impl Place {
    fn store(&self) -> Result<Store, String> {
        Store::new(&self.store, &self.prefix, &self.curl_option)
    }

    fn key(&self) -> Result<Key, String> {
        match &self.key {
            None => Ok(Key::none()),
            Some(path) => {
                let secret = std::fs::read(path);
                Key::new(secret.map_err(|error| format!("{}: {error}", path.display()))?)
            }
        }
    }
}

/// Fetches what the folder lacks. What is not whole, or is sealed otherwise, is left out.
fn pull(place: &Place) -> Result<String, String> {
    let (store, key) = (place.store()?, place.key()?);
    let mut missing: Vec<String> = store.list()?.into_keys().collect();
    missing.retain(|name| !place.folder.join(name).exists());
    let work = tempfile::tempdir().map_err(|error| error.to_string())?;
    let complaint = store.get(&missing, work.path())?;
    let (mut kept, mut ignored) = (0, 0);
    for (number, name) in missing.iter().enumerate() {
        // One that did not come is no entry; the next check asks a solver, or the next pull
        // fetches it.
        let Ok(bytes) = std::fs::read(work.path().join(number.to_string())) else { continue };
        match object::opened(&key, name, &bytes) {
            Some(entry) => {
                write(&place.folder.join(name), entry).map_err(|error| error.to_string())?;
                kept += 1;
            }
            None => ignored += 1,
        }
    }
    if let Some(complaint) = complaint {
        eprintln!("warning: {complaint}");
    }
    let lost = missing.len() - kept - ignored;
    Ok(format!("{kept} entries fetched, {ignored} ignored that are not whole, {lost} not fetched"))
}

/// Written aside and renamed: a check that reads meanwhile sees all of it or nothing.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path).map(|_| ()).map_err(|error| error.error)
}

/// Sends what the store lacks, or has in another length: an upload that was torn.
fn push(place: &Place) -> Result<String, String> {
    let (store, key) = (place.store()?, place.key()?);
    let (there, own) = (store.list()?, entries(&place.folder)?);
    let work = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut sent = vec![];
    for (name, path) in own {
        // An entry that vanished meanwhile is none.
        let Ok(entry) = std::fs::read(path) else { continue };
        let bytes = object::sealed(&key, &name, &entry);
        if there.get(&name) != Some(&(bytes.len() as u64)) {
            let file = work.path().join(sent.len().to_string());
            std::fs::write(file, bytes).map_err(|error| error.to_string())?;
            sent.push(name);
        }
    }
    match store.put(&sent, work.path())? {
        None => Ok(format!("{} entries sent", sent.len())),
        Some(complaint) => Err(complaint),
    }
}

/// The entries of a folder, by their names as objects.
fn entries(folder: &Path) -> Result<BTreeMap<String, PathBuf>, String> {
    let mut folders = vec![folder.to_path_buf()];
    let mut found = BTreeMap::new();
    while let Some(next) = folders.pop() {
        let listed = std::fs::read_dir(&next);
        for entry in listed.map_err(|error| format!("{}: {error}", next.display()))? {
            let path = entry.map_err(|error| error.to_string())?.path();
            let name = path.strip_prefix(folder).ok().and_then(Path::to_str);
            match name {
                _ if path.is_dir() => folders.push(path),
                Some(name) if object::is_name(name) => {
                    found.insert(name.to_string(), path);
                }
                // What is being written, and files that are not ours.
                Some(_) | None => {}
            }
        }
    }
    Ok(found)
}
