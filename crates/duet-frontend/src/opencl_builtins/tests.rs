//! Checks integer built-ins against plain Rust on constants, which the builder
//! folds, and looks at the instructions built for the others.

use duet_ir::{
    Dim, Function, FunctionBuilder, FunctionKind, Geometry, GeometryKind, InstData, Language,
    Module, Type, Value,
};

use super::{Lanes, lower, lower_with_out_pointer};
use crate::mangled::{Mangled, Scalar};

/// Runs `build` in an otherwise empty kernel and returns the kernel with it.
pub(super) fn in_kernel<R>(build: impl FnOnce(&mut FunctionBuilder) -> R) -> (Function, R) {
    let mut module = Module::new(Language::OpenCl, 64);
    let kind = FunctionKind::Kernel { required_block: None, max_threads: None };
    let mut builder = FunctionBuilder::new(&mut module, Function::new("k", "k", kind));
    let block = builder.make_block();
    builder.switch_to(block);
    let result = build(&mut builder);
    (builder.finish(), result)
}

fn name(symbol: &str) -> Mangled {
    Mangled::parse(symbol).expect("a readable symbol")
}

/// An unknown value.
fn unknown(b: &mut FunctionBuilder, ty: Type) -> Value {
    b.value(InstData::Fresh { cause: "test".into(), ty })
}

/// Folds a built-in on constant scalars of the given widths.
fn fold(symbol: &str, args: &[(u128, u8)], result: u8) -> u128 {
    let (function, lanes) = in_kernel(|b| {
        let args: Vec<Vec<Value>> =
            args.iter().map(|&(bits, width)| vec![b.int(bits, Type::Int(width))]).collect();
        let result = Lanes { ty: Type::Int(result), count: 1 };
        lower(b, &name(symbol), &args, result).unwrap_or_else(|| panic!("{symbol} is unknown"))
    });
    assert_eq!(lanes.len(), 1);
    function.const_bits(lanes[0]).unwrap_or_else(|| panic!("{symbol} does not fold"))
}

/// Numbers that look random, the same on every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Often at an end of the type's range, else anywhere.
    fn bits(&mut self, width: u8) -> u128 {
        let mask = (1u128 << width) - 1;
        let near = u128::from(self.next() % 3);
        match self.next() % 5 {
            0 => near,
            1 => mask - near,
            2 => (mask >> 1) + near,
            _ => u128::from(self.next()) & mask,
        }
    }
}

/// The letter of an integer type in mangled names.
fn letter(width: u8, signed: bool) -> char {
    match (width, signed) {
        (8, true) => 'c',
        (8, false) => 'h',
        (16, true) => 's',
        (16, false) => 't',
        (32, true) => 'i',
        (32, false) => 'j',
        (64, true) => 'l',
        _ => 'm',
    }
}

/// The number that bits stand for.
fn number(bits: u128, width: u8, signed: bool) -> i128 {
    let value = bits as i128;
    if signed && bits >> (width - 1) == 1 { value - (1i128 << width) } else { value }
}

/// Range of an integer type.
fn range(width: u8, signed: bool) -> (i128, i128) {
    if signed { (-(1 << (width - 1)), (1 << (width - 1)) - 1) } else { (0, (1 << width) - 1) }
}

/// Compares a built-in with `expected` over all integer types and many operands.
/// `expected` gets the numbers, the width and the range; its result is taken
/// modulo the width.
fn check_integers(base: &str, arity: usize, expected: impl Fn(&[i128], u8, (i128, i128)) -> i128) {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for width in [8, 16, 32, 64] {
        for signed in [true, false] {
            let types = letter(width, signed).to_string().repeat(arity);
            let symbol = format!("_Z{}{base}{types}", base.len());
            for _ in 0..200 {
                let args: Vec<(u128, u8)> =
                    (0..arity).map(|_| (numbers.bits(width), width)).collect();
                let values: Vec<i128> =
                    args.iter().map(|&(bits, width)| number(bits, width, signed)).collect();
                let want = expected(&values, width, range(width, signed)) as u128;
                let got = fold(&symbol, &args, width);
                assert_eq!(got, want & ((1 << width) - 1), "{symbol} {values:?}");
            }
        }
    }
}

