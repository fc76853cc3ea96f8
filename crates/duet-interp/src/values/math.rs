//! The functions behind `pure`: the float functions of C, CUDA and OpenCL that
//! have a well-known meaning, texel numbers, and for every other name a hash of
//! name and arguments (any function of them is a legal meaning).
//!
//! Single-precision functions are computed in double precision and rounded. No
//! claim is made about the last bit: devices differ there too.

use duet_ir::{FloatType, Type};

use crate::values::eval::mask;
use crate::values::float;
use crate::values::random::{hash, wide};
use crate::values::rounding::{self, Conversion};

/// A function of one, two or three doubles.
#[derive(Clone, Copy)]
enum Real {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
    Three(fn(f64, f64, f64) -> f64),
}

/// What a name means, looked up once per instruction.
#[derive(Clone, Copy)]
pub(crate) enum Meaning {
    Texel,
    /// Rounds once, which double precision does not do for single.
    FusedMultiplyAdd,
    Real(RealFunction),
    /// A conversion that names how it rounds.
    Conversion(Conversion),
    /// OpenCL's `fract`, which is below 1 whatever it is rounded to.
    Fraction,
    /// A function of vectors, whose lanes are the operands.
    Geometric(Geometric),
    /// Hash of the name.
    Opaque(u64),
}

/// OpenCL's geometric functions, and which lane of the result.
#[derive(Clone, Copy)]
pub(crate) enum Geometric {
    Dot,
    Length,
    Distance,
    Normalize(usize),
    Cross(usize),
}

/// A real function, opaque to other modules.
#[derive(Clone, Copy)]
pub(crate) struct RealFunction(Real);

/// The meaning of a name at given operand types. A known name with operands of
/// another shape is opaque.
pub(crate) fn meaning(name: &str, args: &[Type], result: Type) -> Meaning {
    let floats = |n: usize| args.len() == n && args.iter().all(|ty| ty.is_float());
    if name == "__duet_texel" && floats(3) && result.is_int() {
        return Meaning::Texel;
    }
    if let Some(conversion) = rounding::conversion(name)
        && let [from] = args
        && conversion.suits(*from, result)
    {
        return Meaning::Conversion(conversion);
    }
    if name == "fract" && floats(1) && result.is_float() {
        return Meaning::Fraction;
    }
    if let Some(geometric) = geometric(name, args.len()).filter(|_| floats(args.len())) {
        return Meaning::Geometric(geometric);
    }
    let known = if result.is_float() { real(stem(name)) } else { None };
    if matches!(stem(name), "fma" | "mad" | "fmuladd") && args == [result; 3] && known.is_some() {
        return Meaning::FusedMultiplyAdd;
    }
    match known {
        Some(f @ Real::One(_)) if floats(1) => Meaning::Real(RealFunction(f)),
        Some(f @ Real::Two(_)) if floats(2) => Meaning::Real(RealFunction(f)),
        Some(f @ Real::Three(_)) if floats(3) => Meaning::Real(RealFunction(f)),
        _ => Meaning::Opaque(hash_name(name)),
    }
}

/// Is nothing known of the function but its name?
pub(crate) fn is_opaque(name: &str, args: &[Type], result: Type) -> bool {
    matches!(meaning(name, args, result), Meaning::Opaque(_))
}

/// Applies a meaning to operands.
pub(crate) fn apply(meaning: Meaning, args: &[(u128, Type)], result: Type) -> u128 {
    match (meaning, result) {
        (Meaning::Texel, Type::Int(width)) => texel(args) & mask(width),
        (Meaning::FusedMultiplyAdd, Type::F32) => {
            let x = |n: usize| f32::from_bits(args[n].0 as u32);
            u128::from(libm::fmaf(x(0), x(1), x(2)).to_bits())
        }
        (Meaning::FusedMultiplyAdd, Type::Float(ty)) => {
            let x = |n: usize| real_arg(args[n]);
            u128::from(float::from_f64(ty, libm::fma(x(0), x(1), x(2))))
        }
        (Meaning::Real(f), Type::Float(ty)) => u128::from(float::from_f64(ty, f.apply(args))),
        (Meaning::Conversion(conversion), _) => conversion.apply(args[0], result),
        (Meaning::Fraction, Type::Float(ty)) => u128::from(fraction(ty, real_arg(args[0]))),
        (Meaning::Geometric(function), Type::Float(ty)) => {
            let lanes: Vec<f64> = args.iter().map(|&arg| real_arg(arg)).collect();
            u128::from(float::from_f64(ty, function.apply(&lanes)))
        }
        (Meaning::Opaque(name), _) => opaque(name, args, result),
        _ => unreachable!("the meaning fits the result"),
    }
}

