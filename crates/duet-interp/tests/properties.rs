//! Properties by generation: integer operations at every width against a naive
//! reference that works bit by bit, and runs that must not depend on the order of
//! the threads.

use duet_interp::{Fill, FindingKind, Inputs, Launch, RunOptions, Schedule, run};
use duet_ir::*;

/// Numbers that look random.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number of the width; small, near an edge, or any.
    fn operand(&mut self, width: u32) -> u128 {
        let wide = u128::from(self.next()) << 64 | u128::from(self.next());
        let top = 1u128 << (width - 1);
        let raw = match self.next() % 5 {
            0 => wide % 9,
            1 => top.wrapping_add(wide % 3).wrapping_sub(1),
            2 => (wide % 5).wrapping_neg(),
            3 => wide % (u128::from(width) + 2),
            _ => wide,
        };
        from_bits(&to_bits(raw, width))
    }
}

type Bits = Vec<bool>;

fn to_bits(x: u128, width: u32) -> Bits {
    (0..width).map(|n| n < 128 && x >> n & 1 == 1).collect()
}

fn from_bits(bits: &[bool]) -> u128 {
    bits.iter().enumerate().fold(0, |x, (n, &bit)| x | u128::from(bit) << n)
}

fn add(a: &[bool], b: &[bool]) -> Bits {
    let mut carry = false;
    a.iter()
        .zip(b)
        .map(|(&x, &y)| {
            let sum = u8::from(x) + u8::from(y) + u8::from(carry);
            carry = sum > 1;
            sum & 1 == 1
        })
        .collect()
}

fn negate(a: &[bool]) -> Bits {
    let flipped: Bits = a.iter().map(|bit| !bit).collect();
    add(&flipped, &to_bits(1, a.len() as u32))
}

fn shift_up(a: &[bool], by: usize) -> Bits {
    (0..a.len()).map(|n| n >= by && a[n - by]).collect()
}

fn shift_down(a: &[bool], by: usize, fill: bool) -> Bits {
    (0..a.len()).map(|n| a.get(n + by).copied().unwrap_or(fill)).collect()
}

fn multiply(a: &[bool], b: &[bool]) -> Bits {
    (0..a.len()).filter(|&n| b[n]).fold(vec![false; a.len()], |sum, n| add(&sum, &shift_up(a, n)))
}

fn less(a: &[bool], b: &[bool]) -> bool {
    a.iter().zip(b).rev().find(|(x, y)| x != y).is_some_and(|(_, &y)| y)
}

/// Long division: quotient and remainder of a divisor that is not zero.
fn divide(a: &[bool], b: &[bool]) -> (Bits, Bits) {
    // One more bit, so that doubling the remainder loses nothing.
    let b: Bits = b.iter().copied().chain([false]).collect();
    let (mut quotient, mut rest) = (vec![false; a.len()], vec![false; b.len()]);
    for n in (0..a.len()).rev() {
        rest = shift_up(&rest, 1);
        rest[0] = a[n];
        if !less(&rest, &b) {
            rest = add(&rest, &negate(&b));
            quotient[n] = true;
        }
    }
    rest.pop();
    (quotient, rest)
}

fn is_negative(a: &[bool]) -> bool {
    a[a.len() - 1]
}

fn magnitude(a: &[bool]) -> Bits {
    if is_negative(a) { negate(a) } else { a.to_vec() }
}