/// A product or sum that may need more than 128 bits, cut to a range.
fn saturated_product(x: i128, y: i128, z: i128, (low, high): (i128, i128)) -> i128 {
    match x.checked_mul(y).and_then(|product| product.checked_add(z)) {
        Some(exact) => exact.clamp(low, high),
        // Only unsigned 64-bit operands come here, and they are large.
        None => high,
    }
}

#[test]
fn absolute_values() {
    check_integers("abs", 1, |x, _, _| x[0].abs());
    check_integers("abs_diff", 2, |x, _, _| (x[0] - x[1]).abs());
}

#[test]
fn saturating_sums() {
    check_integers("add_sat", 2, |x, _, (low, high)| (x[0] + x[1]).clamp(low, high));
    check_integers("sub_sat", 2, |x, _, (low, high)| (x[0] - x[1]).clamp(low, high));
    check_integers("mad_sat", 3, |x, _, range| saturated_product(x[0], x[1], x[2], range));
    assert_eq!(fold("_Z7add_sathh", &[(200, 8), (100, 8)], 8), 255);
}

#[test]
fn halving_sums() {
    check_integers("hadd", 2, |x, _, _| (x[0] + x[1]) >> 1);
    check_integers("rhadd", 2, |x, _, _| (x[0] + x[1] + 1) >> 1);
}

#[test]
fn order() {
    check_integers("min", 2, |x, _, _| x[0].min(x[1]));
    check_integers("max", 2, |x, _, _| x[0].max(x[1]));
    check_integers("clamp", 3, |x, _, _| x[0].max(x[1]).min(x[2]));
    check_integers("amd_median3", 3, |x, _, _| {
        let mut sorted = [x[0], x[1], x[2]];
        sorted.sort_unstable();
        sorted[1]
    });
}

/// The upper half of a product. Unsigned 64-bit operands are multiplied as u128.
fn upper_half(x: i128, y: i128, width: u8) -> i128 {
    match x.checked_mul(y) {
        Some(product) => product >> width,
        None => ((x as u128 * y as u128) >> width) as i128,
    }
}

#[test]
fn products() {
    check_integers("mul_hi", 2, |x, width, _| upper_half(x[0], x[1], width));
    check_integers("mad_hi", 3, |x, width, _| upper_half(x[0], x[1], width) + x[2]);
}

#[test]
fn products_of_24_bits() {
    assert_eq!(
        fold("_Z5mul24ii", &[(5, 32), ((-7i32) as u32 as u128, 32)], 32),
        (-35i32) as u32 as u128
    );
    assert_eq!(fold("_Z5mad24jjj", &[(0xff_ffff, 32), (2, 32), (3, 32)], 32), 0x200_0001);
}

#[test]
fn mul24_is_unknown_beyond_24_bits() {
    let (function, lanes) = in_kernel(|b| {
        let (x, y) = (b.int(1 << 24, Type::I32), b.int(2, Type::I32));
        let result = Lanes { ty: Type::I32, count: 1 };
        lower(b, &name("_Z5mul24ii"), &[vec![x], vec![y]], result).unwrap()
    });
    assert_eq!(function.const_bits(lanes[0]), None);
    assert_eq!(pure_names(&function), ["mul24"]);
}

#[test]
fn bits() {
    let unsigned = |x: i128, width: u8| x as u128 & ((1 << width) - 1);
    check_integers("popcount", 1, |x, width, _| unsigned(x[0], width).count_ones().into());
    check_integers("clz", 1, |x, width, _| {
        i128::from(unsigned(x[0], width).leading_zeros()) - 128 + i128::from(width)
    });
    check_integers("ctz", 1, |x, width, _| {
        unsigned(x[0], width).trailing_zeros().min(u32::from(width)).into()
    });
    check_integers("bit_reverse", 1, |x, width, _| {
        (unsigned(x[0], width).reverse_bits() >> (128 - u32::from(width))) as i128
    });
    check_integers("rotate", 2, |x, width, _| {
        let count = x[1].rem_euclid(i128::from(width)) as u32;
        let x = unsigned(x[0], width);
        (x << count | x >> (u32::from(width) - count)) as i128
    });
    check_integers("bitselect", 3, |x, _, _| (x[0] & !x[2]) | (x[1] & x[2]));
}

#[test]
fn upsampling() {
    assert_eq!(fold("_Z8upsamplech", &[(0xff, 8), (0x12, 8)], 16), 0xff12);
    assert_eq!(fold("_Z8upsamplejj", &[(1, 32), (0xffff_ffff, 32)], 64), 0x1_ffff_ffff);
}