/// OpenCL's `dot`, `normalize.2`, …
fn geometric(name: &str, operands: usize) -> Option<Geometric> {
    let name = name.strip_prefix("fast_").unwrap_or(name);
    let (name, lane) = name.split_once('.').unwrap_or((name, "0"));
    let lane: usize = lane.parse().ok()?;
    match name {
        "dot" if operands.is_multiple_of(2) => Some(Geometric::Dot),
        "distance" if operands.is_multiple_of(2) => Some(Geometric::Distance),
        "length" => Some(Geometric::Length),
        "normalize" if lane < operands => Some(Geometric::Normalize(lane)),
        "cross" if operands == 6 && lane < 3 => Some(Geometric::Cross(lane)),
        _ => None,
    }
}

impl Geometric {
    fn apply(self, lanes: &[f64]) -> f64 {
        let (x, y) = lanes.split_at(lanes.len() / 2);
        let length = |lanes: &[f64]| libm::sqrt(lanes.iter().map(|lane| lane * lane).sum());
        match self {
            Geometric::Dot => x.iter().zip(y).map(|(x, y)| x * y).sum(),
            Geometric::Length => length(lanes),
            Geometric::Distance => {
                length(&x.iter().zip(y).map(|(x, y)| x - y).collect::<Vec<f64>>())
            }
            Geometric::Normalize(lane) => lanes[lane] / length(lanes),
            Geometric::Cross(lane) => {
                let (next, last) = ((lane + 1) % 3, (lane + 2) % 3);
                x[next] * y[last] - x[last] * y[next]
            }
        }
    }
}

/// x - floor(x), but below 1; zeros keep their signs, and infinity has no fraction.
fn fraction(ty: FloatType, x: f64) -> u64 {
    if x == 0.0 || x.is_nan() {
        return float::from_f64(ty, x);
    }
    let rest = if x.is_infinite() { 0.0 } else { x - libm::floor(x) };
    let one = float::from_f64(ty, 1.0);
    // Positive numbers are ordered as their bits are.
    float::from_f64(ty, rest).min(one - 1)
}

impl RealFunction {
    fn apply(self, args: &[(u128, Type)]) -> f64 {
        let x = |n: usize| real_arg(args[n]);
        match self.0 {
            Real::One(f) => f(x(0)),
            Real::Two(f) => f(x(0), x(1)),
            Real::Three(f) => f(x(0), x(1), x(2)),
        }
    }
}

/// A float operand as a double.
fn real_arg((bits, ty): (u128, Type)) -> f64 {
    match ty {
        Type::Float(ty) => float::to_f64(ty, bits as u64),
        Type::Int(_) | Type::Ref => 0.0,
    }
}

/// `x + (y << 20) + (z << 40)` of the coordinates' floors, negative ones as 0.
fn texel(args: &[(u128, Type)]) -> u128 {
    let part = |n: usize| (real_arg(args[n]).floor() as u64).min(1 << 40);
    u128::from(part(0)) + (u128::from(part(1)) << 20) + (u128::from(part(2)) << 40)
}

/// Any function of name and arguments. Float results are numbers between 1 and
/// 2, so that sums and comparisons of them stay ordinary.
fn opaque(name: u64, args: &[(u128, Type)], result: Type) -> u128 {
    let mut words = vec![name];
    for &(bits, _) in args {
        words.extend([bits as u64, (bits >> 64) as u64]);
    }
    let h = hash(&words);
    match result {
        Type::Int(width) => wide(h) & mask(width),
        Type::Float(FloatType::F64) => u128::from(1.0f64.to_bits() | h >> 12),
        Type::Float(ty) => u128::from(float::from_f64(ty, 1.0 + (h >> 58) as f64 / 64.0)),
        Type::Ref => 0,
    }
}

