//! Typed buffers: how they are filled, and where two sets of them differ.
//!
//! Contents are bytes, little-endian, so that comparing is exact (a NaN equals
//! itself, the two zeros differ) and any side of the test can produce them.

use std::fmt;
use std::str::FromStr;

use crate::generator::Generator;

/// The scalar type of a buffer's elements. Vectors and structs are described by
/// their scalars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Element {
    /// `char`
    I8,
    /// `uchar`
    U8,
    /// `short`
    I16,
    /// `ushort`
    U16,
    /// `int`
    I32,
    /// `uint`
    U32,
    /// `long`
    I64,
    /// `ulong`
    U64,
    /// `half`
    F16,
    /// `float`
    F32,
    /// `double`
    F64,
}

/// The OpenCL name of each element type.
const NAMES: [(&str, Element); 11] = [
    ("char", Element::I8),
    ("uchar", Element::U8),
    ("short", Element::I16),
    ("ushort", Element::U16),
    ("int", Element::I32),
    ("uint", Element::U32),
    ("long", Element::I64),
    ("ulong", Element::U64),
    ("half", Element::F16),
    ("float", Element::F32),
    ("double", Element::F64),
];

impl Element {
    /// Size in bytes.
    pub fn size(self) -> usize {
        match self {
            Element::I8 | Element::U8 => 1,
            Element::I16 | Element::U16 | Element::F16 => 2,
            Element::I32 | Element::U32 | Element::F32 => 4,
            Element::I64 | Element::U64 | Element::F64 => 8,
        }
    }

    /// The little-endian bytes of a number written in a header, if it fits.
    pub fn encode(self, text: &str) -> Option<Vec<u8>> {
        match self {
            Element::F32 => Some(text.parse::<f32>().ok()?.to_le_bytes().to_vec()),
            Element::F64 => Some(text.parse::<f64>().ok()?.to_le_bytes().to_vec()),
            Element::F16 => None,
            _ => self.encode_integer(text.parse().ok()?),
        }
    }

    fn encode_integer(self, value: i128) -> Option<Vec<u8>> {
        let bits = 8 * self.size() as u32;
        let signed = matches!(self, Element::I8 | Element::I16 | Element::I32 | Element::I64);
        let (low, high) = if signed {
            (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)
        } else {
            (0, (1_i128 << bits) - 1)
        };
        (low..=high).contains(&value).then(|| value.to_le_bytes()[..self.size()].to_vec())
    }

    /// The bytes of the small natural number `n`, rounded for `half` by being
    /// exact up to 2048 and refused beyond.
    fn encode_natural(self, n: u64) -> Vec<u8> {
        match self {
            Element::F16 => half_from_natural(n).to_le_bytes().to_vec(),
            Element::F32 => (n as f32).to_le_bytes().to_vec(),
            Element::F64 => (n as f64).to_le_bytes().to_vec(),
            _ => n.to_le_bytes()[..self.size()].to_vec(),
        }
    }

    /// Random bytes; floats are finite and of moderate size, of both signs.
    fn encode_random(self, random: u64) -> Vec<u8> {
        let bits = match self {
            // Any finite half: an exponent of all ones loses its top bit.
            Element::F16 if random & 0x7c00 == 0x7c00 => random & !0x4000,
            // Exponents from -16 to 15, so that products and quotients are normal.
            Element::F32 => (random & 0x807f_ffff) | ((111 + (random >> 59)) << 23),
            Element::F64 => (random & 0x800f_ffff_ffff_ffff) | ((1007 + (random >> 52) % 32) << 52),
            _ => random,
        };
        bits.to_le_bytes()[..self.size()].to_vec()
    }

    /// One element's value, for people.
    fn show(self, bytes: &[u8]) -> String {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let bits = u64::from_le_bytes(wide);
        match self {
            Element::I8 => (bits as i8).to_string(),
            Element::I16 => (bits as i16).to_string(),
            Element::I32 => (bits as i32).to_string(),
            Element::I64 => (bits as i64).to_string(),
            Element::F16 => format!("half {bits:#06x}"),
            Element::F32 => format!("{:?} ({bits:#010x})", f32::from_bits(bits as u32)),
            Element::F64 => format!("{:?} ({bits:#018x})", f64::from_bits(bits)),
            _ => bits.to_string(),
        }
    }
}

/// The half with the value of `n`; numbers to 2048 have one.
fn half_from_natural(n: u64) -> u16 {
    assert!(n <= 2048, "{n} is not exact in half precision");
    if n == 0 {
        return 0;
    }
    let exponent = n.ilog2();
    let fraction = ((n << 11) >> exponent >> 1) & 0x3ff;
    ((exponent as u16 + 15) << 10) | fraction as u16
}

impl FromStr for Element {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        NAMES.iter().find(|(name, _)| *name == text).map(|(_, element)| *element).ok_or(())
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, _) = NAMES.iter().find(|(_, element)| element == self).expect("every type");
        f.write_str(name)
    }
}

/// What a buffer holds before the kernel runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// All zero.
    Zero,
    /// Any bits for integers; finite numbers of moderate size for floats.
    Random,
    /// 0, 1, 2, …, modulo the type's width.
    Iota,
    /// Random numbers from 0 to 15.
    Small,
}

/// One buffer in global or constant memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buffer {
    /// The kernel parameter's name.
    pub name: String,
    /// The type in which contents are filled and shown.
    pub element: Element,
    /// The contents, little-endian.
    pub bytes: Vec<u8>,
}