#[test]
fn amd_alignment() {
    let args = |count| [(0x1122_3344, 32), (0x5566_7788, 32), (count, 32)];
    assert_eq!(fold("_Z12amd_bitalignjjj", &args(8), 32), 0x4455_6677);
    assert_eq!(fold("_Z12amd_bitalignjjj", &args(40), 32), 0x4455_6677);
    assert_eq!(fold("_Z13amd_bytealignjjj", &args(2), 32), 0x3344_5566);
}

#[test]
fn scalar_select_tests_for_zero_and_vector_select_the_top_bit() {
    assert_eq!(fold("_Z6selectiii", &[(1, 32), (2, 32), (4, 32)], 32), 2);
    assert_eq!(fold("_Z6selectiii", &[(1, 32), (2, 32), (0, 32)], 32), 1);
    let lanes = fold_vector("_Z6selectDv2_iS_S_", &[&[1, 2], &[3, 4], &[1, 1 << 31]], 2);
    assert_eq!(lanes, [1, 4]);
}

/// Folds a built-in on vectors of 32-bit constants.
fn fold_vector(symbol: &str, args: &[&[u128]], count: usize) -> Vec<u128> {
    let (function, lanes) = in_kernel(|b| {
        let args: Vec<Vec<Value>> = args
            .iter()
            .map(|arg| arg.iter().map(|&bits| b.int(bits, Type::I32)).collect())
            .collect();
        lower(b, &name(symbol), &args, Lanes { ty: Type::I32, count }).expect(symbol)
    });
    lanes.iter().map(|&lane| function.const_bits(lane).expect("a constant")).collect()
}

#[test]
fn any_and_all_look_at_top_bits() {
    let top = 1 << 31;
    assert_eq!(fold_vector("_Z3anyDv2_i", &[&[1, top]], 1), [1]);
    assert_eq!(fold_vector("_Z3allDv2_i", &[&[1, top]], 1), [0]);
    assert_eq!(fold_vector("_Z3allDv2_i", &[&[top, top]], 1), [1]);
    assert_eq!(fold_vector("_Z3anyi", &[&[1]], 1), [0]);
}

#[test]
fn scalars_serve_every_lane() {
    assert_eq!(fold_vector("_Z3maxDv4_ii", &[&[1, 5, 3, 9], &[4]], 4), [4, 5, 4, 9]);
}

#[test]
fn shuffles_use_the_low_bits_of_the_mask() {
    let x: &[u128] = &[10, 11, 12, 13];
    assert_eq!(fold_vector("_Z7shuffleDv4_iDv4_j", &[x, &[3, 2, 5, 0]], 4), [13, 12, 11, 10]);
    let y: &[u128] = &[20, 21, 22, 23];
    assert_eq!(fold_vector("_Z8shuffle2Dv4_iS_Dv2_j", &[x, y, &[7, 9]], 2), [23, 11]);
}

#[test]
fn conversions_between_integers() {
    let all = [Scalar::Char, Scalar::UChar, Scalar::Short, Scalar::UShort, Scalar::Int];
    let all = all.into_iter().chain([Scalar::UInt, Scalar::Long, Scalar::ULong]);
    let mut numbers = Numbers(77);
    for (n, from) in all.clone().enumerate() {
        for (m, to) in all.clone().enumerate() {
            let (have, want) = (8u8 << (n / 2), 8u8 << (m / 2));
            let source = letter(have, from.is_signed());
            for _ in 0..60 {
                let bits = numbers.bits(have);
                let x = number(bits, have, from.is_signed());
                let (low, high) = range(want, to.is_signed());
                let mask = (1u128 << want) - 1;
                let plain = format!("convert_{}", to.name());
                let plain = format!("_Z{}{plain}{source}", plain.len());
                assert_eq!(fold(&plain, &[(bits, have)], want), x as u128 & mask, "{plain} {x}");
                let sat = format!("convert_{}_sat", to.name());
                let sat = format!("_Z{}{sat}{source}", sat.len());
                let expected = x.clamp(low, high) as u128 & mask;
                assert_eq!(fold(&sat, &[(bits, have)], want), expected, "{sat} {x}");
            }
        }
    }
}

