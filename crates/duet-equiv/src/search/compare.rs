//! Compares what two runs leave in memory.

use std::collections::BTreeSet;

use duet_engine::refute::Run;
use duet_interp::{ArrayInput, Contents, Fill, Outcome, initial_element};
use duet_ir::{Array, FloatType, Type};

use super::{Search, launches};
use crate::pair::matching::element_type;
use crate::pair::request::Side;

/// Bytes of a page of an array without a known size.
const PAGE: u64 = 4096;

/// An element that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Element {
    /// The array, by A's name.
    pub array: String,
    /// Its index, in elements of `bytes` bytes.
    pub index: u64,
    /// Bytes of an element.
    pub bytes: u32,
    /// What A and B leave there.
    pub values: [u128; 2],
    /// What was there before.
    pub before: u128,
    /// The type of elements, if both sides agree about it.
    pub ty: Option<Type>,
}

/// Two runs with what they left.
pub(super) struct View<'a> {
    pub(super) search: &'a Search<'a>,
    pub(super) runs: &'a [Run; 2],
    pub(super) outcomes: [&'a Outcome; 2],
}

impl View<'_> {
    /// Is any compared place changed by either side?
    pub(super) fn writes_something(&self) -> bool {
        self.search.matching.outputs.iter().any(|pair| {
            self.places(*pair).into_iter().any(|(start, len)| {
                Side::BOTH.into_iter().any(|side| {
                    let before = self.initial(side, pair[side.index()], start, len);
                    self.bytes(side, pair[side.index()], start, len) != before
                })
            })
        })
    }

    /// The first element that differs.
    pub(super) fn first_difference(&self) -> Option<Element> {
        self.search.matching.outputs.iter().find_map(|pair| self.difference_in(*pair))
    }

    fn difference_in(&self, pair: [Array; 2]) -> Option<Element> {
        let kernels = self.search.kernels;
        let types = [0, 1].map(|side| element_type(kernels[side].function(), pair[side]));
        let ty = types[0].filter(|_| types[0] == types[1]);
        let granules = [0, 1].map(|side| kernels[side].module.arrays[pair[side]].granule.max(1));
        let size = ty.and_then(Type::bits).map_or(gcd(granules[0], granules[1]), |bits| bits / 8);
        let size = size.clamp(1, 16);
        let name = kernels[0].function().array_name(kernels[0].module, pair[0]).to_string();
        for (start, len) in self.places(pair) {
            let [a, b] = Side::BOTH.map(|side| self.bytes(side, pair[side.index()], start, len));
            if a == b {
                continue;
            }
            for at in (0..len).step_by(size as usize) {
                let end = (at + size as usize).min(len);
                let values = [number(&a[at..end]), number(&b[at..end])];
                let index = (start + at as u64) / u64::from(size);
                if same(values, ty) || !self.is_compared(index) {
                    continue;
                }
                let before = self.initial(Side::A, pair[0], start + at as u64, end - at);
                let before = number(&before);
                return Some(Element { array: name, index, bytes: size, values, before, ty });
            }
        }
        None
    }

    fn is_compared(&self, index: u64) -> bool {
        let Some(places) = &self.search.request.places else { return true };
        let scalars = [0, 1].map(|side| {
            let scalars = &self.runs[side].inputs.scalars;
            let known = scalars.iter().filter_map(|(key, bits)| match key {
                duet_interp::Key::Index(index) => Some((*index, *bits)),
                duet_interp::Key::Name(_) => None,
            });
            known.collect()
        });
        let launches = [self.runs[0].launch.clone(), self.runs[1].launch.clone()];
        places.holds(&|name: &str| match name {
            "i" => Some(index.into()),
            _ => {
                let size = self.search.size(&launches, name);
                size.or_else(|| self.search.scalar(&scalars, name))
            }
        })
    }

    /// Pieces of the array that either run knows something of: start and length.
    fn places(&self, pair: [Array; 2]) -> Vec<(u64, usize)> {
        let mut pieces = BTreeSet::new();
        for side in Side::BOTH {
            match self.outcomes[side.index()].arrays.get(&pair[side.index()]) {
                Some(Contents::Dense(bytes)) => {
                    pieces.insert((0, bytes.len()));
                }
                Some(Contents::Sparse(pages)) => {
                    pieces.extend(pages.keys().map(|&start| (start, PAGE as usize)));
                }
                None => {}
            }
        }
        pieces.into_iter().collect()
    }

    fn bytes(&self, side: Side, array: Array, start: u64, len: usize) -> Vec<u8> {
        let known = self.outcomes[side.index()].arrays.get(&array);
        match known.and_then(|contents| contents.bytes(start, len)) {
            Some(bytes) => bytes.to_vec(),
            None => self.initial(side, array, start, len),
        }
    }

    /// What the array held at first.
    fn initial(&self, side: Side, array: Array, start: u64, len: usize) -> Vec<u8> {
        let kernel = &self.search.kernels[side.index()];
        let data = &kernel.module.arrays[array];
        let inputs = &self.runs[side.index()].inputs;
        let input = inputs.arrays.get(&launches::key(kernel, array));
        let default = ArrayInput::default();
        let input = input.unwrap_or(&default);
        if let (Some(init), Fill::Unknown) = (&data.init, &input.fill) {
            let from = |at: u64| init.get(at as usize).copied().unwrap_or(0);
            return (start..start + len as u64).map(from).collect();
        }
        let granule = u64::from(data.granule.clamp(1, 16));
        let mut bytes = vec![];
        let (first, last) = (start / granule, (start + len as u64).div_ceil(granule));
        for index in first..last {
            let element = initial_element(&input.fill, granule as u32, index);
            bytes.extend_from_slice(&element.to_le_bytes()[..granule as usize]);
        }
        let skip = (start - first * granule) as usize;
        bytes[skip..skip + len].to_vec()
    }
}

fn number(bytes: &[u8]) -> u128 {
    let mut word = [0; 16];
    word[..bytes.len()].copy_from_slice(bytes);
    u128::from_le_bytes(word)
}

/// Are two elements the same? Any NaN equals any NaN.
fn same(values: [u128; 2], ty: Option<Type>) -> bool {
    let is_nan = |bits: u128| match ty {
        Some(Type::F32) => f32::from_bits(bits as u32).is_nan(),
        Some(Type::F64) => f64::from_bits(bits as u64).is_nan(),
        Some(Type::Float(FloatType::F16)) => bits & 0x7c00 == 0x7c00 && bits & 0x3ff != 0,
        _ => false,
    };
    values[0] == values[1] || is_nan(values[0]) && is_nan(values[1])
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}
