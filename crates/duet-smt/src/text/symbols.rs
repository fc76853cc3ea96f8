//! Spelling of user symbols.
//!
//! A kernel's variable may be called `select` or `bvadd`. Such names, and names
//! that begin like our own helpers, get the prefix `v!`; the map is injective
//! and the reader undoes it. Names that are no simple symbols are quoted.

/// Helper definitions of the printer begin with this.
pub(super) const DEFINITION_PREFIX: &str = "d!";
const MANGLE_PREFIX: &str = "v!";

const RESERVED: &[&str] = &[
    "_",
    "abs",
    "and",
    "as",
    "assert",
    "bag",
    "check-sat",
    "concat",
    "cos",
    "define-fun",
    "distinct",
    "div",
    "divisible",
    "echo",
    "euler",
    "exists",
    "exit",
    "exp",
    "extract",
    "false",
    "forall",
    "get-value",
    "if",
    "iff",
    "implies",
    "is",
    "is_int",
    "ite",
    "lambda",
    "let",
    "map",
    "match",
    "max",
    "min",
    "mod",
    "nat2bv",
    "not",
    "or",
    "par",
    "pi",
    "pop",
    "power",
    "push",
    "re",
    "rem",
    "repeat",
    "reset",
    "rotate_left",
    "rotate_right",
    "select",
    "seq",
    "set",
    "sign_extend",
    "sin",
    "sqrt",
    "store",
    "str",
    "tan",
    "to_int",
    "to_real",
    "true",
    "tuple",
    "union",
    "witness",
    "xor",
    "zero_extend",
    "Array",
    "Bool",
    "BitVec",
    "Int",
    "Real",
    "String",
    "Seq",
    "Set",
    "Tuple",
    "List",
    "NUMERAL",
    "DECIMAL",
    "HEXADECIMAL",
    "BINARY",
    "STRING",
];
const RESERVED_STARTS: &[&str] = &[
    "bv",
    "ubv",
    "sbv",
    "int2",
    "int_",
    "int.",
    "fp",
    "str.",
    "re.",
    "seq.",
    "set.",
    "bag.",
    "duet!",
    DEFINITION_PREFIX,
    MANGLE_PREFIX,
];

/// How a user symbol is spelled.
pub(super) fn spell(name: &str) -> String {
    let name = mangle(name);
    if is_simple(&name) { name } else { format!("|{name}|") }
}

fn mangle(name: &str) -> String {
    let clash = RESERVED.contains(&name) || RESERVED_STARTS.iter().any(|p| name.starts_with(p));
    if clash { format!("{MANGLE_PREFIX}{name}") } else { name.to_string() }
}

/// The user symbol that a (dequoted) symbol spells; `None` for one of SMT-LIB's
/// own or one of our helpers.
pub(super) fn user_symbol(symbol: &str) -> Option<&str> {
    let name = unspell(symbol);
    (mangle(name) == symbol).then_some(name)
}

/// The user symbol that a (dequoted) spelling stands for.
pub(super) fn unspell(symbol: &str) -> &str {
    symbol.strip_prefix(MANGLE_PREFIX).unwrap_or(symbol)
}

fn is_simple(name: &str) -> bool {
    let first = name.chars().next();
    first.is_some_and(|c| !c.is_ascii_digit() && c != '.' && c != '@')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c))
}
