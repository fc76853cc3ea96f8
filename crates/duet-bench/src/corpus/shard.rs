//! A part of a corpus: so that many machines can share one.
//!
//! A file belongs to a shard by its contents, so every machine that has the same files
//! comes to the same division, whatever their order and their paths.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::find::KernelFile;

/// One of so many parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    number: u64,
    of: u64,
}

impl Shard {
    /// Does the file belong to it?
    pub fn holds(&self, file: &KernelFile) -> bool {
        // The fingerprint is a number in hexadecimal; what is not is still some text.
        let digits = file.fingerprint.get(..15).unwrap_or(&file.fingerprint);
        let hash = u64::from_str_radix(digits, 16).unwrap_or_else(|_| {
            file.name.bytes().fold(0, |sum, byte| sum * 31 % 65521 + u64::from(byte))
        });
        hash % self.of == self.number - 1
    }

    /// Does a file with these contents belong to it?
    pub fn holds_text(&self, contents: &[u8]) -> bool {
        let hash = Sha256::digest(contents);
        let first = hash.iter().take(8).fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
        first % self.of == self.number - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let wrong =
            || "a part as in 3/16: its number, from 1 on, and how many there are".to_string();
        let (number, of) = text.split_once('/').ok_or_else(wrong)?;
        let number = number.parse().map_err(|_| wrong())?;
        let of = of.parse().map_err(|_| wrong())?;
        match 1 <= number && number <= of {
            true => Ok(Shard { number, of }),
            false => Err(wrong()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Expected;

    fn file(name: &str, fingerprint: &str) -> KernelFile {
        KernelFile {
            name: name.to_string(),
            path: name.into(),
            expected: Expected::Nothing,
            options: vec![],
            fingerprint: fingerprint.to_string(),
            unreadable: None,
        }
    }

    #[test]
    fn every_file_is_in_one_shard() {
        let shards: Vec<Shard> = (1..=7).map(|n| Shard { number: n, of: 7 }).collect();
        let mut used = [0; 7];
        for n in 0..200_u64 {
            let file =
                file("k.cu", &format!("{:016x}{:048x}", n.wrapping_mul(0x9e37_79b9_7f4a_7c15), 0));
            let holding: Vec<usize> = (0..7).filter(|&one| shards[one].holds(&file)).collect();
            assert_eq!(holding.len(), 1, "{n}");
            used[holding[0]] += 1;
        }
        // Unreadable files have no contents; they are not lost.
        let unreadable = file("gone.cu", "");
        assert_eq!(shards.iter().filter(|one| one.holds(&unreadable)).count(), 1);
        assert!(used.iter().filter(|count| **count > 0).count() > 3, "{used:?}");
    }

    #[test]
    fn shards_are_read() {
        assert_eq!("3/16".parse(), Ok(Shard { number: 3, of: 16 }));
        for wrong in ["0/3", "4/3", "3", "a/b", "1/0", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
