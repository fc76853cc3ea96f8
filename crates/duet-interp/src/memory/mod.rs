//! Array instances: their bytes, which of them were ever written, and where
//! their contents come from.
//!
//! An instance of known size is one vector. One of unknown size is made of pages
//! that come into being when touched, at any non-negative offset. Accesses are
//! checked by the caller; out-of-bounds bytes are never asked for here.
//!
//! | file | holds |
//! |---|---|
//! | this one | the bytes |
//! | `address` | addresses of instances, for pointers as integers |
//! | `alias` | pointer parameters that point into the same memory |

pub(crate) mod address;
pub(crate) mod alias;

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::interface::launch::{Fill, Small, SmallKind};
use crate::interface::outcome::Contents;
use crate::values::random::hash;

const PAGE: u64 = 4096;

/// What memory may still be allocated. Exceeding it is noticed by the scheduler,
/// which ends the run.
#[derive(Debug)]
pub(crate) struct Budget {
    left: u64,
    pub(crate) exhausted: bool,
}

impl Budget {
    pub(crate) fn new(bytes: u64) -> Budget {
        Budget { left: bytes, exhausted: false }
    }

    /// Takes `bytes` from the budget.
    pub(crate) fn take(&mut self, bytes: u64) {
        self.exhausted |= bytes > self.left;
        self.left = self.left.saturating_sub(bytes);
    }

    /// Gives back what was taken.
    pub(crate) fn give(&mut self, bytes: u64) {
        self.left = self.left.saturating_add(bytes);
    }
}

/// Where the initial contents of an instance come from.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) fill: Fill,
    /// Element size for `Ones` and `Iota`.
    pub(crate) granule: u32,
    /// For `Unknown`.
    pub(crate) seed: u64,
}

impl Source {
    /// Writes the initial contents of the bytes from `start` on.
    fn write(&self, start: u64, out: &mut [u8]) {
        match &self.fill {
            Fill::Zero => {}
            Fill::Ones => self.write_elements(start, out, |_| 1),
            Fill::Byte(byte) => out.fill(*byte),
            Fill::Iota => self.write_elements(start, out, |index| index),
            Fill::Random(seed) => write_random(*seed, start, out),
            Fill::Unknown => write_random(self.seed, start, out),
            Fill::Small(small) => {
                let granule = self.granule;
                self.write_elements(start, out, |index| small_element(small, granule, index));
            }
            Fill::Cells(cells) => self.write_cells(cells, start, out),
            Fill::Bytes(bytes) => {
                let from = usize::try_from(start).unwrap_or(usize::MAX).min(bytes.len());
                let len = out.len().min(bytes.len() - from);
                out[..len].copy_from_slice(&bytes[from..from + len]);
            }
        }
    }

    /// The element at an index, as bits.
    pub(crate) fn element(&self, index: u64) -> u128 {
        let granule = u64::from(self.granule.clamp(1, 16));
        let mut bytes = [0; 16];
        self.write(index.saturating_mul(granule), &mut bytes[..granule as usize]);
        u128::from_le_bytes(bytes)
    }

    fn write_cells(&self, cells: &BTreeMap<u64, u128>, start: u64, out: &mut [u8]) {
        let granule = u64::from(self.granule.max(1));
        let end = start.saturating_add(out.len() as u64);
        for (&index, bits) in cells.range(start / granule..) {
            let Some(first) = index.checked_mul(granule).filter(|first| *first < end) else {
                break;
            };
            for (at, byte) in (first..).zip(&bits.to_le_bytes()[..granule.min(16) as usize]) {
                if (start..end).contains(&at) {
                    out[(at - start) as usize] = *byte;
                }
            }
        }
    }

    fn write_elements(&self, start: u64, out: &mut [u8], element: impl Fn(u64) -> u64) {
        let granule = u64::from(self.granule.max(1));
        let (mut index, mut within) = (start / granule, start % granule);
        let mut bits = element(index);
        for byte in out {
            *byte = if within < 8 { (bits >> (8 * within)) as u8 } else { 0 };
            within += 1;
            if within == granule {
                (index, within) = (index.wrapping_add(1), 0);
                bits = element(index);
            }
        }
    }
}

