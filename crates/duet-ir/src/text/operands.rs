//! Constants in the text form, both ways: how an integer, a float or a
//! reference is written, and how it is read at an expected type.

use std::fmt;

use super::cursor::parse_magnitude;
use crate::{FloatType, Type};

/// All ones of a width from 1 to 128.
fn ones(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

/// Writes an integer: by its signed reading, so that -1 is `-1`; `i1` and what
/// does not fit its width (which is ill-formed) without sign.
pub(super) fn write_int(out: &mut dyn fmt::Write, bits: u128, width: u32) -> fmt::Result {
    if (2..=128).contains(&width) && bits <= ones(width) && bits >> (width - 1) == 1 {
        write!(out, "-{}", (bits ^ ones(width)) + 1)
    } else {
        write!(out, "{bits}")
    }
}

/// Reads an integer of a width. A number that does not fit is kept as it is, for
/// `check_well_formed` to refuse; a negative one that does not fit is an error.
pub(super) fn parse_int(text: &str, width: u32) -> Result<u128, String> {
    let magnitude = text.strip_prefix('-').unwrap_or(text);
    let Some(number) = parse_magnitude(magnitude) else {
        return Err(format!("`{text}` is not an integer of at most 128 bits"));
    };
    if !text.starts_with('-') {
        return Ok(number);
    }
    if !(1..=128).contains(&width) || number > 1 << (width - 1) {
        return Err(format!("`{text}` does not fit i{width}"));
    }
    Ok(number.wrapping_neg() & ones(width))
}

/// Writes a float exactly: finite `f32` and `f64` as the shortest decimal that
/// reads back to the same bits, all others as their bits in hexadecimal.
pub(super) fn write_float(out: &mut dyn fmt::Write, bits: u128, ty: FloatType) -> fmt::Result {
    match ty {
        FloatType::F32 => {
            if let Some(number) = u32::try_from(bits).ok().map(f32::from_bits)
                && number.is_finite()
            {
                return write!(out, "{number:?}");
            }
            write!(out, "0x{bits:08x}")
        }
        FloatType::F64 => {
            if let Some(number) = u64::try_from(bits).ok().map(f64::from_bits)
                && number.is_finite()
            {
                return write!(out, "{number:?}");
            }
            write!(out, "0x{bits:016x}")
        }
        FloatType::F16 | FloatType::BF16 => write!(out, "0x{bits:04x}"),
    }
}

/// Reads a float: bits in hexadecimal, or a decimal with a point or exponent.
pub(super) fn parse_float(text: &str, ty: FloatType) -> Result<u128, String> {
    if text.starts_with("0x") {
        return parse_magnitude(text).ok_or(format!("`{text}` is not a bit pattern"));
    }
    let decimal = text.contains(['.', 'e', 'E']);
    let bits = match ty {
        _ if !decimal => None,
        FloatType::F32 => {
            let number = text.parse::<f32>().ok().filter(|number| number.is_finite());
            number.map(|number| u128::from(number.to_bits()))
        }
        FloatType::F64 => {
            let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
            number.map(|number| u128::from(number.to_bits()))
        }
        FloatType::F16 | FloatType::BF16 => None,
    };
    bits.ok_or_else(|| match ty {
        FloatType::F32 | FloatType::F64 => {
            format!(
                "`{text}` is no {}: expected a decimal with a point, or `0x` and its bits",
                Type::Float(ty)
            )
        }
        FloatType::F16 | FloatType::BF16 => {
            format!("`{text}` is no {}: expected `0x` and its bits", Type::Float(ty))
        }
    })
}