#[test]
fn annotation_helpers() {
    assert_eq!(fold("__implies", &[(1, 1), (0, 1)], 1), 0);
    assert_eq!(fold("__implies", &[(0, 1), (0, 1)], 1), 1);
    assert_eq!(fold("_Z5__itebii", &[(1, 1), (7, 32), (8, 32)], 32), 7);
    assert_eq!(fold("__ite_unsigned_char", &[(0, 1), (7, 8), (8, 8)], 8), 8);
    assert_eq!(fold("_Z5__addhh", &[(200, 8), (100, 8)], 8), 44);
    let terms = |last| [(200, 8), (50, 8), (last, 8)];
    assert_eq!(fold("_Z12__add_noovflhhh", &terms(5), 1), 1);
    assert_eq!(fold("_Z12__add_noovflhhh", &terms(6), 1), 0);
    assert_eq!(fold("__add_noovfl_unsigned_char_3", &terms(6), 1), 0);
    assert_eq!(fold("__add_noovfl_unsigned_char_1", &[(6, 8)], 1), 1);
}

#[test]
fn an_addition_that_assumes_to_fit_says_so() {
    let assumed = |symbol: &str, x: u128, y: u128| {
        let (function, _) = in_kernel(|b| {
            let args = [vec![b.int(x, Type::I8)], vec![b.int(y, Type::I8)]];
            lower(b, &name(symbol), &args, Lanes { ty: Type::I8, count: 1 }).unwrap()
        });
        let assumption = function.insts.values().find_map(|inst| match inst {
            InstData::Annotation { args, .. } => function.const_bits(args[0]),
            _ => None,
        });
        assumption.expect("an assumption")
    };
    assert_eq!(assumed("__add_noovfl_char", 100, 27), 1);
    assert_eq!(assumed("__add_noovfl_char", 100, 28), 0);
    assert_eq!(assumed("__add_noovfl_char", 0xff, 5), 1);
    assert_eq!(assumed("__add_noovfl_unsigned_char", 0xff, 1), 0);
    assert_eq!(assumed("__add_noovfl_unsigned_char", 100, 28), 1);
}

/// Names of the pure functions in a kernel.
fn pure_names(function: &Function) -> Vec<&str> {
    let mut names = vec![];
    for inst in function.insts.values() {
        if let InstData::Pure { name, .. } = inst {
            names.push(name.as_str());
        }
    }
    names
}

/// Builds a built-in on unknown arguments: one line per instruction.
fn build(symbol: &str, args: &[Lanes], result: Lanes) -> Vec<String> {
    let (function, _) = in_kernel(|b| {
        let args: Vec<Vec<Value>> =
            args.iter().map(|arg| (0..arg.count).map(|_| unknown(b, arg.ty)).collect()).collect();
        let lanes = lower(b, &name(symbol), &args, result).expect(symbol);
        assert_eq!(lanes.len(), result.count);
        for lane in lanes {
            assert_eq!(b.func.type_of(lane), result.ty, "{symbol}");
        }
    });
    let text = |inst: &InstData| match inst {
        InstData::Binary { op, .. } => op.to_string(),
        InstData::Cast { op, to, .. } => format!("{op} {to}"),
        InstData::FloatCompare { cc, .. } => format!("fcmp {cc}"),
        InstData::IntCompare { cc, .. } => format!("icmp {cc}"),
        InstData::Select { .. } => "select".to_owned(),
        InstData::Pure { name, ty, .. } => format!("{name} {ty}"),
        InstData::Geometry(Geometry { kind, dim }) => format!("{kind}.{dim}"),
        other => format!("{other:?}"),
    };
    let fresh = |inst: &&InstData| !matches!(inst, InstData::Fresh { .. });
    function.insts.values().filter(fresh).map(text).collect()
}

const FLOAT: Lanes = Lanes { ty: Type::F32, count: 1 };
const INT: Lanes = Lanes { ty: Type::I32, count: 1 };

fn floats(count: usize) -> Lanes {
    Lanes { ty: Type::F32, count }
}

#[test]
fn math_functions_are_pure_per_lane() {
    assert_eq!(build("_Z3sinDv4_f", &[floats(4)], floats(4)), ["sin f32"; 4]);
    assert_eq!(build("_Z5clampDv2_fff", &[floats(2), FLOAT, FLOAT], floats(2)), ["clamp f32"; 2]);
    assert_eq!(build("_Z5ilogbf", &[FLOAT], INT), ["ilogb i32"]);
    assert_eq!(build("_Z3nanj", &[INT], FLOAT), ["nan f32"]);
}