/// A small number that depends only on the seed and its index.
fn small_element(small: &Small, granule: u32, index: u64) -> u64 {
    let number = hash(&[small.seed, index]) % u64::from(small.below.max(1));
    match (small.kind, granule) {
        (SmallKind::Float, 4) => u64::from((number as f32).to_bits()),
        (SmallKind::Float, 8) => (number as f64).to_bits(),
        (SmallKind::Natural | SmallKind::Float, _) => number,
        (SmallKind::Signed, _) => number.wrapping_sub(1),
    }
}

/// Bytes that depend only on the seed and their place.
fn write_random(seed: u64, start: u64, out: &mut [u8]) {
    let mut at = start;
    let mut rest = out;
    while !rest.is_empty() {
        let word = hash(&[seed, at / 8]).to_le_bytes();
        let from = (at % 8) as usize;
        let len = rest.len().min(8 - from);
        rest[..len].copy_from_slice(&word[from..from + len]);
        rest = &mut rest[len..];
        at += len as u64;
    }
}

/// One instance of an array.
#[derive(Debug)]
pub(crate) struct Region {
    /// Size in bytes, where it is known.
    pub(crate) size: Option<u64>,
    /// Largest size that an offset can name without being negative.
    limit: u64,
    /// Are reads of unwritten bytes to be noticed?
    pub(crate) tracks_writes: bool,
    bytes: Vec<u8>,
    /// One bit per byte; empty unless `tracks_writes`.
    written: Vec<u64>,
    pages: FxHashMap<u64, Box<Page>>,
    source: Source,
}

/// A page of an instance of unknown size.
#[derive(Debug)]
struct Page {
    bytes: [u8; PAGE as usize],
    written: [u64; PAGE as usize / 64],
}

impl Region {
    pub(crate) fn new(
        size: Option<u64>,
        pointer_width: u8,
        tracks_writes: bool,
        source: Source,
        budget: &mut Budget,
    ) -> Region {
        let limit = size.unwrap_or(1 << (pointer_width.clamp(8, 64) - 1));
        let len = size.unwrap_or(0);
        budget.take(len);
        let mut bytes = vec![0; if budget.exhausted { 0 } else { len as usize }];
        source.write(0, &mut bytes);
        let words = if tracks_writes { bytes.len().div_ceil(64) } else { 0 };
        let written = vec![0; words];
        Region { size, limit, tracks_writes, bytes, written, pages: FxHashMap::default(), source }
    }

    /// The offset from which on there are only zeros, or no bytes at all, if that is known.
    pub(crate) fn zeros_from(&self) -> Option<u64> {
        if self.size.is_some() {
            return self.size;
        }
        let filled = match &self.source.fill {
            Fill::Zero | Fill::Byte(0) => 0,
            Fill::Cells(cells) => {
                let last = cells.last_key_value().map(|(&index, _)| index.saturating_add(1));
                last.unwrap_or(0).saturating_mul(u64::from(self.source.granule.max(1)))
            }
            Fill::Bytes(bytes) => bytes.len() as u64,
            Fill::Ones
            | Fill::Byte(_)
            | Fill::Random(_)
            | Fill::Iota
            | Fill::Small(_)
            | Fill::Unknown => {
                return None;
            }
        };
        let touched = self.pages.keys().max().map_or(0, |page| (page + 1) * PAGE);
        Some(filled.max(touched))
    }

    /// Do these bytes exist?
    pub(crate) fn contains(&self, offset: u64, len: u64) -> bool {
        offset.checked_add(len).is_some_and(|end| end <= self.limit)
    }

    /// The little-endian number of `len` (at most 8) bytes.
    #[inline]
    pub(crate) fn read(&mut self, offset: u64, len: u32, budget: &mut Budget) -> u64 {
        if self.size.is_some() {
            let at = offset as usize;
            return match len {
                4 => u64::from(u32::from_le_bytes(fixed(&self.bytes, at))),
                8 => u64::from_le_bytes(fixed(&self.bytes, at)),
                1 => u64::from(fixed::<1>(&self.bytes, at)[0]),
                2 => u64::from(u16::from_le_bytes(fixed(&self.bytes, at))),
                _ => self.read_slowly(offset, len, budget),
            };
        }
        self.read_slowly(offset, len, budget)
    }

