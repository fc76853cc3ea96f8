//! What an earlier proof of a kernel kept, on disk: a first guess for the next one.
//!
//! After an exact proof of a kernel with loops, the candidates that it kept are written
//! down, in source terms, so that they are recognised after an edit elsewhere. The next
//! check of a kernel of this name and structure first tries these and no others: most of
//! the search is the refutation of candidates. If that is no proof, the check goes on as
//! if there were no cache.
//!
//! Nothing rests on what is in the cache. It only chooses some of the candidates that
//! the rules make up today, and these are checked like any others
//! (`crates/duet/tests/proof_cache.rs`: entries that lie).
//!
//! An entry is written aside and renamed, so processes may share a folder. A failure to
//! write it is no error: the next check takes longer.
//!
//! What it brings is said in [`crate::search`].

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use duet_analysis::Loop;
use duet_ask::SourceTerms;
use duet_product::KernelFacts;
use duet_vc::{Candidate, Invariants, Source};

use crate::search::{InferOptions, candidates};

const FORMAT: &str = "duet-proof-cache 2";

/// What a proof kept.
pub struct Entry {
    /// Its work, in units of z3's resource count.
    pub work: u64,
    /// For each loop, what its candidates say.
    kept: Vec<BTreeSet<String>>,
}

/// The candidates of today that the entry names, and those of the user.
pub fn chosen(facts: &KernelFacts<'_>, options: &InferOptions, entry: &Entry) -> Invariants {
    let mut among = Invariants::default();
    for (id, candidate) in candidates(facts, options) {
        let is_named = |number: usize| {
            let kept = entry.kept.get(number);
            kept.is_some_and(|kept| kept.contains(&label(facts, id, &candidate)))
        };
        let number = facts.loops.iter().position(|(of, _)| of == id);
        if matches!(candidate.source, Source::User(_)) || number.is_some_and(is_named) {
            among.add(id, candidate);
        }
    }
    among
}

/// Writes down what a proof with so much work kept. Failing to write is no error.
pub fn keep(folder: &Path, facts: &KernelFacts<'_>, work: u64, kept: &Invariants) {
    let _ = write(folder, &path(folder, facts), &text(facts, work, kept));
}

fn text(facts: &KernelFacts<'_>, work: u64, kept: &Invariants) -> String {
    let mut text = format!("{FORMAT}\n{work}\n");
    for (id, _) in facts.loops.iter() {
        text.push_str("loop\n");
        for candidate in kept.of(id) {
            text.push_str(&format!("  {}\n", label(facts, id, candidate)));
        }
    }
    text
}

/// Who states it and what it says, in one line.
fn label(facts: &KernelFacts<'_>, id: Loop, candidate: &Candidate) -> String {
    let rule = match candidate.source {
        Source::Rule(rule) => rule,
        Source::User(_) => "user",
    };
    let words = SourceTerms::new(facts, id).statement(&candidate.expr);
    format!("{rule} {}", words.replace(['\n', '\r'], " "))
}

/// What an earlier proof of a kernel of this name and structure kept.
pub fn read(folder: &Path, facts: &KernelFacts<'_>) -> Option<Entry> {
    let text = std::fs::read_to_string(path(folder, facts)).ok()?;
    let mut lines = text.lines();
    (lines.next()? == FORMAT).then_some(())?;
    let work = lines.next()?.parse().ok()?;
    let mut kept: Vec<BTreeSet<String>> = vec![];
    for line in lines {
        match line.strip_prefix("  ") {
            Some(label) => kept.last_mut()?.insert(label.to_string()),
            None if line == "loop" => {
                kept.push(BTreeSet::new());
                true
            }
            None => return None,
        };
    }
    Some(Entry { work, kept })
}

/// The file of a kernel: its name, and a number made of that and its structure.
fn path(folder: &Path, facts: &KernelFacts<'_>) -> PathBuf {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = &facts.func.name;
    let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).take(80).collect();
    folder.join(format!("{plain}-{:016x}.proof", fingerprint(&structure(facts))))
}

/// The kernel's name, its parameters, and how its loops are nested.
fn structure(facts: &KernelFacts<'_>) -> String {
    let depths = facts.loops.iter().map(|(_, data)| facts.loops.around(data.header).count());
    let depths: Vec<String> = depths.map(|depth| depth.to_string()).collect();
    let params: Vec<&str> = facts.func.params.iter().map(|param| param.name.as_str()).collect();
    format!("{}({}) {}", facts.func.name, params.join(","), depths.join(","))
}

/// FNV-1a: two kernels with one number are each other's bad guess, and no more.
fn fingerprint(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Writes a file as a whole: a reader sees the old one or the new one.
fn write(folder: &Path, path: &Path, text: &str) -> std::io::Result<()> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    std::fs::create_dir_all(folder)?;
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let aside = path.with_extension(format!("{}-{number}.new", std::process::id()));
    let written = std::fs::write(&aside, text).and_then(|()| std::fs::rename(&aside, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&aside);
    }
    written
}
