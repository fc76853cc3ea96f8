//! Functions as dense code for the step loop: every value has a slot of 64 bits
//! (two, if it is wider), constants and launch sizes sit in slots that are filled
//! when a frame is made, and operations name slots. Decoding is per launch.
//!
//! | file | holds |
//! |---|---|
//! | this one | the shape of the code |
//! | `claims` | claims at barriers, as code that is run again |
//! | `inst` | how instructions become operations |
//! | `taint` | what depends on values that one thread's run cannot know |
//! | `preconditions` | a kernel's preconditions as a kernel of their own |

mod barrier_loops;
pub(crate) mod claims;
mod inst;
pub(crate) mod preconditions;
pub(crate) mod taint;

use std::collections::{BTreeSet, HashSet};

use duet_ir::{
    AnnotationKind, Array, AssertKind, AtomicOp, BinaryOp, Block, CastOp, Effect, EntityRef,
    ExchangeOp, FloatCc, FloatType, FoldOp, Func, Inst, IntCc, MemoryOrder, Module, Reduction,
    Space, Type, UnaryOp, Value,
};

use crate::decode::claims::ClaimData;
use crate::decode::inst::{decode_function, undecoded};
use crate::decode::taint::Taint;
use crate::interface::findings::Site;
use crate::interface::launch::Launch;
use crate::memory::alias::Aliases;
use crate::races::clocks::Reach;
use crate::races::order::Fenced;
use crate::races::shadow::Kind;
use crate::values::math::Meaning;

/// An index into a frame.
pub(crate) type Slot = u32;

/// An operand of any width.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arg {
    pub(crate) slot: Slot,
    pub(crate) wide: bool,
}

impl Arg {
    /// The operand's bits.
    pub(crate) fn read(self, slots: &[u64]) -> u128 {
        let low = u128::from(slots[self.slot as usize]);
        if self.wide { low | u128::from(slots[self.slot as usize + 1]) << 64 } else { low }
    }

    /// Sets the value, which must fit.
    pub(crate) fn write(self, slots: &mut [u64], bits: u128) {
        slots[self.slot as usize] = bits as u64;
        if self.wide {
            slots[self.slot as usize + 1] = (bits >> 64) as u64;
        }
    }
}

/// Destination and operands of an operation on two values. `shift` is 64 minus
/// the width: shifting up and down by it cuts or extends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Two {
    pub(crate) dst: Slot,
    pub(crate) a: Slot,
    pub(crate) b: Slot,
    pub(crate) shift: u8,
}

/// Destination and operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct One {
    pub(crate) dst: Slot,
    pub(crate) a: Slot,
    pub(crate) shift: u8,
}

/// An operation. `u32` fields of the larger ones index tables of [`Code`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Add(Two),
    Sub(Two),
    Mul(Two),
    AddNoWrap(Two),
    SubNoWrap(Two),
    MulNoWrap(Two),
    ShlNoWrap(Two),
    UDiv(Two),
    URem(Two),
    SDiv(Two),
    SRem(Two),
    Shl(Two),
    LShr(Two),
    AShr(Two),
    And(Two),
    Or(Two),
    Xor(Two),
    Eq(Two),
    Ne(Two),
    Ult(Two),
    Ule(Two),
    Slt(Two),
    Sle(Two),
    F32(BinaryOp, Two),
    F64(BinaryOp, Two),
    Half(BinaryOp, FloatType, Two),
    FCompare(FloatCc, FloatType, Two),
    Select {
        dst: Slot,
        cond: Slot,
        args: [Slot; 2],
    },
    /// Truncation to the width of `shift`.
    Cut(One),
    Copy(One),
    /// Sign extension from the width of `shift`, cut to the second shift.
    Extend(One, u8),
    Unary(UnaryOp, One),
    /// A conversion that involves floats or more than 64 bits.
    Cast(u32),
    /// An operation on more than 64 bits.
    Wide(u32),
    ThreadId {
        dst: Slot,
        dim: u8,
    },
    BlockId {
        dst: Slot,
        dim: u8,
    },
    Pure(u32),
    /// The elements of an array, folded.
    Fold(u32),
    /// An unknown of a width.
    Fresh {
        dst: Slot,
        width: u8,
    },
    PtrToInt {
        dst: Slot,
        reference: Slot,
        offset: Slot,
    },
    IntToPtr {
        dst: Slot,
        arg: Slot,
    },
    Load(u32),
    Store(u32),
    Atomic(u32),
    BlockBarrier {
        flags: Option<Slot>,
    },
    WarpBarrier {
        mask: Option<Slot>,
    },
    GridBarrier,
    BarrierReduce {
        op: Reduction,
        dst: Slot,
        arg: Slot,
    },
    Exchange(u32),
    AsyncCopy(u32),
    Wait(u32),
    Assert {
        kind: AssertKind,
        cond: Slot,
        skip: bool,
    },
    Annotation(u32),
    Call(u32),
    CallUnknown(u32),
    Fence(Reach, MemoryOrder),
    /// Instructions whose result is a constant of the launch, and fences of OpenCL, of
    /// which none is told from one that orders nothing.
    Nothing,
    Jump(u32),
    Branch {
        cond: Slot,
        then: u32,
        otherwise: u32,
    },
    Switch(u32),
    Return(u32),
    Halt,
}

