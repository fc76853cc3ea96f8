//! What tells a finding from others over time, whatever lines come and go above it: its rule,
//! its kernel and the text of its lines. Services that compare runs are given it.

use duet_ir::{Diagnostic, SourceSpan};

use crate::source::Sources;

/// Fingerprints of one report: findings that are alike are numbered.
#[derive(Default)]
pub struct Fingerprints {
    seen: Vec<u64>,
}

impl Fingerprints {
    /// The fingerprint of a finding in a kernel, as 16 hexadecimal digits.
    pub fn of(&mut self, kernel: &str, diagnostic: &Diagnostic, sources: &mut Sources) -> String {
        let mut hash = Hash::default();
        hash.text(diagnostic.rule.id());
        hash.text(kernel);
        let others = diagnostic.secondary.iter().map(|(span, _)| span);
        for span in diagnostic.primary.iter().chain(others) {
            hash.text(&span.file.to_string_lossy());
            hash.text(&line(span, sources).unwrap_or_default());
        }
        if diagnostic.primary.is_none() {
            hash.text(&diagnostic.headline);
        }
        let alike = self.seen.iter().filter(|&&other| other == hash.0).count();
        self.seen.push(hash.0);
        hash.text(&alike.to_string());
        format!("{:016x}", hash.0)
    }
}

fn line(span: &SourceSpan, sources: &mut Sources) -> Option<String> {
    sources.load(&span.file);
    let bytes = sources.get(&span.file)?.line(span.line)?;
    Some(String::from_utf8_lossy(bytes).trim().to_string())
}

/// FNV-1a of 64 bits: the same in every version of the program, and nobody gains anything by
/// two findings that are taken for one.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn text(&mut self, text: &str) {
        for &byte in text.as_bytes().iter().chain(&[0]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
