//! Is a function that is called like a built-in one of OpenCL's own, by the types of
//! its parameters?
//!
//! Built-ins are overloaded, and a source may declare an overload of its own, with
//! other parameters and without a body. SOUNDNESS: that is an unknown
//! function, whatever its name (`overloads_of_the_user` in duet's tests). Result types need
//! no look: clang rejects a declaration that differs from a built-in in the result alone.

use super::MemoryBuiltin;
use super::memory::{AtomicBuiltin, AtomicOperands};
use crate::mangled::{Mangled, ParamType, Scalar};

/// Functions whose later arguments may be scalars where the first is a vector, or
/// whose first ones may (`step`, `smoothstep`).
const MIXED_LANES: [&str; 8] = ["clamp", "fmax", "fmin", "max", "min", "mix", "smoothstep", "step"];

/// Do the parameters suit a built-in that computes a value?
pub fn suits_value(name: &Mangled) -> bool {
    let params = &name.params[..];
    let base = name.base.as_str();
    if base.starts_with("__") {
        return true;
    }
    if base.starts_with("get_") {
        return matches!(params, [] | [ParamType::Scalar(Scalar::UInt)]);
    }
    if !params.iter().all(is_number) {
        return false;
    }
    match (base, params) {
        ("upsample", [high, low]) => same_lanes(high, low) && is_unsigned_of(low, high),
        ("shuffle", [x, mask]) => is_unsigned_of(mask, x),
        ("shuffle2", [x, y, mask]) => x == y && is_unsigned_of(mask, x),
        ("select", [x, y, c]) => {
            x == y && same_lanes(x, c) && is_integer(c) && bytes(c) == bytes(x)
        }
        ("ldexp", [x, exponent]) => {
            exponent.element() == Some(Scalar::Int)
                && (exponent.lanes() == 1 || same_lanes(x, exponent))
        }
        ("pown" | "rootn", [x, n]) => n.element() == Some(Scalar::Int) && same_lanes(x, n),
        (_, [first, rest @ ..]) => {
            let lanes = params.iter().map(ParamType::lanes).max();
            let uniform = |param: &ParamType| {
                Some(param.lanes()) == lanes || param.lanes() == 1 && MIXED_LANES.contains(&base)
            };
            rest.iter().all(|param| param.element() == first.element())
                && params.iter().all(uniform)
        }
        (_, []) => true,
    }
}

/// Do the parameters suit a built-in that returns something through its last
/// parameter?
pub fn suits_out_pointer(name: &Mangled) -> bool {
    let Some((last, values)) = name.params.split_last() else { return false };
    let Some(first) = values.first() else { return false };
    let is_float = first.element().is_some_and(Scalar::is_float);
    let stored = last.pointee().filter(|stored| is_number(stored) && same_lanes(stored, first));
    is_float
        && values.iter().all(|value| value == first)
        && stored.and_then(ParamType::element).is_some_and(|element| match name.base.as_str() {
            "frexp" | "lgamma_r" | "remquo" => element == Scalar::Int,
            _ => Some(element) == first.element(),
        })
}

/// Do the parameters suit a built-in with effects?
pub fn suits_effect(builtin: &MemoryBuiltin, name: &Mangled) -> bool {
    let params = &name.params[..];
    match builtin {
        MemoryBuiltin::VLoad { half, .. } => match params {
            [index, pointer] => is_size(index) && points_at_number(pointer, None, *half),
            _ => false,
        },
        MemoryBuiltin::VStore { lanes, half, .. } => match params {
            [value, index, pointer] => {
                let element = if half.is_some() { None } else { value.element() };
                is_number(value)
                    && value.lanes() == *lanes
                    && is_size(index)
                    && points_at_number(pointer, element, half.is_some())
            }
            _ => false,
        },
        MemoryBuiltin::Atomic(atomic) => suits_atomic(atomic, params),
        MemoryBuiltin::AtomicInit => match params {
            [_, value] => is_like(value, params[0].pointee().and_then(ParamType::element)),
            _ => false,
        },
        MemoryBuiltin::AsyncCopy { strided, .. } => match (strided, params) {
            (false, [dst, src, count, ParamType::Event]) => copies(dst, src) && is_size(count),
            (true, [dst, src, count, stride, ParamType::Event]) => {
                copies(dst, src) && is_size(count) && is_size(stride)
            }
            _ => false,
        },
        MemoryBuiltin::WaitEvents => match params {
            [ParamType::Scalar(Scalar::Int), events] => events.pointee() == Some(&ParamType::Event),
            _ => false,
        },
        MemoryBuiltin::Barrier => match params {
            [ParamType::Scalar(Scalar::UInt), scope @ ..] => are_named(scope, &["memory_scope"]),
            _ => false,
        },
        MemoryBuiltin::MemFence => matches!(params, [ParamType::Scalar(Scalar::UInt)]),
        MemoryBuiltin::WorkItemFence => match params {
            [ParamType::Scalar(Scalar::UInt), rest @ ..] => {
                rest.len() == 2 && are_named(rest, &["memory_order", "memory_scope"])
            }
            _ => false,
        },
        MemoryBuiltin::ReadImage { coordinates, .. } => {
            params.get(*coordinates).is_some_and(is_number)
        }
        MemoryBuiltin::WriteImage { .. } => match params {
            [_, at, level @ .., value] => {
                at.element() == Some(Scalar::Int)
                    && level.iter().all(|level| level.element() == Some(Scalar::Int))
                    && is_number(value)
            }
            _ => false,
        },
        MemoryBuiltin::ImageQuery { .. } => params.len() == 1,
        MemoryBuiltin::Prefetch => {
            matches!(params, [ParamType::Pointer { .. }, size] if is_size(size))
        }
        MemoryBuiltin::Printf => matches!(params, [] | [ParamType::Pointer { .. }, ..]),
        MemoryBuiltin::Unsupported(_) => true,
    }
}

