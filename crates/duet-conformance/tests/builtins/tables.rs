//! What is particular about single functions of OpenCL: the arguments for which their
//! results are specified, and why some cannot be compared bit by bit.

use crate::header::{Overload, Param, Ty};

/// What a function is compared with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Witness {
    /// PoCL, bit by bit, or [`REFERENCES`] run there.
    Pocl,
    /// Nothing: an implementation may choose the result. The front end must take it for
    /// an unknown function of its arguments.
    Uninterpreted,
    /// Nothing here, for a reason; vectors still with the scalar function.
    Elsewhere(&'static str),
}

/// Functions of floats that the front end takes for unknown functions of their
/// arguments, with the reason why their results are not compared.
const UNINTERPRETED: &[(&str, &[&str])] = &[
    (
        "the specification allows an error of some ulp",
        &[
            "acos",
            "acosh",
            "acospi",
            "asin",
            "asinh",
            "asinpi",
            "atan",
            "atan2",
            "atan2pi",
            "atanh",
            "atanpi",
            "cbrt",
            "cos",
            "cosh",
            "cospi",
            "degrees",
            "erf",
            "erfc",
            "exp",
            "exp10",
            "exp2",
            "expm1",
            "half_cos",
            "half_divide",
            "half_exp",
            "half_exp10",
            "half_exp2",
            "half_log",
            "half_log10",
            "half_log2",
            "half_powr",
            "half_recip",
            "half_rsqrt",
            "half_sin",
            "half_sqrt",
            "half_tan",
            "hypot",
            "lgamma",
            "lgamma_r",
            "log",
            "log10",
            "log1p",
            "log2",
            "native_cos",
            "native_divide",
            "native_exp",
            "native_exp10",
            "native_exp2",
            "native_log",
            "native_log10",
            "native_log2",
            "native_powr",
            "native_recip",
            "native_rsqrt",
            "native_sin",
            "native_sqrt",
            "native_tan",
            "pow",
            "pown",
            "powr",
            "radians",
            "rootn",
            "rsqrt",
            "sin",
            "sincos",
            "sinh",
            "sinpi",
            "tan",
            "tanh",
            "tanpi",
            "tgamma",
        ],
    ),
    (
        "products and sums may be fused, or summed in any order",
        &[
            "mad",
            "mix",
            "smoothstep",
            "dot",
            "cross",
            "length",
            "fast_length",
            "distance",
            "fast_distance",
            "normalize",
            "fast_normalize",
        ],
    ),
    ("the result for NaN is open", &["min", "max", "clamp", "amd_min3", "amd_max3", "amd_median3"]),
    ("the bits of a NaN are open", &["nan"]),
    (
        "the interpreter knows no more than the name",
        &["frexp", "ilogb", "ldexp", "logb", "maxmag", "minmag", "modf", "nextafter", "remquo"],
    ),
];

/// Functions that kernels of `kernels/conformance` compare with PoCL.
pub const BY_KERNEL: &[(&[&str], &str)] = &[
    (&["async_work_group_copy", "wait_group_events"], "async-copy"),
    (&["async_work_group_strided_copy"], "async-strided"),
    (&["barrier"], "barrier-global"),
];

/// Beginnings of names of which no call is made up here, and why.
const OTHERWISE: &[(&str, &[&str])] = &[
    (
        "a barrier or fence has no value; duet-frontend's tests/scopes.rs looks at scopes",
        &[
            "work_group_barrier",
            "mem_fence",
            "read_mem_fence",
            "write_mem_fence",
            "atomic_work_item_fence",
            "sub_group_barrier",
        ],
    ),
    ("a hint without an effect", &["prefetch"]),
    (
        "texels are cells of 16 bytes here, whatever the image's format",
        &["read_image", "write_image", "get_image_"],
    ),
    ("a flag is an exchange, compared as `atomic_exchange`", &["atomic_flag_"]),
    ("rejected: sub-groups", &["sub_group_", "intel_sub_group_", "intel_work_group_"]),
    (
        "rejected: kernels that start kernels, pipes and events",
        &[
            "enqueue_marker",
            "retain_event",
            "release_event",
            "create_user_event",
            "is_valid_event",
            "set_user_event_status",
            "capture_event_profiling_info",
            "get_default_queue",
            "is_valid_reserve_id",
            "ndrange_",
        ],
    ),
    ("rejected: address spaces at run time", &["get_fence"]),
    ("rejected: no device but Arm's and Intel's has it", &["arm_", "intel_"]),
];