/// The result by the definition; `None` for division by zero.
fn naive(op: BinaryOp, x: u128, y: u128, width: u32) -> Option<u128> {
    use BinaryOp::*;
    let (a, b) = (to_bits(x, width), to_bits(y, width));
    let by = usize::try_from(y).unwrap_or(usize::MAX).min(128);
    if op.may_fail() && y == 0 {
        return None;
    }
    let signed = |bits: Bits, negative: bool| if negative { negate(&bits) } else { bits };
    Some(from_bits(&match op {
        Add => add(&a, &b),
        Sub => add(&a, &negate(&b)),
        Mul => multiply(&a, &b),
        UDiv => divide(&a, &b).0,
        URem => divide(&a, &b).1,
        SDiv => {
            let (q, _) = divide(&magnitude(&a), &magnitude(&b));
            signed(q, is_negative(&a) != is_negative(&b))
        }
        SRem => {
            let (_, r) = divide(&magnitude(&a), &magnitude(&b));
            signed(r, is_negative(&a))
        }
        Shl => shift_up(&a, by),
        LShr => shift_down(&a, by, false),
        AShr => shift_down(&a, by, is_negative(&a)),
        And => a.iter().zip(&b).map(|(x, y)| x & y).collect(),
        Or => a.iter().zip(&b).map(|(x, y)| x | y).collect(),
        _ => a.iter().zip(&b).map(|(x, y)| x ^ y).collect(),
    }))
}

/// Does the exact result need more bits? Decided with one operand's width more.
fn naive_overflow(op: BinaryOp, x: u128, y: u128, width: u32) -> Option<bool> {
    let widen = |x: u128| {
        let bits = to_bits(x, width);
        let sign = is_negative(&bits);
        bits.into_iter().chain(std::iter::repeat_n(sign, width as usize)).collect::<Bits>()
    };
    let (a, b) = (widen(x), widen(y));
    let exact = match op {
        BinaryOp::Add => add(&a, &b),
        BinaryOp::Sub => add(&a, &negate(&b)),
        BinaryOp::Mul => multiply(&a, &b),
        BinaryOp::Shl if y >= u128::from(width) => return Some(true),
        BinaryOp::Shl => shift_up(&a, y as usize),
        _ => return None,
    };
    let sign = exact[width as usize - 1];
    Some(exact[width as usize..].iter().any(|&bit| bit != sign))
}

fn naive_compare(cc: IntCc, x: u128, y: u128, width: u32) -> bool {
    let (mut a, mut b) = (to_bits(x, width), to_bits(y, width));
    if matches!(cc, IntCc::Slt | IntCc::Sle | IntCc::Sgt | IntCc::Sge) {
        // Flipping the sign bit turns signed order into unsigned order.
        a[width as usize - 1] ^= true;
        b[width as usize - 1] ^= true;
    }
    match cc {
        IntCc::Eq => a == b,
        IntCc::Ne => a != b,
        IntCc::Ult | IntCc::Slt => less(&a, &b),
        IntCc::Ule | IntCc::Sle => !less(&b, &a),
        IntCc::Ugt | IntCc::Sgt => less(&b, &a),
        IntCc::Uge | IntCc::Sge => !less(&a, &b),
    }
}

fn naive_unary(op: UnaryOp, x: u128, width: u32) -> Option<u128> {
    let mut bits = to_bits(x, width);
    let count = |n: usize| Some(from_bits(&to_bits(n as u128, width)));
    match op {
        UnaryOp::CountLeadingZeros => count(bits.iter().rev().take_while(|bit| !**bit).count()),
        UnaryOp::CountTrailingZeros => count(bits.iter().take_while(|bit| !**bit).count()),
        UnaryOp::PopCount => count(bits.iter().filter(|bit| **bit).count()),
        UnaryOp::ReverseBits => {
            bits.reverse();
            Some(from_bits(&bits))
        }
        UnaryOp::SwapBytes if width.is_multiple_of(8) => {
            Some(from_bits(&bits.chunks(8).rev().flatten().copied().collect::<Bits>()))
        }
        UnaryOp::SwapBytes | UnaryOp::FNeg => None,
    }
}

/// What one generated kernel computes, in order of its results.
enum What {
    Binary(BinaryOp),
    Unary(UnaryOp),
    Compare(IntCc),
    Sext,
    Trunc(u32),
    Select,
}