/// A hash of a name.
fn hash_name(name: &str) -> u64 {
    name.bytes().fold(0, |h, byte| hash(&[h, u64::from(byte)]))
}

/// The base name of a function: without CUDA's and OpenCL's prefixes for fast
/// versions, Itanium mangling, LLVM's dots, and the suffix of its type.
fn stem(name: &str) -> &str {
    let name = unmangled(name);
    let name =
        name.strip_prefix("llvm.").map_or(name, |rest| rest.split('.').next().unwrap_or(rest));
    let name = ["__nv_fast_", "__nv_", "__builtin_", "native_", "half_", "__"]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name);
    let name = ["_rn", "_rd", "_ru", "_rz"]
        .iter()
        .find_map(|suffix| name.strip_suffix(suffix))
        .unwrap_or(name);
    let short = name.strip_suffix('f').filter(|short| real(short).is_some());
    short.unwrap_or(name)
}

/// The name inside `_Z3sinf`; other names as they are.
fn unmangled(name: &str) -> &str {
    let Some(rest) = name.strip_prefix("_Z") else { return name };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let len = rest[..digits].parse().unwrap_or(0);
    rest.get(digits..digits + len).unwrap_or(name)
}

/// The function of a base name.
fn real(stem: &str) -> Option<Real> {
    one(stem).map(Real::One).or_else(|| two(stem).map(Real::Two)).or_else(|| three(stem))
}

/// Functions of one operand.
fn one(stem: &str) -> Option<fn(f64) -> f64> {
    Some(match stem {
        "sin" => libm::sin,
        "cos" => libm::cos,
        "tan" => libm::tan,
        "asin" => libm::asin,
        "acos" => libm::acos,
        "atan" => libm::atan,
        "sinh" => libm::sinh,
        "cosh" => libm::cosh,
        "tanh" => libm::tanh,
        "asinh" => libm::asinh,
        "acosh" => libm::acosh,
        "atanh" => libm::atanh,
        "sinpi" => |x| libm::sin(libm::fmod(x, 2.0) * std::f64::consts::PI),
        "cospi" => |x| libm::cos(libm::fmod(x, 2.0) * std::f64::consts::PI),
        "tanpi" => |x| libm::tan(libm::fmod(x, 1.0) * std::f64::consts::PI),
        "exp" => libm::exp,
        "exp2" => libm::exp2,
        "exp10" => libm::exp10,
        "expm1" => libm::expm1,
        "log" => libm::log,
        "log2" => libm::log2,
        "log10" => libm::log10,
        "log1p" => libm::log1p,
        "sqrt" | "fsqrt" | "dsqrt" => libm::sqrt,
        "rsqrt" | "frsqrt" => |x| 1.0 / libm::sqrt(x),
        "cbrt" => libm::cbrt,
        "rcbrt" => |x| 1.0 / libm::cbrt(x),
        "recip" | "frcp" | "drcp" => |x| 1.0 / x,
        "fabs" => libm::fabs,
        "floor" => libm::floor,
        "ceil" => libm::ceil,
        "trunc" => libm::trunc,
        "round" => libm::round,
        "rint" | "nearbyint" | "roundeven" => libm::rint,
        "erf" => libm::erf,
        "erfc" => libm::erfc,
        "tgamma" => libm::tgamma,
        "lgamma" => libm::lgamma,
        "j0" => libm::j0,
        "j1" => libm::j1,
        "y0" => libm::y0,
        "y1" => libm::y1,
        "normcdf" => |x| 0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2),
        "saturate" => |x| if x > 0.0 { x.min(1.0) } else { 0.0 },
        "degrees" => f64::to_degrees,
        "radians" => f64::to_radians,
        "sign" => |x| {
            if x > 0.0 {
                1.0
            } else if x < 0.0 {
                -1.0
            } else if x == 0.0 {
                x
            } else {
                0.0
            }
        },
        _ => return None,
    })
}

