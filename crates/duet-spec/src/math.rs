//! Functions of the source language that contracts may call: those of its mathematical library,
//! which mean what they mean in the code, and `min`, `max` and `abs` of integers.

use crate::tree::Type;

/// Functions of one number.
const ONE: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cbrt",
    "ceil",
    "cos",
    "cosh",
    "cospi",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "floor",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "nearbyint",
    "rint",
    "round",
    "rsqrt",
    "sin",
    "sinh",
    "sinpi",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
];

/// Functions of two.
const TWO: &[&str] = &[
    "atan2",
    "copysign",
    "fdim",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "nextafter",
    "pow",
    "remainder",
];

/// Functions of three.
const THREE: &[&str] = &["fma"];

/// Faster ones of CUDA, of single precision.
const FAST: &[(&str, usize)] = &[
    ("__expf", 1),
    ("__exp10f", 1),
    ("__logf", 1),
    ("__log2f", 1),
    ("__log10f", 1),
    ("__sinf", 1),
    ("__cosf", 1),
    ("__tanf", 1),
    ("__powf", 2),
    ("__fdividef", 2),
    ("__saturatef", 1),
];

/// A function of the mathematical library: how many numbers it takes, and whether its name says
/// that they are of single precision.
pub fn math_function(name: &str) -> Option<(usize, bool)> {
    let arity = |name: &str| {
        let lists = [(ONE, 1), (TWO, 2), (THREE, 3)];
        lists.into_iter().find(|(list, _)| list.contains(&name)).map(|one| one.1)
    };
    let fast = FAST.iter().find(|one| one.0 == name).map(|one| (one.1, true));
    let single = || name.strip_suffix('f').and_then(arity).map(|arity| (arity, true));
    fast.or_else(|| arity(name).map(|arity| (arity, false))).or_else(single)
}

/// A function of integers that is a choice among them: how many it takes.
pub fn integer_function(name: &str) -> Option<usize> {
    match name {
        "min" | "max" => Some(2),
        "abs" => Some(1),
        _ => None,
    }
}

/// What a mathematical function yields, by the overloads of the language: single precision if its
/// name says so or all its arguments have it, else double precision.
pub fn math_type(is_single: bool, args: &[Type]) -> Type {
    match is_single || args.iter().all(|ty| *ty == Type::Float) {
        true => Type::Float,
        false => Type::Double,
    }
}