/// A kernel that applies everything to its parameters `x` and `y` and stores
/// each result in 16 bytes.
fn generate(width: u32, narrow: u32) -> (Module, Func, Vec<What>) {
    let mut module = Module::new(Language::Cuda, 64);
    let out = module.arrays.push(ArrayData {
        name: "out".to_string(),
        space: Space::Global,
        granule: 1,
        size: None,
        origin: ArrayOrigin::Param,
        restrict: true,
        init: None,
        declared: None,
        found: Found::Unknown,
        loc: None,
    });
    let kind = FunctionKind::Kernel { required_block: None, max_threads: None };
    let mut function = Function::new("k", "k", kind);
    let ty = Type::Int(width as u8);
    let [x, y] = [0, 1].map(|n| function.make_value(ValueDef::FunctionParam(n), ty));
    for (name, value) in [("x", x), ("y", y)] {
        let kind = ParamKind::Scalar(value);
        function.params.push(Param { name: name.to_string(), kind });
    }
    function.params.push(Param { name: "out".to_string(), kind: ParamKind::Array(out) });
    let mut b = FunctionBuilder::new(&mut module, function);
    let block = b.make_block();
    b.switch_to(block);
    let whats = everything(width, narrow);
    for (n, what) in whats.iter().enumerate() {
        let value = match *what {
            What::Binary(op) => {
                let nsw = op <= BinaryOp::Mul || op == BinaryOp::Shl;
                b.value(InstData::Binary { op, nsw, args: [x, y] })
            }
            What::Unary(op) => b.value(InstData::Unary { op, arg: x }),
            What::Compare(cc) => b.value(InstData::IntCompare { cc, args: [x, y] }),
            What::Sext => b.cast(CastOp::SExt, x, Type::Int(128)),
            What::Trunc(to) => b.cast(CastOp::Trunc, x, Type::Int(to.min(width) as u8)),
            What::Select => {
                let cond = b.value(InstData::IntCompare { cc: IntCc::Ult, args: [x, y] });
                b.value(InstData::Select { cond, args: [y, x] })
            }
        };
        let value = b.cast(CastOp::ZExt, value, Type::Int(128));
        let offset = b.offset(16 * n as u64);
        let access =
            Access { array: out, offset, align: 1, volatile: false, ghost: false, cached: false };
        b.inst(InstData::Store { access, values: vec![value] });
    }
    b.terminate(Terminator::Return(vec![]));
    let function = b.finish();
    let kernel = module.functions.push(function);
    (module, kernel, whats)
}

fn everything(width: u32, narrow: u32) -> Vec<What> {
    let binary = BinaryOp::ALL.iter().filter(|op| !op.is_float()).map(|&op| What::Binary(op));
    let defined = |op: &&UnaryOp| match op {
        UnaryOp::SwapBytes => width.is_multiple_of(8),
        UnaryOp::FNeg => false,
        _ => true,
    };
    let unary = UnaryOp::ALL.iter().filter(defined).map(|&op| What::Unary(op));
    let compare = IntCc::ALL.iter().map(|&cc| What::Compare(cc));
    binary
        .chain(unary)
        .chain(compare)
        .chain([What::Sext, What::Trunc(narrow), What::Select])
        .collect()
}

fn expected(what: &What, x: u128, y: u128, width: u32) -> Option<u128> {
    match *what {
        What::Binary(op) => naive(op, x, y, width),
        What::Unary(op) => naive_unary(op, x, width),
        What::Compare(cc) => Some(u128::from(naive_compare(cc, x, y, width))),
        What::Sext => {
            let mut bits = to_bits(x, width);
            bits.resize(128, is_negative(&bits));
            Some(from_bits(&bits))
        }
        What::Trunc(to) => Some(from_bits(&to_bits(x, width)[..to.min(width) as usize])),
        What::Select => Some(if less(&to_bits(x, width), &to_bits(y, width)) { y } else { x }),
    }
}