/// Functions of two operands.
fn two(stem: &str) -> Option<fn(f64, f64) -> f64> {
    Some(match stem {
        "pow" | "powr" => libm::pow,
        "atan2" => libm::atan2,
        "hypot" => libm::hypot,
        "rhypot" => |x, y| 1.0 / libm::hypot(x, y),
        "fmod" => libm::fmod,
        "remainder" => libm::remainder,
        "fmin" | "minnum" | "min" => libm::fmin,
        "fmax" | "maxnum" | "max" => libm::fmax,
        "fdim" => libm::fdim,
        "copysign" => libm::copysign,
        "nextafter" => libm::nextafter,
        "fdivide" | "divide" | "fdiv" | "ddiv" => |x, y| x / y,
        "fadd" | "dadd" => |x, y| x + y,
        "fsub" | "dsub" => |x, y| x - y,
        "fmul" | "dmul" => |x, y| x * y,
        "step" => |edge, x| if x < edge { 0.0 } else { 1.0 },
        _ => return None,
    })
}

/// Functions of three operands.
fn three(stem: &str) -> Option<Real> {
    let function: fn(f64, f64, f64) -> f64 = match stem {
        "fma" | "mad" | "fmuladd" => libm::fma,
        "clamp" => |x, low, high| libm::fmin(libm::fmax(x, low), high),
        "mix" => |x, y, a| x + (y - x) * a,
        "smoothstep" => |low, high, x| {
            let t = libm::fmin(libm::fmax((x - low) / (high - low), 0.0), 1.0);
            t * t * (3.0 - 2.0 * t)
        },
        _ => return None,
    };
    Some(Real::Three(function))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, args: &[f32]) -> f32 {
        let args: Vec<_> = args.iter().map(|x| (u128::from(x.to_bits()), Type::F32)).collect();
        let types: Vec<_> = args.iter().map(|arg| arg.1).collect();
        f32::from_bits(apply(meaning(name, &types, Type::F32), &args, Type::F32) as u32)
    }

    #[test]
    fn names_of_three_languages_are_known() {
        for name in ["sqrtf", "sqrt", "__nv_sqrtf", "native_sqrt", "_Z4sqrtf", "__fsqrt_rn"] {
            assert_eq!(call(name, &[9.0]), 3.0, "{name}");
        }
        for name in ["fmaf", "mad", "__fmaf_rn", "llvm.fma.f32"] {
            assert_eq!(call(name, &[2.0, 3.0, 4.0]), 10.0, "{name}");
        }
        assert_eq!(call("__expf", &[0.0]), 1.0);
        assert_eq!(call("erff", &[0.0]), 0.0);
        assert_eq!(call("fminf", &[f32::NAN, 2.0]), 2.0);
        assert_eq!(call("__fdividef", &[1.0, 4.0]), 0.25);
    }

    #[test]
    fn geometric_functions_take_the_lanes_of_vectors() {
        assert_eq!(call("dot", &[1.0, 2.0, 3.0, 4.0]), 11.0);
        assert_eq!(call("length", &[3.0, 4.0]), 5.0);
        assert_eq!(call("fast_distance", &[1.0, 2.0, 4.0, 6.0]), 5.0);
        assert_eq!(call("normalize.1", &[3.0, 4.0]), 0.8);
        assert_eq!(call("cross.2", &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]), 1.0);
    }

    #[test]
    fn other_names_are_functions_of_name_and_arguments() {
        assert_eq!(call("mystery", &[1.0]), call("mystery", &[1.0]));
        assert_ne!(call("mystery", &[1.0]), call("mystery", &[1.5]));
        assert_ne!(call("mystery", &[1.0]), call("secret", &[1.0]));
    }

    #[test]
    fn texels_of_distinct_coordinates_differ() {
        let texel = |xyz: [f32; 3]| {
            let args = xyz.map(|x| (u128::from(x.to_bits()), Type::F32));
            apply(meaning("__duet_texel", &[Type::F32; 3], Type::I64), &args, Type::I64)
        };
        assert_eq!(texel([3.9, 2.0, 1.0]), 3 + (2 << 20) + (1 << 40));
        assert_eq!(texel([-5.0, 0.0, 0.0]), 0);
    }
}