fn suits_atomic(atomic: &AtomicBuiltin, params: &[ParamType]) -> bool {
    let element = Some(atomic.element);
    let rest = &params[1..];
    let (operands, rest) = match (atomic.operands, rest) {
        (AtomicOperands::None | AtomicOperands::Constant(_), rest) => (true, rest),
        (AtomicOperands::Argument, [value, rest @ ..]) => (is_like(value, element), rest),
        (AtomicOperands::CompareAndNew, [compare, new, rest @ ..]) => {
            (is_like(compare, element) && is_like(new, element), rest)
        }
        (AtomicOperands::ThroughPointer { .. }, [expected, new, rest @ ..]) => {
            let expected = expected.pointee().is_some_and(|expected| is_like(expected, element));
            (expected && is_like(new, element), rest)
        }
        _ => return false,
    };
    operands && are_named(rest, &["memory_order", "memory_scope"])
}

/// A scalar of as many bits as the type in memory, and a float if that is one.
fn is_like(param: &ParamType, element: Option<Scalar>) -> bool {
    let (ParamType::Scalar(scalar), Some(element)) = (param, element) else { return false };
    scalar.is_float() == element.is_float() && size(*scalar) == size(element)
}

fn are_named(params: &[ParamType], names: &[&str]) -> bool {
    params
        .iter()
        .all(|param| matches!(param, ParamType::Named(name) if names.contains(&name.as_str())))
}

fn copies(dst: &ParamType, src: &ParamType) -> bool {
    let (dst, src) = (dst.pointee(), src.pointee());
    dst == src && dst.is_some_and(is_number)
}

fn points_at_number(pointer: &ParamType, element: Option<Scalar>, half: bool) -> bool {
    let Some(ParamType::Scalar(found)) = pointer.pointee() else { return false };
    (element.is_none() || element == Some(*found)) && (!half || *found == Scalar::Half)
}

/// `size_t`, of either width.
fn is_size(param: &ParamType) -> bool {
    matches!(param, ParamType::Scalar(Scalar::UInt | Scalar::ULong))
}

/// A number or a vector of numbers.
fn is_number(param: &ParamType) -> bool {
    let (ParamType::Scalar(scalar) | ParamType::Vector(scalar, _)) = param else { return false };
    *scalar != Scalar::Bool
}

fn is_integer(param: &ParamType) -> bool {
    param.element().is_some_and(|element| !element.is_float())
}

fn same_lanes(a: &ParamType, b: &ParamType) -> bool {
    a.lanes() == b.lanes()
}

/// Are the lanes unsigned integers of the other's width?
fn is_unsigned_of(param: &ParamType, other: &ParamType) -> bool {
    is_integer(param)
        && !param.element().is_some_and(Scalar::is_signed)
        && bytes(param) == bytes(other)
}

fn bytes(param: &ParamType) -> Option<u32> {
    param.element().map(size)
}

fn size(scalar: Scalar) -> u32 {
    use Scalar::*;
    match scalar {
        Bool | Char | UChar => 1,
        Short | UShort | Half => 2,
        Int | UInt | Float => 4,
        Long | ULong | LongLong | ULongLong | Double => 8,
    }
}