#[test]
fn comparisons_of_floats() {
    assert_eq!(build("_Z6islessff", &[FLOAT, FLOAT], INT), ["fcmp olt", "zext i32"]);
    let doubles = Lanes { ty: Type::F64, count: 2 };
    let longs = Lanes { ty: Type::I64, count: 2 };
    assert_eq!(
        build("_Z7isequalDv2_dS_", &[doubles, doubles], longs),
        ["fcmp oeq", "sext i64", "fcmp oeq", "sext i64"]
    );
    assert_eq!(build("_Z5isnanf", &[FLOAT], INT), ["bitcast i32", "and", "icmp ugt", "zext i32"]);
}

/// Folds a test of one float, given by its bits.
fn fold_float_test(base: &str, x: f32) -> u128 {
    let (function, lanes) = in_kernel(|b| {
        let x = b.int(u128::from(x.to_bits()), Type::F32);
        let symbol = format!("_Z{}{base}f", base.len());
        lower(b, &name(&symbol), &[vec![x]], INT).unwrap()
    });
    function.const_bits(lanes[0]).expect("a constant")
}

#[test]
fn tests_of_one_float() {
    let samples =
        [0.0, -0.0, 1.0, -2.5, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-40, f32::MAX];
    for x in samples {
        assert_eq!(fold_float_test("isnan", x), x.is_nan().into(), "{x}");
        assert_eq!(fold_float_test("isinf", x), x.is_infinite().into(), "{x}");
        assert_eq!(fold_float_test("isfinite", x), x.is_finite().into(), "{x}");
        assert_eq!(fold_float_test("isnormal", x), x.is_normal().into(), "{x}");
        assert_eq!(fold_float_test("signbit", x), x.is_sign_negative().into(), "{x}");
    }
}

#[test]
fn signs_of_floats_are_bits() {
    let fold = |symbol: &str, args: &[f32]| {
        let (function, lanes) = in_kernel(|b| {
            let args: Vec<Vec<Value>> =
                args.iter().map(|x| vec![b.int(x.to_bits().into(), Type::F32)]).collect();
            lower(b, &name(symbol), &args, FLOAT).unwrap()
        });
        f32::from_bits(function.const_bits(lanes[0]).expect("a constant") as u32)
    };
    assert_eq!(fold("_Z4fabsf", &[-3.5]), 3.5);
    assert_eq!(fold("_Z8copysignff", &[3.5, -0.0]), -3.5);
    assert_eq!(fold("_Z8copysignff", &[-3.5, 1.0]), 3.5);
}

#[test]
fn steps_and_signs_are_comparisons() {
    assert_eq!(build("_Z4stepff", &[FLOAT, FLOAT], FLOAT), ["fcmp olt", "select"]);
    assert_eq!(
        build("_Z4signf", &[FLOAT], FLOAT),
        ["fcmp uno", "fcmp ogt", "fcmp olt", "select", "select", "select"]
    );
}

#[test]
fn conversions_with_floats() {
    let byte = Lanes { ty: Type::I8, count: 1 };
    assert_eq!(build("_Z21convert_uchar_sat_rtef", &[FLOAT], byte), ["rint f32", "ftou_sat i8"]);
    assert_eq!(build("_Z12convert_charf", &[FLOAT], byte), ["ftos i8"]);
    assert_eq!(build("_Z15convert_int_rtnf", &[FLOAT], INT), ["floor f32", "ftos i32"]);
    assert_eq!(build("_Z15convert_int_rtpf", &[FLOAT], INT), ["ceil f32", "ftos i32"]);
    assert_eq!(build("_Z13convert_floatj", &[INT], FLOAT), ["utof f32"]);
    assert_eq!(build("_Z17convert_float_rtzj", &[INT], FLOAT), ["convert_float_rtz_uint f32"]);
    assert_eq!(build("_Z17convert_float_rtzc", &[byte], FLOAT), ["stof f32"]);
    let double = Lanes { ty: Type::F64, count: 1 };
    assert_eq!(build("_Z14convert_doublef", &[FLOAT], double), ["fext f64"]);
    assert_eq!(build("_Z13convert_floatd", &[double], FLOAT), ["ftrunc f32"]);
    assert_eq!(build("_Z17convert_float_rtnd", &[double], FLOAT), ["convert_float_rtn_double f32"]);
}