/// A conversion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CastData {
    pub(crate) op: CastOp,
    pub(crate) from: Type,
    pub(crate) to: Type,
    pub(crate) arg: Arg,
    pub(crate) dst: Arg,
}

/// An integer operation on more than 64 bits.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub(crate) struct WideData {
    pub(crate) what: WideOp,
    pub(crate) width: u8,
    pub(crate) dst: Arg,
    pub(crate) a: Arg,
    pub(crate) b: Arg,
    pub(crate) c: Arg,
}

/// What a wide operation does; `Select` has its condition in `a`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WideOp {
    Binary(BinaryOp, bool),
    Unary(UnaryOp),
    Compare(IntCc),
    Select,
    Fresh,
}

/// A `pure` call.
#[derive(Clone)]
pub(crate) struct PureData {
    pub(crate) meaning: Meaning,
    pub(crate) args: Vec<(Arg, Type)>,
    pub(crate) ty: Type,
    pub(crate) dst: Arg,
}

/// Which table of instances an array is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// Global and constant arrays.
    Global(u32),
    Shared(u32),
    Private(u32),
}

/// A place in memory that an instruction names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaceData {
    pub(crate) array: Array,
    pub(crate) place: Place,
    pub(crate) offset: Slot,
    /// Added to the offset.
    pub(crate) shift: u64,
    /// Part of an annotation.
    pub(crate) ghost: bool,
    /// Is the array's race log kept? (It is written somewhere, and shared.)
    pub(crate) logged: bool,
}

impl PlaceData {
    /// The first byte in the array's memory.
    pub(crate) fn start(&self, slots: &[u64]) -> u64 {
        slots[self.offset as usize].wrapping_add(self.shift)
    }
}

/// A load, a store or an atomic operation.
#[derive(Clone, Debug)]
pub(crate) struct AccessData {
    pub(crate) at: PlaceData,
    pub(crate) kind: Kind,
    /// Bytes of an element, and of the whole.
    pub(crate) element: u32,
    pub(crate) len: u32,
    /// Width of an element's value in bits.
    pub(crate) width: u8,
    /// One per element: destinations of a load, sources of a store; the result
    /// and then the operands of an atomic.
    pub(crate) values: Vec<Arg>,
    /// For atomics.
    pub(crate) atomic: Option<(AtomicOp, Type)>,
    pub(crate) order: MemoryOrder,
}

/// A warp exchange.
#[derive(Clone, Debug)]
pub(crate) struct ExchangeData {
    pub(crate) op: ExchangeOp,
    pub(crate) mask: Option<Slot>,
    pub(crate) args: Vec<Arg>,
    /// Width of the first operand.
    pub(crate) width: u8,
    pub(crate) dst: Arg,
    pub(crate) dst_width: u8,
}

/// An asynchronous copy.
#[derive(Clone, Debug)]
pub(crate) struct CopyData {
    pub(crate) dst: PlaceData,
    pub(crate) src: PlaceData,
    pub(crate) element: u32,
    /// Count, destination stride, source stride.
    pub(crate) numbers: [(Arg, u8); 3],
    pub(crate) event: Arg,
    pub(crate) result: Slot,
}

/// An annotation that the interpreter looks at, or that observers see.
#[derive(Clone, Debug)]
pub(crate) struct AnnotationData {
    pub(crate) inst: Inst,
    pub(crate) kind: AnnotationKind,
    pub(crate) args: Vec<Arg>,
    /// Depends on what one thread cannot know.
    pub(crate) skip: bool,
}