#[test]
fn integer_operations_are_what_their_bits_say() {
    let mut rng = Rng(0x1234_5678);
    for width in 1..=128 {
        let narrow = 1 + rng.next() as u32 % width;
        let (module, kernel, whats) = generate(width, narrow);
        assert_eq!(well_formed_errors(&module), [], "i{width}");
        for _ in 0..12 {
            let (x, y) = (rng.operand(width), rng.operand(width));
            let inputs = Inputs::new().scalar("x", x).scalar("y", y).array(
                "out",
                Fill::Zero,
                16 * whats.len() as u64,
            );
            let launch = Launch::linear(1, 1);
            let outcome = run(&module, kernel, &launch, &inputs, &RunOptions::default()).unwrap();
            let results = outcome.arrays.values().next().unwrap();
            let mut overflows = 0;
            for (n, what) in whats.iter().enumerate() {
                if let Some(wanted) = expected(what, x, y, width) {
                    let found = results.number(16 * n as u64, 16).unwrap();
                    let name = match what {
                        What::Binary(op) => op.name(),
                        What::Unary(op) => op.name(),
                        What::Compare(cc) => cc.name(),
                        What::Sext => "sext",
                        What::Trunc(_) => "trunc",
                        What::Select => "select",
                    };
                    assert_eq!(found, wanted, "{name} i{width} {x:#x}, {y:#x}");
                }
                if let What::Binary(op) = *what {
                    overflows += usize::from(naive_overflow(op, x, y, width) == Some(true));
                    let is_signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
                    let min = 1u128 << (width - 1);
                    let all_ones = from_bits(&vec![true; width as usize]);
                    overflows += usize::from(is_signed && x == min && y == all_ones);
                }
            }
            let is_overflow =
                |f: &&duet_interp::Finding| matches!(f.kind, FindingKind::SignedOverflow { .. });
            let found = outcome.findings.iter().filter(is_overflow).count();
            assert_eq!(found, overflows, "overflows at i{width} {x:#x}, {y:#x}");
        }
    }
}

/// Odd-even transposition sort of a block in shared memory: race-free, so its
/// result must not depend on the order of the threads.
const SORT: &str = "module cuda 64
array @a global param granule 4
array @s shared local granule 4 size 256
kernel sort symbol sort (a: @a) {
bb0:
  v0 = thread_id.x
  v1 = zext v0 to i64
  v2 = shl i64 v1, 2
  v3 = load i32 @a[v2] align 4
  store i32 @s[v2], v3 align 4
  v4 = add i64 v2, 4
  jump bb1(i32 0)
bb1(i32 v5):
  barrier block 3
  v6 = icmp slt i32 v5, 64
  br v6, bb2, bb6
bb2:
  v7 = xor i32 v5, v0
  v8 = and i32 v7, 1
  v9 = icmp eq i32 v8, 0
  v10 = icmp ult i32 v0, 63
  v11 = and i1 v9, v10
  br v11, bb3, bb5
bb3:
  v12 = load i32 @s[v2] align 4
  v13 = load i32 @s[v4] align 4
  v14 = icmp ugt i32 v12, v13
  br v14, bb4, bb5
bb4:
  store i32 @s[v2], v13 align 4
  store i32 @s[v4], v12 align 4
  jump bb5
bb5:
  v15 = add nsw i32 v5, 1
  jump bb1(v15)
bb6:
  v16 = load i32 @s[v2] align 4
  store i32 @a[v2], v16 align 4
  return
}
";

#[test]
fn a_race_free_sort_sorts_in_every_order() {
    let module = Module::parse(SORT).unwrap();
    let (kernel, _) = module.kernels().next().unwrap();
    let schedules = (0..6).map(Schedule::Seeded).chain([Schedule::InOrder, Schedule::Reversed]);
    for (n, schedule) in schedules.enumerate() {
        let inputs = Inputs::new().array("a", Fill::Random(n as u64), 256);
        let options = RunOptions::scheduled(schedule);
        let outcome = run(&module, kernel, &Launch::linear(1, 64), &inputs, &options).unwrap();
        assert!(outcome.is_clean(), "{schedule:?}: {:?}", outcome.findings);
        let a = outcome.arrays.values().next().unwrap();
        let numbers: Vec<u128> = (0..64).map(|n| a.number(4 * n, 4).unwrap()).collect();
        assert!(numbers.is_sorted(), "{schedule:?}: {numbers:?}");
    }
}