/// Lanes of these depend on each other, or a scalar means something else.
pub const NOT_LANE_WISE: &[&str] =
    &["signbit", "select", "shuffle", "shuffle2", "cross", "normalize", "fast_normalize"];

/// Definitions in OpenCL of what PoCL does not have.
pub const REFERENCES: &str = "
#define FN __attribute__((overloadable))
#define bit_reverse ref_bit_reverse
#define REVERSE(T, U) T FN bit_reverse(T x) { \\
    U from = (U)x, to = 0; \\
    for (int i = 0; i < 8 * (int)sizeof(T); i++) to = (U)(to * 2 + (from >> i & 1)); \\
    return (T)to; }
REVERSE(char, uchar) REVERSE(uchar, uchar) REVERSE(short, ushort) REVERSE(ushort, ushort)
REVERSE(int, uint) REVERSE(uint, uint) REVERSE(long, ulong) REVERSE(ulong, ulong)
#define amd_bitalign ref_amd_bitalign
uint FN amd_bitalign(uint a, uint b, uint c) {
  uint result = 0;
  for (uint i = 0; i < 32; i++) {
    uint from = i + (c & 31);
    result |= (from < 32 ? b >> from & 1 : a >> (from - 32) & 1) << i;
  }
  return result;
}
#define amd_bytealign ref_amd_bytealign
uint FN amd_bytealign(uint a, uint b, uint c) { return ref_amd_bitalign(a, b, (c & 3) * 8); }
#define amd_min3 ref_amd_min3
#define amd_max3 ref_amd_max3
#define amd_median3 ref_amd_median3
#define THREE(T) \\
  T FN amd_min3(T a, T b, T c) { return a <= b && a <= c ? a : b <= c ? b : c; } \\
  T FN amd_max3(T a, T b, T c) { return a >= b && a >= c ? a : b >= c ? b : c; } \\
  T FN amd_median3(T a, T b, T c) { \\
    if ((a <= b && b <= c) || (c <= b && b <= a)) return b; \\
    return (b <= a && a <= c) || (c <= a && a <= b) ? a : c; }
THREE(int) THREE(uint)
";

/// Are these functions among [`REFERENCES`], which has scalars only?
fn is_referenced(name: &str) -> bool {
    name == "bit_reverse" || name.starts_with("amd_")
}

fn is_float(overload: &Overload) -> bool {
    let floats = ["half", "float", "double"];
    let first = overload.params.first();
    matches!(first, Some(Param::Value(ty)) if floats.contains(&ty.element.as_str()))
}

pub fn uninterpreted() -> impl Iterator<Item = &'static str> {
    UNINTERPRETED.iter().flat_map(|(_, names)| names.iter().copied())
}

/// What an overload is compared with.
pub fn witness(overload: &Overload) -> Witness {
    let name = overload.name.as_str();
    if (is_float(overload) || name == "nan") && uninterpreted().any(|known| known == name) {
        return Witness::Uninterpreted;
    }
    let floats = ["float", "double"].iter().any(|float| overload.has(float));
    if overload.has_value("half") {
        Witness::Elsewhere("PoCL has no half on most CPUs; conversions go through vload_half")
    } else if is_referenced(name) && overload.lanes() > 1 {
        Witness::Elsewhere("the references are scalar")
    } else if name.starts_with("atomic_fetch_") && floats {
        Witness::Elsewhere("PoCL has none of floats; CUDA's are compared with the host")
    } else if name.contains("_weak") {
        Witness::Elsewhere("it may fail at will; the strong one is compared")
    } else {
        Witness::Pocl
    }
}

/// Is there a kernel or a reason for a function of which no call is made up?
pub fn has_other_witness(name: &str) -> bool {
    let mut kernels = BY_KERNEL.iter().flat_map(|(names, _)| names.iter());
    let mut starts = OTHERWISE.iter().flat_map(|(_, starts)| starts.iter());
    kernels.any(|known| *known == name) || starts.any(|start| name.starts_with(start))
}

