//! `duet check --explain`: every question, who answered it, and why.

use duet_engine::check::Asked;
use duet_ir::{Func, Module};
use serde_json::{Value, json};

/// For people.
pub fn explanation(module: &Module, kernel: Func, asked: &[Asked]) -> String {
    let mut text = String::new();
    for one in asked {
        let place = match places(module, kernel, one).as_slice() {
            [] => String::new(),
            lines => format!(" ({})", in_words(lines)),
        };
        text.push_str(&format!("  {}{place}: {} by {}\n", one.about, one.answer, one.by));
        for line in one.proof.iter().flat_map(|proof| proof.lines()) {
            text.push_str(&format!("      {line}\n"));
        }
    }
    text
}

/// For programs; null if nothing was kept.
pub fn json(module: &Module, kernel: Func, asked: &[Asked]) -> Value {
    if asked.is_empty() {
        return Value::Null;
    }
    let one = |one: &Asked| {
        json!({
            "about": one.about,
            "lines": places(module, kernel, one),
            "answer": one.answer,
            "by": one.by,
            "proof": one.proof.as_ref().map(|proof| proof.lines().collect::<Vec<_>>()),
            "ms": (one.took.as_secs_f64() * 1e6).round() / 1e3,
        })
    };
    asked.iter().map(one).collect()
}

/// The source lines that a question is about.
pub fn places(module: &Module, kernel: Func, asked: &Asked) -> Vec<u32> {
    let func = &module.functions[kernel];
    let line = |inst: &duet_ir::Inst| module.span_of_inst(func, *inst).map(|span| span.line);
    let lines = asked.places.iter().filter_map(line);
    // A joint question is about many pairs: each line once.
    let mut list: Vec<u32> = lines.collect();
    if asked.places.len() > 2 {
        list.sort_unstable();
        list.dedup();
    }
    list
}

/// `line 3`, `lines 3 and 7`, `lines 3, 5, 7`.
pub fn in_words(lines: &[u32]) -> String {
    match lines {
        [line] => format!("line {line}"),
        [one, other] => format!("lines {one} and {other}"),
        many => {
            let words: Vec<String> = many.iter().map(u32::to_string).collect();
            format!("lines {}", words.join(", "))
        }
    }
}
