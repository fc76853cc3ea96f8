//! The text of inline PTX: which statements only compute, and which load or store.
//!
//! A text that only computes is a function of its operands: it touches no memory, waits for
//! nobody and reads no special register. What it computes is not modelled; that it yields
//! the same for the same operands is. A text that starts from a carry which an earlier text
//! left, or that sets a result under a predicate, is no such function ([`Text::is_function`]).

use duet_ir::{FloatType, Type};

/// Instructions that compute a value of their operands alone, by the name before the first
/// dot.
const COMPUTES: &[&str] = &[
    "abs",
    "add",
    "addc",
    "and",
    "bfe",
    "bfi",
    "bfind",
    "bmsk",
    "brev",
    "clz",
    "cnot",
    "copysign",
    "cos",
    "cvt",
    "div",
    "dp2a",
    "dp4a",
    "ex2",
    "fma",
    "fns",
    "lg2",
    "lop3",
    "mad",
    "mad24",
    "madc",
    "max",
    "min",
    "mov",
    "mul",
    "mul24",
    "neg",
    "not",
    "or",
    "popc",
    "prmt",
    "rcp",
    "rem",
    "rsqrt",
    "sad",
    "selp",
    "set",
    "setp",
    "shf",
    "shl",
    "shr",
    "sin",
    "slct",
    "sqrt",
    "sub",
    "subc",
    "szext",
    "tanh",
    "testp",
    "vabsdiff",
    "vabsdiff2",
    "vabsdiff4",
    "vadd",
    "vadd2",
    "vadd4",
    "vavrg2",
    "vavrg4",
    "vmad",
    "vmax",
    "vmax2",
    "vmax4",
    "vmin",
    "vmin2",
    "vmin4",
    "vset",
    "vset2",
    "vset4",
    "vshl",
    "vshr",
    "vsub",
    "vsub2",
    "vsub4",
    "xor",
];

/// What is to be known of a text that only computes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// Are the results a function of the operands?
    pub is_function: bool,
}

/// Reads a text whose statements only compute.
pub fn computing(text: &str) -> Option<Text> {
    // SOUNDNESS: an address in brackets is memory (test `ptx_that_reads_memory_unseen`).
    if text.contains('[') {
        return None;
    }
    let statements = text.split([';', '{', '}']).map(str::trim).filter(|text| !text.is_empty());
    let (mut is_function, mut has_carry, mut registers) = (true, false, vec![]);
    for statement in statements {
        if let Some(declared) = statement.strip_prefix(".reg") {
            registers.extend(words(declared).skip(1).map(str::to_string));
            continue;
        }
        let mut parts = words(statement).peekable();
        if parts.next_if(|word| word.starts_with('@')).is_some() {
            is_function = false;
        }
        let opcode = parts.next()?;
        let mut names = opcode.split('.');
        let name = names.next()?;
        COMPUTES.contains(&name).then_some(())?;
        is_function &= has_carry || !matches!(name, "addc" | "subc" | "madc");
        has_carry |= names.any(|part| part == "cc");
        // SOUNDNESS: a special register tells threads apart (test
        // `ptx_that_reads_memory_unseen`).
        let is_special = |word: &str| {
            word.starts_with('%') && !registers.iter().any(|register| register == word)
        };
        if parts.any(|word| is_special(word) || is_named_register(word)) {
            return None;
        }
    }
    Some(Text { is_function })
}

fn words(statement: &str) -> impl Iterator<Item = &str> {
    statement.split([' ', '\t', '\n', ',', '|']).filter(|word| !word.is_empty())
}

/// Is the word a special register or a constant of the hardware, spelled without `%`?
fn is_named_register(word: &str) -> bool {
    matches!(word, "WARP_SZ")
}

/// A load or a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transfer {
    /// Is it a store?
    pub is_store: bool,
    /// Is it a load through the read-only cache?
    pub is_cached: bool,
    /// The type of an element.
    pub ty: Type,
    /// Is a narrow integer extended by its sign?
    pub is_signed: bool,
    /// The operands that hold the elements.
    pub elements: Vec<u32>,
    /// The operand that holds the address.
    pub address: u32,
    /// Bytes that are added to it.
    pub offset: u64,
}