    fn read_slowly(&mut self, offset: u64, len: u32, budget: &mut Budget) -> u64 {
        let mut word = [0; 8];
        if let Some(bytes) = self.within_page(offset, len, budget) {
            word[..len as usize].copy_from_slice(bytes);
            return u64::from_le_bytes(word);
        }
        for (at, byte) in (offset..).zip(&mut word[..len as usize]) {
            *byte = *self.byte(at, budget);
        }
        u64::from_le_bytes(word)
    }

    /// Writes the low `len` (at most 8) bytes of `value`.
    #[inline]
    pub(crate) fn write(&mut self, offset: u64, len: u32, value: u64, budget: &mut Budget) {
        if self.tracks_writes {
            self.mark_written(offset, len, budget);
        }
        let word = value.to_le_bytes();
        if self.size.is_some() {
            let at = offset as usize;
            if let Some(bytes) = self.bytes.get_mut(at..at + len as usize) {
                bytes.copy_from_slice(&word[..len as usize]);
            }
            return;
        }
        if let Some(bytes) = self.within_page(offset, len, budget) {
            return bytes.copy_from_slice(&word[..len as usize]);
        }
        for (at, byte) in (offset..).zip(&word[..len as usize]) {
            *self.byte(at, budget) = *byte;
        }
    }

    /// Has every one of these bytes been written?
    pub(crate) fn is_written(&mut self, offset: u64, len: u32, budget: &mut Budget) -> bool {
        words(offset, len).all(|(at, bits)| *self.written_word(at, budget) & bits == bits)
    }

    fn mark_written(&mut self, offset: u64, len: u32, budget: &mut Budget) {
        for (at, bits) in words(offset, len) {
            *self.written_word(at, budget) |= bits;
        }
    }

    /// The 64 bits that say which bytes around `at` were written.
    fn written_word(&mut self, at: u64, budget: &mut Budget) -> &mut u64 {
        let dense = (at / 64) as usize;
        if self.size.is_some() && dense < self.written.len() {
            return &mut self.written[dense];
        }
        &mut self.page(at, budget).written[(at % PAGE / 64) as usize]
    }

    fn byte(&mut self, at: u64, budget: &mut Budget) -> &mut u8 {
        if self.size.is_some() && (at as usize) < self.bytes.len() {
            return &mut self.bytes[at as usize];
        }
        &mut self.page(at, budget).bytes[(at % PAGE) as usize]
    }

    /// These bytes of an instance of unknown size, if they lie in one page, as nearly all
    /// accesses do.
    #[inline]
    fn within_page(&mut self, offset: u64, len: u32, budget: &mut Budget) -> Option<&mut [u8]> {
        let from = offset % PAGE;
        let to = from + u64::from(len);
        if self.size.is_some() || to > PAGE {
            return None;
        }
        Some(&mut self.page(offset, budget).bytes[from as usize..to as usize])
    }

    fn page(&mut self, at: u64, budget: &mut Budget) -> &mut Page {
        let source = &self.source;
        self.pages.entry(at / PAGE).or_insert_with(|| {
            budget.take(std::mem::size_of::<Page>() as u64);
            let mut page = Page { bytes: [0; PAGE as usize], written: [0; PAGE as usize / 64] };
            source.write(at / PAGE * PAGE, &mut page.bytes);
            Box::new(page)
        })
    }

    /// Bytes allocated.
    pub(crate) fn allocated(&self) -> u64 {
        self.bytes.len() as u64 + self.pages.len() as u64 * std::mem::size_of::<Page>() as u64
    }

    /// Copies everything from `from`, as far as both reach.
    pub(crate) fn copy_from(&mut self, from: &Region) {
        let len = self.bytes.len().min(from.bytes.len());
        self.bytes[..len].copy_from_slice(&from.bytes[..len]);
        if self.size.is_none() && from.size.is_none() {
            self.source = from.source.clone();
            self.pages.clear();
            for (&number, page) in &from.pages {
                self.pages
                    .insert(number, Box::new(Page { bytes: page.bytes, written: page.written }));
            }
        }
        self.written.fill(u64::MAX);
    }

    /// The final contents.
    pub(crate) fn into_contents(self) -> Contents {
        if self.size.is_some() {
            return Contents::Dense(self.bytes);
        }
        let pages: BTreeMap<_, _> =
            self.pages.into_iter().map(|(n, page)| (n * PAGE, page.bytes.to_vec())).collect();
        Contents::Sparse(pages)
    }
}

