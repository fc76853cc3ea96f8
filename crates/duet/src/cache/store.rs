//! A store of objects over HTTP, as S3 and its kin serve a bucket: `GET ?list-type=2` lists it,
//! `GET` and `PUT` of an address fetch and send an object. curl does the talking: it knows
//! certificates, proxies and signatures. One run of it fetches or sends all objects.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::object::is_name;

/// The most pages of a list that are asked for: a server that lies must not keep us for ever.
const MOST_PAGES: usize = 10_000;
/// For one object, or a page of a list: seconds and bytes.
const LIMITS: [&str; 4] = ["--max-time", "60", "--max-filesize", "16777216"];

pub struct Store {
    address: String,
    prefix: String,
    options: Vec<String>,
}

impl Store {
    pub fn new(address: &str, prefix: &str, options: &[String]) -> Result<Store, String> {
        let is_web = address.starts_with("http://") || address.starts_with("https://");
        let is_plain = |letter: char| !letter.is_control() && !"\"\\ ".contains(letter);
        if !is_web || !address.chars().all(is_plain) || address.contains(['?', '#']) {
            return Err(format!("`{address}` is no address of a bucket: http://… or https://…"));
        }
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "_-./".contains(letter);
        if !prefix.chars().all(is_letter) {
            return Err(format!("`{prefix}`: letters, digits, `_`, `-`, `.` and `/` only"));
        }
        let address = address.trim_end_matches('/').to_string();
        Ok(Store { address, prefix: prefix.to_string(), options: options.to_vec() })
    }

    /// Runs curl with what it is to do on its input.
    fn curl(&self, options: &[&str], config: &str) -> Result<Output, String> {
        let missing = |error: std::io::Error| format!("curl: {error}");
        let mut curl = Command::new("curl");
        curl.args(["--silent", "--show-error", "--fail", "--proto", "=http,https"]);
        curl.args(LIMITS).args(options).args(&self.options).args(["--config", "-"]);
        curl.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = curl.spawn().map_err(missing)?;
        let input = child.stdin.take();
        let config = config.to_string();
        // Beside the wait: curl may complain before it has read everything.
        let writer = std::thread::spawn(move || {
            input.map(|mut input| input.write_all(config.as_bytes()));
        });
        let output = child.wait_with_output().map_err(missing)?;
        let _ = writer.join();
        Ok(output)
    }

    /// The objects that can be entries, with their lengths.
    pub fn list(&self) -> Result<BTreeMap<String, u64>, String> {
        let mut found = BTreeMap::new();
        let mut token = String::new();
        for _ in 0..MOST_PAGES {
            let prefix = format!("prefix={}", self.prefix);
            let mut options = vec!["--get", "--data-urlencode", "list-type=2"];
            options.extend(["--data-urlencode", &prefix]);
            let continued = format!("continuation-token={token}");
            if !token.is_empty() {
                options.extend(["--data-urlencode", &continued]);
            }
            let output = self.curl(&options, &format!("url = \"{}/\"\n", self.address))?;
            if let Some(complaint) = complaint(&output) {
                return Err(complaint);
            }
            let page = String::from_utf8_lossy(&output.stdout);
            for object in page.split("<Contents>").skip(1) {
                let name = tagged(object, "Key").and_then(|key| key.strip_prefix(&self.prefix));
                if let Some(name) = name.filter(|name| is_name(name)) {
                    let size = tagged(object, "Size").and_then(|size| size.parse().ok());
                    found.insert(name.to_string(), size.unwrap_or(0));
                }
            }
            if tagged(&page, "IsTruncated") != Some("true") {
                return Ok(found);
            }
            let next = tagged(&page, "NextContinuationToken").unwrap_or_default();
            token = next.replace("&amp;", "&");
            if token.is_empty() {
                return Err("the store's list has no end".to_string());
            }
        }
        Err("the store's list has no end".to_string())
    }

    /// Fetches objects into files of a folder that are named by their numbers; what curl
    /// complains of. A file that is not there or not whole is for the caller to find out.
    pub fn get(&self, names: &[String], into: &Path) -> Result<Option<String>, String> {
        self.transfer(names, into, "output")
    }

    /// Sends such files.
    pub fn put(&self, names: &[String], from: &Path) -> Result<Option<String>, String> {
        self.transfer(names, from, "upload-file")
    }

    fn transfer(
        &self,
        names: &[String],
        folder: &Path,
        how: &str,
    ) -> Result<Option<String>, String> {
        if names.is_empty() {
            return Ok(None);
        }
        let folder = folder.to_str().filter(|folder| !folder.contains(['"', '\\', '\n']));
        let folder = folder.ok_or("the folder for temporary files has an odd name")?;
        let mut config = String::new();
        for (number, name) in names.iter().enumerate() {
            let address = format!("{}/{}{name}", self.address, self.prefix);
            config.push_str(&format!("url = \"{address}\"\n{how} = \"{folder}/{number}\"\n"));
        }
        let options = ["--globoff", "--parallel", "--parallel-max", "8", "--retry", "2"];
        Ok(complaint(&self.curl(&options, &config)?))
    }
}

/// What curl says, if it failed.
fn complaint(output: &Output) -> Option<String> {
    let said = String::from_utf8_lossy(&output.stderr);
    let first = said.lines().find(|line| !line.is_empty()).unwrap_or("curl failed");
    (!output.status.success()).then(|| format!("the store: {first}"))
}

/// The text of the first element of this name.
fn tagged<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    Some(rest.split_once(&format!("</{name}>"))?.0)
}