/// An implementation may sum and round as it likes.
#[test]
fn geometric_functions_are_no_formulas() {
    assert_eq!(build("_Z3dotDv2_fS_", &[floats(2); 2], FLOAT), ["dot f32"]);
    assert_eq!(build("_Z8distanceDv2_fS_", &[floats(2); 2], FLOAT), ["distance f32"]);
    let lanes = ["cross.0 f32", "cross.1 f32", "cross.2 f32"];
    assert_eq!(build("_Z5crossDv4_fS_", &[floats(4); 2], floats(4)), lanes);
}

#[test]
fn ids_are_extended_before_arithmetic() {
    let size = Lanes { ty: Type::I64, count: 1 };
    let built = in_kernel(|b| {
        let x = b.int(0, Type::I32);
        lower(b, &name("_Z13get_global_idj"), &[vec![x]], size).unwrap()
    });
    let geometry: Vec<Geometry> = built
        .0
        .insts
        .values()
        .filter_map(|inst| match inst {
            InstData::Geometry(geometry) => Some(*geometry),
            _ => None,
        })
        .collect();
    use GeometryKind::*;
    let kinds = [BlockId, BlockDim, ThreadId, GlobalOffset];
    assert_eq!(geometry, kinds.map(|kind| Geometry { kind, dim: Dim::X }));
    let wide = |inst: &InstData| {
        matches!(inst, InstData::Binary { args, .. }
        if args.iter().all(|&arg| built.0.type_of(arg) == Type::I64))
    };
    assert_eq!(built.0.insts.values().filter(|inst| wide(inst)).count(), 3);
}

#[test]
fn dimensions_beyond_the_third() {
    assert_eq!(fold("_Z13get_global_idj", &[(3, 32)], 64), 0);
    assert_eq!(fold("_Z14get_local_sizej", &[(u32::MAX.into(), 32)], 64), 1);
}

#[test]
fn an_unknown_dimension_is_a_choice() {
    let size = Lanes { ty: Type::I64, count: 1 };
    let built = build("_Z12get_local_idj", &[INT], size);
    assert_eq!(built.iter().filter(|inst| *inst == "select").count(), 3);
    assert_eq!(built.iter().filter(|inst| inst.starts_with("thread_id")).count(), 3);
}

#[test]
fn linear_ids() {
    let size = Lanes { ty: Type::I64, count: 1 };
    let built = build("_Z19get_local_linear_idv", &[], size);
    assert_eq!(built.iter().filter(|inst| inst.starts_with("block_dim")).count(), 2);
    assert_eq!(build("_Z12get_work_dimv", &[], INT), ["work_dim.x"]);
}

#[test]
fn results_through_pointers() {
    let (function, out) = in_kernel(|b| {
        let args = [vec![unknown(b, Type::F32), unknown(b, Type::F32)]];
        lower_with_out_pointer(b, &name("_Z5frexpDv2_fPU3AS1Dv2_i"), &args, floats(2)).unwrap()
    });
    assert_eq!(pure_names(&function), ["frexp", "frexp", "frexp_exponent", "frexp_exponent"]);
    assert!(out.pointee.iter().all(|&lane| function.type_of(lane) == Type::I32));
    let (function, out) = in_kernel(|b| {
        let args = [vec![unknown(b, Type::F32)]];
        lower_with_out_pointer(b, &name("_Z5fractfPf"), &args, FLOAT).unwrap()
    });
    assert_eq!(pure_names(&function), ["fract", "floor"]);
    assert_eq!(function.type_of(out.pointee[0]), Type::F32);
}

#[test]
fn other_functions_are_left_alone() {
    let (function, nothing) = in_kernel(|b| {
        let x = b.int(1, Type::I32);
        let of = |symbol: &str, b: &mut FunctionBuilder| lower(b, &name(symbol), &[vec![x]], INT);
        [of("my_function", b), of("_Z11my_functioni", b), of("_Z10atomic_incPU3AS1Vi", b)]
    });
    assert_eq!(nothing, [None, None, None]);
    assert!(function.insts.is_empty());
}