/// Divides a range of bytes at multiples of 64: a byte of each part, and its bits
/// in the word of that part.
#[inline]
fn words(offset: u64, len: u32) -> impl Iterator<Item = (u64, u64)> {
    let end = offset + u64::from(len);
    let mut at = offset;
    std::iter::from_fn(move || {
        let from = at;
        let to = end.min((from / 64 + 1) * 64);
        at = to;
        (from < end).then(|| (from, u64::MAX >> (64 - (to - from)) << (from % 64)))
    })
}

/// `N` bytes at `at`; zeros beyond the end (only after the budget ran out).
#[inline]
fn fixed<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    match bytes.get(at..at + N) {
        Some(bytes) => bytes.try_into().unwrap_or([0; N]),
        None => [0; N],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(size: Option<u64>, fill: Fill) -> (Region, Budget) {
        let mut budget = Budget::new(1 << 20);
        let source = Source { fill, granule: 4, seed: 7 };
        (Region::new(size, 64, true, source, &mut budget), budget)
    }

    #[test]
    fn sparse_and_dense_instances_agree() {
        let small = Fill::Small(Small { seed: 3, below: 9, kind: SmallKind::Float });
        let cells = Fill::Cells([(0, 7), (1023, 0x0102_0304), (1024, 5), (9999, 1)].into());
        for fill in [
            Fill::Zero,
            Fill::Ones,
            Fill::Byte(3),
            Fill::Iota,
            Fill::Random(3),
            Fill::Unknown,
            small,
            cells,
        ] {
            let (mut dense, mut budget) = region(Some(8192), fill.clone());
            let (mut sparse, _) = region(None, fill);
            for offset in [0, 1, 4, 4094, 4095, 8184] {
                let a = dense.read(offset, 8, &mut budget);
                assert_eq!(a, sparse.read(offset, 8, &mut budget));
                dense.write(offset, 3, 0xabcdef, &mut budget);
                sparse.write(offset, 3, 0xabcdef, &mut budget);
                let a = dense.read(offset, 8, &mut budget);
                assert_eq!(a, sparse.read(offset, 8, &mut budget));
            }
        }
    }

    #[test]
    fn cells_are_elements_and_small_numbers_are_small() {
        let (mut cells, mut budget) = region(None, Fill::Cells([(2, 0x0102_0304)].into()));
        assert_eq!(cells.read(8, 4, &mut budget), 0x0102_0304);
        assert_eq!(cells.read(10, 4, &mut budget), 0x0102);
        assert_eq!(cells.read(4, 4, &mut budget), 0);
        let fill = |kind| Fill::Small(Small { seed: 1, below: 3, kind });
        let (mut numbers, _) = region(None, fill(SmallKind::Natural));
        let (mut floats, _) = region(None, fill(SmallKind::Float));
        let (mut signed, _) = region(None, fill(SmallKind::Signed));
        for index in 0..100 {
            let number = numbers.read(4 * index, 4, &mut budget);
            assert!(number < 3);
            let float = f32::from_bits(floats.read(4 * index, 4, &mut budget) as u32);
            assert_eq!(float, number as f32);
            let below = signed.read(4 * index, 4, &mut budget) as i32;
            assert_eq!(below, number as i32 - 1);
        }
    }

    #[test]
    fn zeros_are_known_behind_cells_and_behind_what_was_written() {
        let (mut cells, mut budget) = region(None, Fill::Cells([(2, 7)].into()));
        assert_eq!(cells.zeros_from(), Some(12));
        cells.write(PAGE, 1, 1, &mut budget);
        assert_eq!(cells.zeros_from(), Some(2 * PAGE));
        assert_eq!(region(Some(128), Fill::Iota).0.zeros_from(), Some(128));
        assert_eq!(region(None, Fill::Iota).0.zeros_from(), None);
    }

    #[test]
    fn written_bytes_are_known_one_by_one() {
        let (mut memory, mut budget) = region(Some(128), Fill::Zero);
        memory.write(62, 4, 1, &mut budget);
        assert!(memory.is_written(62, 4, &mut budget));
        assert!(!memory.is_written(61, 4, &mut budget));
        assert!(!memory.is_written(63, 4, &mut budget));
    }

    #[test]
    fn unknown_size_admits_no_negative_offset() {
        let (memory, _) = region(None, Fill::Zero);
        assert!(memory.contains(1 << 50, 4));
        assert!(!memory.contains(u64::MAX - 3, 4));
    }
}