impl Buffer {
    /// A buffer of `count` elements, filled; `seed` names the random stream.
    pub fn filled(name: &str, element: Element, count: usize, fill: Fill, seed: &str) -> Self {
        let mut random = Generator::from_text(seed);
        let bytes = (0..count as u64)
            .flat_map(|i| match fill {
                Fill::Zero => vec![0; element.size()],
                Fill::Random => element.encode_random(random.next_u64()),
                Fill::Iota => element.encode_natural(i),
                Fill::Small => element.encode_natural(random.next_u64() >> 60),
            })
            .collect();
        Buffer { name: name.to_owned(), element, bytes }
    }

    /// Whether every byte is zero.
    pub fn is_zero(&self) -> bool {
        self.bytes.iter().all(|&byte| byte == 0)
    }

    /// The value of element `index`, for people.
    pub fn show(&self, index: usize) -> String {
        let size = self.element.size();
        self.element.show(&self.bytes[index * size..(index + 1) * size])
    }

    fn first_difference(&self, other: &Buffer) -> Option<usize> {
        let size = self.element.size();
        let unequal =
            self.bytes.chunks(size).zip(other.bytes.chunks(size)).position(|(a, b)| a != b);
        let shorter = self.bytes.len().min(other.bytes.len()) / size;
        unequal.or((self.bytes.len() != other.bytes.len()).then_some(shorter))
    }
}

/// All global and constant buffers of a case, in the order of the parameters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Buffers(pub Vec<Buffer>);

impl Buffers {
    /// The buffer of the parameter with this name.
    pub fn get(&self, name: &str) -> Option<&Buffer> {
        self.0.iter().find(|buffer| buffer.name == name)
    }

    /// The first element in which two runs of the same case differ.
    ///
    /// # Panics
    ///
    /// If the two have different lists of buffers: they are not of one case.
    pub fn first_difference(&self, other: &Buffers) -> Option<Difference> {
        assert_eq!(self.0.len(), other.0.len(), "buffers of different cases");
        self.0.iter().zip(&other.0).find_map(|(left, right)| {
            assert_eq!(left.name, right.name, "buffers of different cases");
            let index = left.first_difference(right)?;
            Some(Difference {
                buffer: left.name.clone(),
                index,
                left: show_or_missing(left, index),
                right: show_or_missing(right, index),
            })
        })
    }
}

fn show_or_missing(buffer: &Buffer, index: usize) -> String {
    let exists = (index + 1) * buffer.element.size() <= buffer.bytes.len();
    if exists { buffer.show(index) } else { "nothing".to_owned() }
}

/// An element that two runs do not agree on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The buffer's name.
    pub buffer: String,
    /// The element's index.
    pub index: usize,
    /// Its value on the left, for people.
    pub left: String,
    /// Its value on the right, for people.
    pub right: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { buffer, index, left, right } = self;
        write!(f, "{buffer}[{index}] is {left} on one side and {right} on the other")
    }
}

#[cfg(test)]
mod tests {
    use super::{Buffer, Buffers, Element, Fill, half_from_natural};

    #[test]
    fn iota_wraps_at_the_type() {
        let buffer = Buffer::filled("b", Element::U8, 300, Fill::Iota, "");
        assert_eq!(buffer.bytes[255..258], [255, 0, 1]);
        let floats = Buffer::filled("f", Element::F32, 3, Fill::Iota, "");
        assert_eq!(floats.bytes[8..], 2.0_f32.to_le_bytes());
    }

    #[test]
    fn random_floats_are_finite_and_moderate() {
        let buffer = Buffer::filled("f", Element::F32, 1000, Fill::Random, "seed");
        let values: Vec<f32> = buffer
            .bytes
            .chunks(4)
            .map(|bytes| f32::from_le_bytes(bytes.try_into().expect("four bytes")))
            .collect();
        assert!(values.iter().all(|v| (1.0 / 65536.0..65536.0).contains(&v.abs())));
        assert!(values.iter().any(|v| *v < 0.0) && values.iter().any(|v| v.abs() > 1.0));
    }

    #[test]
    fn halves_of_small_numbers() {
        assert_eq!(
            [1, 2, 3, 15, 2048].map(half_from_natural),
            [0x3c00, 0x4000, 0x4200, 0x4b80, 0x6800]
        );
    }

    #[test]
    fn scalars_must_fit() {
        assert_eq!(Element::I8.encode("-128"), Some(vec![0x80]));
        assert_eq!(Element::I8.encode("128"), None);
        assert_eq!(Element::U32.encode("4294967295"), Some(vec![0xff; 4]));
        assert_eq!(Element::U32.encode("-1"), None);
    }

    #[test]
    fn differences_name_the_element() {
        let one = Buffers(vec![Buffer::filled("b", Element::I16, 4, Fill::Iota, "")]);
        let mut two = one.clone();
        assert_eq!(one.first_difference(&two), None);
        two.0[0].bytes[5] = 0xff;
        let difference = one.first_difference(&two).expect("they differ");
        assert_eq!((difference.index, difference.right.as_str()), (2, "-254"));
        two.0[0].bytes = one.0[0].bytes[..6].to_vec();
        assert_eq!(one.first_difference(&two).expect("one is shorter").right, "nothing");
    }
}