/// Elements of an array, folded.
#[derive(Clone, Debug)]
pub(crate) struct FoldData {
    /// The array, where it starts, and the two numbers.
    pub(crate) args: [Arg; 4],
    pub(crate) op: FoldOp,
    pub(crate) dst: Arg,
    pub(crate) width: u8,
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct CallData {
    /// Index of the callee's code.
    pub(crate) callee: u32,
    /// Slots to copy: ours, the callee's.
    pub(crate) args: Vec<(Slot, Slot)>,
    /// Where the results go.
    pub(crate) results: Vec<Arg>,
}

/// Unknown results with their widths.
pub(crate) type UnknownData = Vec<(Arg, u8)>;

/// A way from one block to another.
#[derive(Clone, Debug)]
pub(crate) struct EdgeData {
    pub(crate) block: Block,
    /// First operation of the target.
    pub(crate) pc: u32,
    /// Slots to copy: from, to.
    pub(crate) moves: Vec<(Slot, Slot)>,
    /// A source is also an earlier destination: read all first.
    pub(crate) overlap: bool,
    /// The loop with a meeting point that the target is in, as a bit.
    pub(crate) enters: u64,
}

/// A `switch`.
#[derive(Clone, Debug)]
pub(crate) struct SwitchData {
    pub(crate) arg: Arg,
    pub(crate) cases: Vec<(u128, u32)>,
    pub(crate) default: u32,
}

/// The code of a function.
pub(crate) struct Code {
    pub(crate) func: Func,
    pub(crate) entry: Block,
    pub(crate) ops: Vec<Op>,
    /// Site number of each operation; that of its block's last instruction, or
    /// 0, for terminators.
    pub(crate) sites: Vec<u32>,
    /// The number of each operation's block.
    pub(crate) blocks: Vec<u32>,
    /// The loop with a meeting point that each block is in, as a bit.
    pub(crate) barrier_loops: Vec<u64>,
    /// A frame with its constants in place.
    pub(crate) template: Vec<u64>,
    /// Where each value lives.
    pub(crate) slots: Vec<Arg>,
    /// Parameters that are scalars of the launch: parameter number and place.
    pub(crate) scalars: Vec<(usize, Arg)>,
    pub(crate) casts: Vec<CastData>,
    pub(crate) wides: Vec<WideData>,
    pub(crate) pures: Vec<PureData>,
    pub(crate) accesses: Vec<AccessData>,
    pub(crate) exchanges: Vec<ExchangeData>,
    pub(crate) copies: Vec<CopyData>,
    pub(crate) waits: Vec<Vec<Arg>>,
    pub(crate) annotations: Vec<AnnotationData>,
    pub(crate) claims: Vec<ClaimData>,
    pub(crate) folds: Vec<FoldData>,
    pub(crate) calls: Vec<CallData>,
    pub(crate) unknowns: Vec<UnknownData>,
    pub(crate) edges: Vec<EdgeData>,
    pub(crate) switches: Vec<SwitchData>,
    pub(crate) returns: Vec<Vec<Arg>>,
}

impl Code {
    /// The loop with a meeting point that the first block is in, as a bit.
    pub(crate) fn loop_at_entry(&self) -> u64 {
        self.barrier_loops.get(self.entry.index()).copied().unwrap_or(0)
    }

    /// Where a value lives.
    pub(crate) fn arg(&self, value: Value) -> Arg {
        self.slots[value.index()]
    }
}

/// An array, as the interpreter sees it.
#[derive(Clone, Debug)]
pub(crate) struct ArrayInfo {
    pub(crate) place: Place,
    /// Is it written by any function that may be called?
    pub(crate) written: bool,
    /// The array that accesses go to: itself, unless it is another's alias.
    pub(crate) array: Array,
    /// Added to offsets.
    pub(crate) shift: u64,
    /// Is it an image of OpenCL?
    pub(crate) is_image: bool,
}

/// A module made ready for a launch.
pub(crate) struct Program {
    pub(crate) codes: Vec<Code>,
    /// First site number of each function.
    site_bases: Vec<u32>,
    /// By array number.
    pub(crate) arrays: Vec<ArrayInfo>,
    /// The arrays of each table of instances.
    pub(crate) globals: Vec<Array>,
    pub(crate) shareds: Vec<Array>,
    pub(crate) privates: Vec<Array>,
    /// Fences may order its accesses.
    pub(crate) has_fences: bool,
}

impl Program {
    /// Only what a run of `kernel` may call is decoded: a module of a whole program holds a
    /// kernel for each launch, and there are many runs of each.
    pub(crate) fn new(
        module: &Module,
        kernel: Func,
        launch: &Launch,
        aliases: &Aliases,
    ) -> Program {
        let taint = Taint::of(module, kernel);
        let called = called_from(module, kernel);
        let mut program = Program {
            codes: vec![],
            site_bases: vec![],
            arrays: vec![],
            globals: vec![],
            shareds: vec![],
            privates: vec![],
            has_fences: has_fences(module, &called),
        };
        program.place_arrays(module, &called);
        program.join_aliases(aliases);
        let mut base = 0;
        for function in module.functions.values() {
            program.site_bases.push(base);
            base += function.insts.len() as u32;
        }
        for func in module.functions.keys() {
            let base = program.site_bases[func.index()];
            program.codes.push(match called.contains(&func) {
                true => {
                    let fences = program.has_fences;
                    decode_function(module, func, launch, &program.arrays, &taint, base, fences)
                }
                false => undecoded(func),
            });
        }
        program
    }

