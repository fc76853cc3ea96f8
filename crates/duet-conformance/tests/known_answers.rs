//! PoCL against arithmetic done here, for the cases where an OpenCL
//! implementation is most likely to go its own way: fused products, division,
//! saturation, rounding to half. If one of these fails, PoCL (or its build
//! options) is the wrong witness for the differential test.

use std::path::Path;

use duet_conformance::{Buffer, Buffers, Case, run_on_pocl};

/// The buffers of a case before and after the run.
fn run(name: &str) -> (Buffers, Buffers) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels/conformance");
    let case = Case::from_file(&folder.join(name).with_extension("cl"));
    let case = case.unwrap_or_else(|error| panic!("{error}"));
    let after = run_on_pocl(&case).unwrap_or_else(|error| panic!("{name}: {error}"));
    (case.initial_buffers(), after)
}

fn buffer<'a>(buffers: &'a Buffers, name: &str) -> &'a Buffer {
    buffers.get(name).unwrap_or_else(|| panic!("no buffer {name}"))
}

fn floats(buffers: &Buffers, name: &str) -> Vec<f32> {
    let chunks = buffer(buffers, name).bytes.chunks(4);
    chunks.map(|bytes| f32::from_le_bytes(bytes.try_into().expect("four bytes"))).collect()
}

fn shorts(buffers: &Buffers, name: &str) -> Vec<i16> {
    let chunks = buffer(buffers, name).bytes.chunks(2);
    chunks.map(|bytes| i16::from_le_bytes(bytes.try_into().expect("two bytes"))).collect()
}

fn ints(buffers: &Buffers, name: &str) -> Vec<i32> {
    floats(buffers, name).into_iter().map(|value| value.to_bits() as i32).collect()
}

fn bits(values: impl IntoIterator<Item = f32>) -> Vec<u32> {
    values.into_iter().map(f32::to_bits).collect()
}

#[test]
fn products_and_sums_are_not_fused() {
    let (before, after) = run("float-arith");
    let pairs = floats(&before, "a").into_iter().zip(floats(&before, "b"));
    let expected =
        pairs.flat_map(|(x, y)| [x + y, x - y, x * y, x * y + x, (x + y) * (x - y) - x * x]);
    assert_eq!(bits(floats(&after, "out")), bits(expected));
}

#[test]
fn fma_rounds_once() {
    let (before, after) = run("float-fma");
    let (a, b, c) = (floats(&before, "a"), floats(&before, "b"), floats(&before, "c"));
    let expected = (0..a.len()).flat_map(|i| {
        let (a, b, c) = (a[i], b[i], c[i]);
        [a.mul_add(b, c), a.mul_add(b, -(a * b)), (-c).mul_add(b, 1.0)]
    });
    assert_eq!(bits(floats(&after, "out")), bits(expected));
}

#[test]
fn division_and_square_root_are_exact() {
    let (before, after) = run("float-div-sqrt");
    let pairs = floats(&before, "a").into_iter().zip(floats(&before, "b"));
    let expected = pairs.flat_map(|(a, b)| [a / b, 1.0 / a, a.abs().sqrt(), (b * b).sqrt() / 3.0]);
    assert_eq!(bits(floats(&after, "out")), bits(expected));
}

#[test]
fn floats_become_integers_by_the_named_rounding() {
    let (before, after) = run("convert-float-round");
    let expected: Vec<i32> = shorts(&before, "a")
        .into_iter()
        .map(|a| f32::from(a) * 0.25)
        .flat_map(|x| [x, x.round_ties_even(), x.trunc(), x.ceil(), x.floor()])
        .map(|x| x as i32)
        .collect();
    assert_eq!(ints(&after, "out"), expected);
}

#[test]
fn saturating_conversions_saturate() {
    let (before, after) = run("convert-float-sat");
    let mut inputs: Vec<f32> = (0..)
        .zip(floats(&before, "a"))
        .map(|(i, a)| if i % 2 == 1 { a } else { a * 65536.0 })
        .collect();
    inputs[5..8].copy_from_slice(&[f32::INFINITY, f32::NEG_INFINITY, f32::NAN]);
    let chars: Vec<u8> = inputs.iter().map(|x| *x as i8 as u8).collect();
    assert_eq!(buffer(&after, "c").bytes, chars);
    let uchars: Vec<u8> = inputs.iter().map(|x| *x as u8).collect();
    assert_eq!(buffer(&after, "u").bytes, uchars);
    assert_eq!(shorts(&after, "s"), inputs.iter().map(|x| *x as i16).collect::<Vec<_>>());
    assert_eq!(ints(&after, "w"), inputs.iter().map(|x| *x as i32).collect::<Vec<_>>());
    assert_eq!(ints(&after, "x"), inputs.iter().map(|x| *x as u32 as i32).collect::<Vec<_>>());
}

#[test]
fn rounding_to_half() {
    let (before, after) = run("half-store");
    let inputs = floats(&before, "a");
    for (name, rounding) in [
        ("near", Rounding::Nearest),
        ("zero", Rounding::Zero),
        ("up", Rounding::Up),
        ("down", Rounding::Down),
    ] {
        let expected: Vec<u16> = inputs.iter().map(|x| to_half(*x, rounding)).collect();
        let found: Vec<u16> = shorts(&after, name).into_iter().map(|h| h as u16).collect();
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn breaks_and_continues_of_a_switch_in_a_loop() {
    let (before, after) = run("switch-in-loop");
    let expected: Vec<i32> =
        (0..).zip(ints(&before, "a")).flat_map(|(i, a)| machine(i, a as u32)).collect();
    assert_eq!(ints(&after, "out"), expected);
}

/// The kernel `switch_in_loop` for one work-item.
fn machine(item: i32, mut code: u32) -> [i32; 2] {
    let mut acc = item & 31;
    for _ in 0..16 {
        acc = match code & 3 {
            0 => acc + 3,
            1 => ((acc * 2) & 0xffff) + 1,
            2 if acc > 5000 => return [acc, -1],
            2 => acc,
            _ => (acc ^ 0x2a) + 1,
        };
        code >>= 2;
    }
    [acc, 16]
}

#[derive(Clone, Copy)]
enum Rounding {
    Nearest,
    Zero,
    Up,
    Down,
}

/// The half nearest to `x` in the direction given, found by search: halves of one
/// sign are ordered as their bits are.
fn to_half(x: f32, rounding: Rounding) -> u16 {
    let magnitude = f64::from(x.abs());
    let below = (0..0x7c00).rev().find(|h| half_value(*h) <= magnitude).expect("zero is below");
    let exact = half_value(below) == magnitude;
    let away = match rounding {
        _ if exact => false,
        Rounding::Zero => false,
        Rounding::Up => x > 0.0,
        Rounding::Down => x < 0.0,
        Rounding::Nearest => {
            let middle = (half_value(below) + half_value(below + 1)) / 2.0;
            magnitude > middle || (magnitude == middle && below % 2 == 1)
        }
    };
    let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
    sign | (below + u16::from(away))
}

/// The value of a positive half; the infinity counts as 2^16, as it does when rounding.
fn half_value(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10), f64::from(bits & 0x3ff));
    if exponent == 0 {
        return fraction * 2.0_f64.powi(-24);
    }
    (1.0 + fraction / 1024.0) * 2.0_f64.powi(exponent - 15)
}