/// Reads a plain load or store of global memory: no order, no scope and nothing volatile,
/// which would be more than an access; caches don't matter.
pub fn transfer(statement: &str) -> Option<Transfer> {
    let (opcode, operands) = statement.trim().split_once([' ', '\t'])?;
    let mut parts: Vec<&str> = opcode.split('.').collect();
    let name = parts.remove(0);
    let is_store = match name {
        "ld" => false,
        "st" => true,
        _ => return None,
    };
    let (ty, is_signed) = element(parts.pop()?)?;
    let is_cached = parts.contains(&"nc");
    let mut lanes = 1;
    for part in parts {
        match part {
            "global" | "nc" | "ca" | "cg" | "cs" | "lu" | "wb" | "wt" => {}
            "v2" => lanes = 2,
            "v4" => lanes = 4,
            hint if hint.starts_with("L1::") || hint.starts_with("L2::") => {}
            _ => return None,
        }
    }
    let open = operands.find('[')?;
    let close = operands[open..].find(']')? + open;
    let inside = &operands[open + 1..close];
    let (register, offset) = match inside.split_once('+') {
        Some((register, offset)) => (register.trim(), offset.trim().parse().ok()?),
        None => (inside.trim(), 0),
    };
    let address = register.strip_prefix('$')?.parse().ok()?;
    let others = format!("{}{}", &operands[..open], &operands[close + 1..]);
    let elements: Option<Vec<u32>> = others
        .split([' ', '\t', '\n', ',', '{', '}'])
        .filter(|word| !word.is_empty())
        .map(|word| word.strip_prefix('$')?.parse().ok())
        .collect();
    let elements = elements.filter(|elements| elements.len() == lanes)?;
    Some(Transfer { is_store, is_cached, ty, is_signed, elements, address, offset })
}

fn element(name: &str) -> Option<(Type, bool)> {
    Some(match name {
        "b8" | "u8" => (Type::Int(8), false),
        "s8" => (Type::Int(8), true),
        "b16" | "u16" => (Type::Int(16), false),
        "s16" => (Type::Int(16), true),
        "b32" | "u32" | "s32" => (Type::Int(32), false),
        "b64" | "u64" | "s64" => (Type::Int(64), false),
        "f32" => (Type::Float(FloatType::F32), false),
        "f64" => (Type::Float(FloatType::F64), false),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{computing, transfer};

    fn is_function(text: &str) -> Option<bool> {
        computing(text).map(|text| text.is_function)
    }

    #[test]
    fn texts_that_compute() {
        assert_eq!(is_function("vabsdiff4.u32.u32.u32.add $0, $1, $2, $3;"), Some(true));
        assert_eq!(is_function("add.cc.u32 $0, $0, $2; addc.u32 $1, $1, $3;"), Some(true));
        assert_eq!(is_function("addc.u32 $0, $1, $2;"), Some(false));
        let text = "{ .reg .pred p; setp.lt.u32 p, $1, $2; selp.u32 $0, 1, 0, p; }";
        assert_eq!(is_function(text), Some(true));
        assert_eq!(is_function("@p mov.u32 $0, 1;"), Some(false));
        assert_eq!(is_function("{ .reg .u32 %t; mov.u32 %t, $1; mov.u32 $0, %t; }"), Some(true));
    }

    #[test]
    fn texts_that_do_more() {
        for text in ["mov.u32 $0, %tid.x;", "ld.global.u32 $0, [$1];", "bar.sync 0;"] {
            assert_eq!(is_function(text), None, "{text}");
        }
        assert_eq!(is_function("add.u32 $0, $1, %laneid;"), None);
        assert_eq!(is_function("shfl.sync.idx.b32 $0, $1, $2, 31, -1;"), None);
    }

    #[test]
    fn plain_accesses_alone_are_transfers() {
        let load = transfer("ld.global.nc.v2.f32 {$0, $1}, [$2+8]").expect("a load");
        assert_eq!((load.elements, load.address, load.offset), (vec![0, 1], 2, 8));
        assert!(transfer("st.global.cs.s32 [$0], $1").expect("a store").is_store);
        for text in [
            "ld.volatile.global.u32 $0, [$1]",
            "ld.acquire.gpu.global.u32 $0, [$1]",
            "ld.global.cv.u32 $0, [$1]",
            "ld.shared.u32 $0, [$1]",
            "st.relaxed.sys.global.u32 [$0], $1",
            "atom.global.add.u32 $0, [$1], 1",
        ] {
            assert_eq!(transfer(text), None, "{text}");
        }
    }
}
