//! An entry as an object of a store: a head line, its name, a seal, and its bytes. The seal is a
//! SHA-256 of name and bytes, with a key if there is one (HMAC), so an object that was torn,
//! changed, or put in the place of another is none.

use sha2::{Digest, Sha256};

const FORMAT: &str = "duet-cache-object 1";
/// The length of what SHA-256 hashes at a time.
const BLOCK: usize = 64;

/// The secret of those who share a store, or none.
pub struct Key(Option<[u8; BLOCK]>);

impl Key {
    pub fn none() -> Key {
        Key(None)
    }

    /// A key of a secret; short ones are refused, because they can be guessed.
    pub fn new(secret: Vec<u8>) -> Result<Key, String> {
        let secret = secret.trim_ascii();
        if secret.len() < 16 {
            return Err("the key has less than 16 bytes".to_string());
        }
        let mut block = [0; BLOCK];
        if secret.len() > BLOCK {
            block[..32].copy_from_slice(&Sha256::digest(secret));
        } else {
            block[..secret.len()].copy_from_slice(secret);
        }
        Ok(Key(Some(block)))
    }

    /// HMAC (RFC 2104) of the text, or its hash where there is no key.
    fn seal(&self, text: &[u8]) -> String {
        let digest = match &self.0 {
            None => Sha256::digest(text),
            Some(block) => {
                let padded = |with: u8| block.map(|byte| byte ^ with);
                let inner = Sha256::new().chain_update(padded(0x36)).chain_update(text).finalize();
                Sha256::new().chain_update(padded(0x5c)).chain_update(inner).finalize()
            }
        };
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// What is sealed: a name has no line break, so the two cannot run into each other.
fn text(name: &str, entry: &[u8]) -> Vec<u8> {
    [name.as_bytes(), b"\n", entry].concat()
}

/// The object of an entry.
pub fn sealed(key: &Key, name: &str, entry: &[u8]) -> Vec<u8> {
    let text = text(name, entry);
    [format!("{FORMAT}\n{}\n", key.seal(&text)).as_bytes(), &text].concat()
}

/// The entry of an object, if it is the one of this name and sealed with this key.
pub fn opened<'a>(key: &Key, name: &str, object: &'a [u8]) -> Option<&'a [u8]> {
    let rest = object.strip_prefix(FORMAT.as_bytes())?.strip_prefix(b"\n")?;
    let (seal, rest) = rest.split_at_checked(64)?;
    let text = rest.strip_prefix(b"\n")?;
    let entry = text.strip_prefix(name.as_bytes())?.strip_prefix(b"\n")?;
    // SOUNDNESS: an answer that is not the one that was sealed may say `unsat`:
    // `a_store_that_lies_proves_nothing`.
    (key.seal(text).as_bytes() == seal).then_some(entry)
}

/// May an object have this name? Those of answers are hashes, two letters of them a folder;
/// those of proofs are names of kernels with a number. Nothing leads out of a folder.
pub fn is_name(name: &str) -> bool {
    let is_plain = |part: &str| {
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
        !part.is_empty() && !part.starts_with('.') && part.chars().all(is_letter)
    };
    let parts: Vec<&str> = name.split('/').collect();
    let is_hex = |part: &str| part.chars().all(|letter| letter.is_ascii_hexdigit());
    let is_answer = |parts: &[&str]| matches!(parts, [.., two, rest] if two.len() == 2 && rest.len() == 62 && is_hex(two) && is_hex(rest));
    let is_proof = parts.last().is_some_and(|last| last.ends_with(".proof"));
    name.len() <= 512 && parts.iter().all(|part| is_plain(part)) && (is_proof || is_answer(&parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_sealed_is_opened() {
        let keys = [Key::none(), Key::new(b"sixteen letters!".to_vec()).expect("a key")];
        for key in &keys {
            let object = sealed(key, "ab/cd", b"an entry\n");
            assert_eq!(opened(key, "ab/cd", &object), Some(&b"an entry\n"[..]));
            assert_eq!(opened(key, "ab/ce", &object), None);
            for at in 0..object.len() {
                assert_eq!(opened(key, "ab/cd", &object[..at]), None, "torn at {at}");
                let mut changed = object.clone();
                changed[at] ^= 1;
                assert_eq!(opened(key, "ab/cd", &changed), None, "changed at {at}");
            }
        }
        // Another key, or none, opens nothing.
        let object = sealed(&keys[0], "ab/cd", b"an entry\n");
        assert_eq!(opened(&keys[1], "ab/cd", &object), None);
        assert!(Key::new(b"short".to_vec()).is_err());
    }

    /// The second test of RFC 4231.
    #[test]
    fn the_seal_is_an_hmac() {
        let mut block = [0; BLOCK];
        block[..4].copy_from_slice(b"Jefe");
        let seal = Key(Some(block)).seal(b"what do ya want for nothing?");
        assert_eq!(seal, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }

    #[test]
    fn names_stay_within_the_folder() {
        let hash = "0123456789abcdef".repeat(4);
        let answer = format!("{}/{}", &hash[..2], &hash[2..]);
        for name in [answer.as_str(), &format!("answers/{answer}"), "proofs/k-00.proof"] {
            assert!(is_name(name), "{name}");
        }
        for name in [
            "../k.proof",
            "/k.proof",
            "a/../k.proof",
            "a//k.proof",
            ".k.proof",
            "k.proof\n",
            "a\"b.proof",
            "notes.txt",
            &hash,
            "",
        ] {
            assert!(!is_name(name), "{name}");
        }
    }
}
