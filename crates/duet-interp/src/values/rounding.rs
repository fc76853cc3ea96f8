//! Conversions that name how they round: OpenCL's `convert_float_rtz_uint`, CUDA's
//! `__float2int_ru` and C's `lrint`.

use duet_ir::{FloatType, Type};

use crate::values::eval::mask;
use crate::values::float;

/// Where a number that does not fit goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    NearestEven,
    NearestAway,
    Zero,
    Up,
    Down,
}

/// A conversion, as far as the types of operand and result do not tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Conversion {
    mode: Mode,
    /// Is an integer on either side signed?
    signed: bool,
}

/// The conversion of a name.
pub(crate) fn conversion(name: &str) -> Option<Conversion> {
    if let Some(rest) = name.strip_prefix("convert_") {
        let mut words = rest.split('_').skip(1);
        let mode = mode(words.next()?)?;
        return Some(Conversion { mode, signed: !words.next().is_some_and(is_unsigned) });
    }
    match name.strip_suffix('f').unwrap_or(name) {
        "lrint" | "llrint" => return Some(Conversion { mode: Mode::NearestEven, signed: true }),
        "lround" | "llround" => return Some(Conversion { mode: Mode::NearestAway, signed: true }),
        _ => {}
    }
    let rest = name.strip_prefix("__")?;
    let (types, rounding) = rest.strip_prefix("duet_").unwrap_or(rest).rsplit_once('_')?;
    let (from, to) = types.split_once('2')?;
    let known = |name: &str| TYPES.contains(&name);
    if !known(from) || !known(to) {
        return None;
    }
    Some(Conversion { mode: mode(rounding)?, signed: !is_unsigned(from) && !is_unsigned(to) })
}

/// The names of types in CUDA's conversions.
const TYPES: [&str; 10] =
    ["float", "double", "half", "bfloat16", "int", "uint", "ll", "ull", "short", "ushort"];

fn is_unsigned(name: &str) -> bool {
    name.starts_with('u')
}

fn mode(name: &str) -> Option<Mode> {
    Some(match name {
        "rte" | "rn" => Mode::NearestEven,
        "rtz" | "rz" => Mode::Zero,
        "rtp" | "ru" => Mode::Up,
        "rtn" | "rd" => Mode::Down,
        _ => return None,
    })
}

impl Conversion {
    /// Can it convert these types?
    pub fn suits(self, from: Type, to: Type) -> bool {
        from.is_float() || (from.is_int() && to.is_float())
    }

    /// Converts bits; a float that does not fit an integer becomes the nearest one, as
    /// CUDA has it.
    pub fn apply(self, (bits, from): (u128, Type), to: Type) -> u128 {
        match (from, to) {
            (Type::Float(from), Type::Float(to)) => {
                u128::from(self.narrow(to, float::to_f64(from, bits as u64)))
            }
            (Type::Float(from), Type::Int(width)) => {
                let whole = self.whole(float::to_f64(from, bits as u64)).to_bits();
                match self.signed {
                    true => float::to_signed(FloatType::F64, whole, width),
                    false => float::to_unsigned(FloatType::F64, whole, width),
                }
            }
            (Type::Int(width), Type::Float(to)) => u128::from(self.of_int(to, bits, width)),
            (Type::Int(_) | Type::Ref, _) | (_, Type::Ref) => bits,
        }
    }

    fn whole(self, value: f64) -> f64 {
        match self.mode {
            Mode::NearestEven => libm::rint(value),
            Mode::NearestAway => libm::round(value),
            Mode::Zero => libm::trunc(value),
            Mode::Up => libm::ceil(value),
            Mode::Down => libm::floor(value),
        }
    }

    fn narrow(self, ty: FloatType, value: f64) -> u64 {
        let nearest = float::from_f64(ty, value);
        let rounded = float::to_f64(ty, nearest);
        self.corrected(nearest, rounded > value, rounded < value, value.is_sign_negative())
    }

    fn of_int(self, ty: FloatType, bits: u128, width: u8) -> u64 {
        let nearest = match self.signed {
            true => float::from_signed(ty, bits, width),
            false => float::from_unsigned(ty, bits),
        };
        let unused = 128 - u32::from(width);
        let exact = match self.signed {
            true => (bits << unused) as i128 >> unused,
            false => (bits & mask(width)) as i128,
        };
        // Beyond the largest half there is only infinity.
        let rounded = float::to_f64(ty, nearest);
        let (above, below) = match rounded.is_finite() {
            true => ((rounded as i128) > exact, (rounded as i128) < exact),
            false => (rounded > 0.0, rounded < 0.0),
        };
        self.corrected(nearest, above, below, exact < 0)
    }

    /// One number back if rounding to nearest went the wrong way. Numbers of one sign
    /// are ordered as their bits are.
    fn corrected(self, nearest: u64, above: bool, below: bool, negative: bool) -> u64 {
        let away = if negative { below } else { above };
        let wrong = match self.mode {
            Mode::NearestEven | Mode::NearestAway => false,
            Mode::Zero => away,
            Mode::Up => below,
            Mode::Down => above,
        };
        match (wrong, away) {
            (true, true) => nearest - 1,
            (true, false) => nearest + 1,
            (false, _) => nearest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int_to_float(name: &str, bits: u128, ty: Type) -> f32 {
        f32::from_bits(conversion(name).expect(name).apply((bits, ty), Type::F32) as u32)
    }

    fn float_to_int(name: &str, value: f32) -> i32 {
        let bits = u128::from(value.to_bits());
        conversion(name).expect(name).apply((bits, Type::F32), Type::I32) as i32
    }

    #[test]
    fn integers_become_floats() {
        let odd = 16_777_217;
        assert_eq!(int_to_float("__int2float_rz", odd, Type::I32), 16_777_216.0);
        assert_eq!(int_to_float("__int2float_ru", odd, Type::I32), 16_777_218.0);
        assert_eq!(int_to_float("convert_float_rtp_int", odd, Type::I32), 16_777_218.0);
        let minus_odd = u128::from(-16_777_217i32 as u32);
        assert_eq!(int_to_float("__int2float_rz", minus_odd, Type::I32), -16_777_216.0);
        assert_eq!(int_to_float("__int2float_rd", minus_odd, Type::I32), -16_777_218.0);
        let most = u128::from(u32::MAX);
        assert_eq!(int_to_float("__uint2float_rz", most, Type::I32), 4_294_967_040.0);
        assert_eq!(int_to_float("convert_float_rtn_uint", most, Type::I32), 4_294_967_040.0);
    }

    #[test]
    fn floats_become_integers() {
        assert_eq!(float_to_int("__float2int_rn", 2.5), 2);
        assert_eq!(float_to_int("__float2int_ru", 2.1), 3);
        assert_eq!(float_to_int("__float2int_rd", -2.1), -3);
        assert_eq!(float_to_int("lroundf", 2.5), 3);
        assert_eq!(float_to_int("lrintf", 3.5), 4);
        assert_eq!(float_to_int("__float2int_rn", 1e20), i32::MAX);
        assert_eq!(float_to_int("__float2uint_rn", -3.0), 0);
        assert_eq!(conversion("__fadd_rz"), None);
        assert_eq!(conversion("__spec2int_rn"), None);
    }
}