/// The names of the unknown functions that stand for a function, in order.
pub fn names_of_parts(name: &str) -> Vec<&str> {
    match name {
        "frexp" => vec!["frexp", "frexp_exponent"],
        "lgamma_r" => vec!["lgamma_r", "lgamma_r_sign"],
        "modf" => vec!["modf", "trunc"],
        "remquo" => vec!["remquo", "remquo_quotient"],
        "sincos" => vec!["sincos_cos", "sincos_sin"],
        _ => vec![name],
    }
}

/// The scalar version's name of a vector function.
pub fn scalar_name(name: &str, lanes: usize) -> String {
    match name.starts_with("convert_") {
        true => name.replacen(&lanes.to_string(), "", 1),
        false => name.to_owned(),
    }
}

/// OpenCL 2.0's atomic functions take pointers to atomic types.
pub fn is_c11(name: &str) -> bool {
    ["init", "load", "store", "exchange", "fetch_", "compare_exchange", "flag"]
        .iter()
        .any(|start| name.strip_prefix("atomic_").is_some_and(|rest| rest.starts_with(start)))
}

/// An argument, made such that the result is specified; `at` is the made-up value of
/// an argument of the same type.
pub fn in_domain(
    overload: &Overload,
    index: usize,
    ty: &Ty,
    at: &dyn Fn(usize) -> String,
) -> String {
    let value = at(index);
    let element = ty.element.as_str();
    match overload.name.as_str() {
        "mul24" | "mad24" if index < 2 && element == "int" => format!("{value} << 8 >> 8"),
        "mul24" | "mad24" if index < 2 => format!("{value} & 0xffffff"),
        "clamp" if index > 0 && !is_float(overload) => {
            let (less, more) = if index == 1 { (1, 2) } else { (2, 1) };
            format!("{0} < {1} ? {2} : {3}", at(1), at(2), at(less), at(more))
        }
        // Beyond the third dimension PoCL says 0 where the specification says 1.
        name if name.starts_with("get_") => format!("{value} % 3"),
        name if name.starts_with("convert_") && !name.contains("_sat") => {
            match range(&overload.result.element) {
                Some((low, high)) if ["half", "float", "double"].contains(&element) => {
                    format!("{value} > {low} && {value} < {high} ? {value} : ({element})1.5")
                }
                _ => value,
            }
        }
        _ => value,
    }
}

/// A range that fits an integer type however a number is rounded.
fn range(element: &str) -> Option<(&'static str, &'static str)> {
    Some(match element {
        "char" => ("-128.0f", "127.0f"),
        "uchar" => ("0.0f", "255.0f"),
        "short" => ("-32768.0f", "32767.0f"),
        "ushort" => ("0.0f", "65535.0f"),
        "int" => ("-2147483000.0f", "2147483000.0f"),
        "uint" => ("0.0f", "4294967000.0f"),
        "long" => ("-9.2e18f", "9.2e18f"),
        "ulong" => ("0.0f", "1.8e19f"),
        _ => return None,
    })
}

/// Do two slots hold the same results? Any NaN is as good as another, `fmin` and
/// `fmax` may take either zero for the smaller one, and PoCL's `fract` loses its sign.
pub fn same(overload: &Overload, left: &[u8], right: &[u8]) -> bool {
    let zeros = ["fmin", "fmax", "fract"].contains(&overload.name.as_str());
    let equal =
        |x: f64, y: f64, bits: bool| bits || (x.is_nan() && y.is_nan()) || (zeros && x == y);
    let pairs = |size: usize, read: fn(&[u8]) -> f64| {
        left.chunks(size).zip(right.chunks(size)).all(|(x, y)| equal(read(x), read(y), x == y))
    };
    if overload.name.contains("_half") && overload.result.element == "void" {
        let nan = |bytes: &[u8]| u16::from_le_bytes([bytes[0], bytes[1]]) & 0x7fff > 0x7c00;
        let mut halves = left.chunks(2).zip(right.chunks(2));
        return halves.all(|(x, y)| x == y || (nan(x) && nan(y)));
    }
    match overload.result.element.as_str() {
        "float" => pairs(4, |b| f32::from_le_bytes(b.try_into().expect("four bytes")).into()),
        "double" => pairs(8, |b| f64::from_le_bytes(b.try_into().expect("eight bytes"))),
        _ => left == right,
    }
}
