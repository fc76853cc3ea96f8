//! Numbers that tell functions apart: limits of every type, signs, both zeros, the
//! neighbours of powers of two, infinities and NaN.

use duet_conformance::{Element, Generator};

/// How many values a type has. A power of two: indices wrap.
pub const COUNT: usize = 64;

/// The bytes of [`COUNT`] values.
pub fn bytes(element: Element) -> Vec<u8> {
    let values = match element {
        Element::F16 => floats(&halves(), 0xffff),
        Element::F32 => floats(&singles(), u64::from(u32::MAX)),
        Element::F64 => floats(&doubles(), u64::MAX),
        _ => integers(8 * element.size() as u32),
    };
    values.iter().flat_map(|value| value.to_le_bytes()[..element.size()].to_vec()).collect()
}

fn integers(bits: u32) -> Vec<u64> {
    let top = 1u64 << (bits - 1);
    let mut values = vec![0, 1, 2, 3, 4, 5, 7, 8, 15, 31, 32, 33, 63, 64, 100, 127];
    values.extend([128, 200, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000, 1 << 24, (1 << 24) - 1]);
    values.extend([1 << 31, (1 << 31) - 1, 1 << 32, (1 << 32) - 1, 1 << 53, (1 << 53) + 1]);
    values.extend([top, top - 1, top + 1, top - 2, top >> 1, top | top >> 1]);
    values.extend([1u64, 2, 3, 8, 31, 128, 129, 1 << 23].map(|value| 0u64.wrapping_sub(value)));
    values.extend([0x5555_5555_5555_5555, 0xaaaa_aaaa_aaaa_aaaa, 0x0123_4567_89ab_cdef]);
    let mask = u64::MAX >> (64 - bits);
    fill(values.into_iter().map(|value| value & mask).collect(), "integers", mask)
}

fn floats(special: &[u64], mask: u64) -> Vec<u64> {
    fill(special.to_vec(), "floats", mask)
}

/// Random bits after the special values, and all of it shuffled.
fn fill(mut values: Vec<u64>, seed: &str, mask: u64) -> Vec<u64> {
    assert!(values.len() <= COUNT - 8, "{} special values leave no room", values.len());
    let mut random = Generator::from_text(seed);
    while values.len() < COUNT {
        values.push(random.next_u64() & mask);
    }
    for index in (1..COUNT).rev() {
        values.swap(index, random.next_u64() as usize % (index + 1));
    }
    values
}

/// Numbers that every format has, or rounds.
const REALS: [f64; 40] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    -1.5,
    2.5,
    -2.5,
    3.5,
    0.1,
    -0.1,
    0.49999997,
    2.0,
    3.0,
    -3.0,
    7.75,
    100.25,
    -100.25,
    127.5,
    128.5,
    -128.5,
    255.5,
    256.0,
    32767.5,
    -32768.5,
    65504.0,
    65535.5,
    65536.0,
    8388609.0,
    16777215.0,
    16777217.0,
    2147483520.0,
    2147483648.0,
    -2147483648.0,
    4294967296.0,
    9.3e18,
    -1.0e-5,
    1.0e10,
];

fn singles() -> Vec<u64> {
    let mut values: Vec<u64> =
        REALS.iter().map(|&value| u64::from((value as f32).to_bits())).collect();
    let more = [f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE, -f32::MAX];
    values.extend(more.map(|value| u64::from(value.to_bits())));
    values.extend([0x7fc0_0000, 1, 0x8000_0001, 0x007f_ffff, 0x3f7f_ffff, 0x3f80_0001]);
    values
}

fn doubles() -> Vec<u64> {
    let mut values: Vec<u64> = REALS.iter().map(|value| value.to_bits()).collect();
    let more = [f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN_POSITIVE, -f64::MAX];
    values.extend(more.map(f64::to_bits));
    values.extend([0x7ff8_0000_0000_0000, 1, 1 << 63 | 1, 0x3fef_ffff_ffff_ffff]);
    values.extend([1e300, -1e-300, 1e40, 3.0e38, 16777217.5].map(f64::to_bits));
    values
}

fn halves() -> Vec<u64> {
    let mut values = vec![0, 0x8000, 0x3c00, 0xbc00, 0x3800, 0xb800, 0x3e00, 0x4100, 0x7bff];
    values.extend([0xfbff, 0x7c00, 0xfc00, 0x7e00, 1, 0x8001, 0x3ff, 0x400, 0x3555, 0x5640]);
    values
}