    fn place_arrays(&mut self, module: &Module, called: &[Func]) {
        let written = written_arrays(module, called);
        for (array, data) in module.arrays.iter() {
            let table = match data.space {
                Space::Global | Space::Constant => &mut self.globals,
                Space::Shared => &mut self.shareds,
                Space::Private => &mut self.privates,
            };
            let index = table.len() as u32;
            table.push(array);
            let place = match data.space {
                Space::Global | Space::Constant => Place::Global(index),
                Space::Shared => Place::Shared(index),
                Space::Private => Place::Private(index),
            };
            let written = written.contains(&array);
            let is_image = module.language == duet_ir::Language::OpenCl
                && data.origin == duet_ir::ArrayOrigin::Image;
            self.arrays.push(ArrayInfo { place, written, array, shift: 0, is_image });
        }
    }

    /// Aliases are the array that they point into, which is written if any is.
    fn join_aliases(&mut self, aliases: &Aliases) {
        for (array, target) in aliases.iter() {
            let written = self.arrays[array.index()].written;
            self.arrays[target.array.index()].written |= written;
        }
        for (array, target) in aliases.iter() {
            let joined = self.arrays[target.array.index()].clone();
            self.arrays[array.index()] = ArrayInfo { shift: target.shift, ..joined };
        }
    }

    /// The instruction of a site number.
    pub(crate) fn site(&self, number: u32) -> Site {
        let func = self.site_bases.partition_point(|&base| base <= number) - 1;
        let inst = number - self.site_bases[func];
        Site { func: Func::new(func), inst: Inst::new(inst as usize) }
    }
}

/// The kernel, and the functions that it calls or that are called from there.
pub(crate) fn called_from(module: &Module, kernel: Func) -> Vec<Func> {
    let mut called = BTreeSet::new();
    let mut work = vec![kernel];
    while let Some(func) = work.pop() {
        if called.insert(func) {
            let insts = module.functions[func].insts.values();
            work.extend(insts.filter_map(|data| match data.effect() {
                Effect::Call(callee) => Some(callee),
                Effect::None
                | Effect::MayFail
                | Effect::Memory
                | Effect::Barrier(_)
                | Effect::Exchange
                | Effect::Fence
                | Effect::WaitsForCopies
                | Effect::Statement
                | Effect::CallUnknown => None,
            }));
        }
    }
    called.into_iter().collect()
}

/// The arrays that some instruction of these functions writes.
fn written_arrays(module: &Module, called: &[Func]) -> HashSet<Array> {
    let mut written = HashSet::new();
    for function in called.iter().map(|&func| &module.functions[func]) {
        for inst in function.insts_in_order() {
            let accesses = function.insts[inst].accesses().into_iter();
            let writes = accesses.filter(|(kind, _)| kind.may_write());
            written.extend(writes.map(|(_, access)| access.array));
        }
    }
    written
}

/// Do these functions have fences or atomic operations that may order accesses?
fn has_fences(module: &Module, called: &[Func]) -> bool {
    let mut insts = called.iter().flat_map(|&func| module.functions[func].insts.values());
    insts.any(|inst| inst.may_order_others())
}

/// The space of an array for barriers.
pub(crate) fn fenced(info: &ArrayInfo) -> Fenced {
    match info.place {
        Place::Shared(_) => Fenced::Shared,
        Place::Global(_) if info.is_image => Fenced::Images,
        Place::Global(_) | Place::Private(_) => Fenced::Global,
    }
}
