//! Changes of a source text that may change its meaning: another operator, number, index,
//! bound, type of a counter, or a barrier or guard less.

use crate::random::Random;

/// Operators and names with what may take their place.
const EXCHANGES: &[(&str, &[&str])] = &[
    ("<", &["<=", ">", "!="]),
    ("<=", &["<", "=="]),
    (">", &[">=", "<"]),
    (">=", &[">", "<="]),
    ("==", &["!=", ">=", "<="]),
    ("!=", &["==", "<"]),
    ("+", &["-", "*", "|"]),
    ("-", &["+"]),
    ("*", &["+", "&"]),
    ("/", &["*", "%"]),
    ("%", &["/", "&"]),
    ("&", &["|", "^"]),
    ("|", &["&", "+"]),
    ("^", &["|", "+"]),
    ("&&", &["||"]),
    ("||", &["&&"]),
    ("+=", &["-=", "=", "|="]),
    ("*=", &["+="]),
    ("/=", &["-="]),
    (">>=", &["-="]),
    ("++", &["+= 2", "--"]),
    ("threadIdx.x", &["blockIdx.x", "threadIdx.y", "0"]),
    ("threadIdx.y", &["threadIdx.x", "blockIdx.y"]),
    ("blockIdx.x", &["threadIdx.x", "0", "blockIdx.y"]),
    ("blockIdx.y", &["blockIdx.x", "threadIdx.y"]),
    ("blockDim.x", &["gridDim.x", "blockDim.y"]),
    ("blockDim.y", &["blockDim.x"]),
    ("gridDim.x", &["blockDim.x", "1"]),
    ("min", &["max"]),
    ("max", &["min"]),
    ("fminf", &["fmaxf"]),
    ("in", &["w"]),
    ("w", &["in"]),
    ("n", &["m"]),
    ("m", &["n"]),
    ("i", &["t", "n"]),
    ("t", &["i", "0"]),
    ("k", &["i", "0"]),
    ("atomicAdd", &["atomicSub", "atomicMax"]),
    ("atomicMax", &["atomicMin", "atomicAdd"]),
    ("atomicOr", &["atomicAnd", "atomicAdd"]),
    ("__shfl_down_sync", &["__shfl_up_sync", "__shfl_xor_sync"]),
    ("__shfl_xor_sync", &["__shfl_down_sync"]),
    ("__syncthreads", &["__syncwarp"]),
];

/// The text in pieces: names with their dots, numbers, operators, and single characters.
pub fn tokens(text: &str) -> Vec<String> {
    const OPERATORS: [&str; 18] = [
        "==>", "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=",
        "/=", "|=", "++", "--",
    ];
    let mut list = vec![];
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.' || c == '\\';
        let len = match OPERATORS.iter().find(|op| rest.starts_with(**op)) {
            Some(op) => op.len(),
            None if is_part(first) => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
            None => first.len_utf8(),
        };
        list.push(rest[..len].to_string());
        rest = rest[len..].trim_start();
    }
    list
}

/// A changed text, and what was changed in words; nothing if there is no place for a change.
/// `known` are the names that the text may use.
pub fn mutant(random: &mut Random, text: &str, known: &dyn Fn(&str) -> bool) -> Option<String> {
    let pieces = tokens(text);
    for _ in 0..24 {
        let at = random.below(pieces.len().max(1));
        let Some(changed) = change(random, &pieces, at, known) else { continue };
        if changed != pieces {
            return Some(changed.join(" "));
        }
    }
    None
}

fn change(
    random: &mut Random,
    pieces: &[String],
    at: usize,
    known: &dyn Fn(&str) -> bool,
) -> Option<Vec<String>> {
    let piece = pieces.get(at)?.as_str();
    let mut changed = pieces.to_vec();
    match piece {
        "__syncthreads" | "if" | "return" if random.percent(60) => {
            return dropped(pieces, at);
        }
        "int" if random.percent(50) && pieces.get(at + 2).is_some_and(|next| next == "=") => {
            changed[at] = random.pick(&["unsigned", "short", "long long", "unsigned char"]).into();
            return Some(changed);
        }
        _ => {}
    }
    if let Ok(number) = piece.parse::<i64>() {
        let other = random.pick(&[number + 1, number - 1, 2 * number, 0]);
        changed[at] = other.max(0).to_string();
        return Some(changed);
    }
    if is_declared_here(pieces, at) {
        return None;
    }
    let (_, others) = EXCHANGES.iter().find(|(name, _)| *name == piece)?;
    let other = random.pick(others);
    let is_name = other.starts_with(|c: char| c.is_ascii_alphabetic());
    if is_name && !other.contains(['.', '_', '(']) && !known(other) {
        return None;
    }
    changed[at] = other.to_string();
    Some(changed)
}

/// Is the name at this place declared there?
fn is_declared_here(pieces: &[String], at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |before| pieces[before].as_str());
    let after = pieces.get(at + 1).map_or("", String::as_str);
    ["int", "unsigned", "float", "short", "char", "*"].contains(&before) && after != "["
        || before == "," && after == "="
}

/// Without the call, the condition or the return that begins here.
fn dropped(pieces: &[String], at: usize) -> Option<Vec<String>> {
    let end = match pieces[at].as_str() {
        // `if (…)` goes, the statement stays; an `else` would have nothing to belong to.
        "if" => {
            if pieces[at..].iter().any(|piece| piece == "else") {
                return None;
            }
            let mut depth = 0;
            let close = pieces[at + 1..].iter().position(|piece| {
                depth += i32::from(piece == "(") - i32::from(piece == ")");
                depth == 0
            })?;
            at + 1 + close
        }
        _ => at + pieces[at..].iter().position(|piece| piece == ";")?,
    };
    let is_return = pieces[at] == "return";
    let mut changed = pieces[..at].to_vec();
    if is_return {
        changed.push(";".to_string());
    }
    changed.extend_from_slice(&pieces[end + 1..]);
    Some(changed)
}
