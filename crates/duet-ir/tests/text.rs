//! The text form: file tests of printing and reading, and coverage of the files.

mod common;

use std::collections::BTreeSet;

use common::{files, parse};
use duet_filetest::{TestFile, notes};
use duet_ir::{
    AnnotationKind, ArrayOrigin, AssertKind, AtomicOp, BarrierScope, BinaryOp, CastOp, ExchangeOp,
    FenceScope, FloatCc, GeometryKind, GhostKind, InstData, IntCc, Language, MemoryScope, Module,
    Reduction, Space, UnaryOp, check_well_formed,
};

/// A file says what the printer says, reads back to the same module, and is
/// well-formed.
#[test]
fn round_trip() {
    duet_filetest::run(files("round_trip"), "duet", |file| {
        let module = parse(&file.text)?;
        let text = module.to_string();
        if parse(&text)? != module {
            return Err("the printed text reads back to another module".to_string());
        }
        check_well_formed(module).map_err(|errors| format!("{errors:#?}"))?;
        Ok(format!("{}{text}", file.leading_comments(";")))
    });
}

/// Errors are on the offending line, with their column.
#[test]
fn parse_errors() {
    duet_filetest::run(files("parse_errors"), "duet", |file| {
        let text = notes::strip(&file.text, "; error:");
        let errors = Module::parse(&text).err().ok_or("the text has no error")?;
        let messages: Vec<(u32, String)> = errors
            .into_iter()
            .map(|error| (error.line, format!("{}: {}", error.column, error.message)))
            .collect();
        Ok(notes::add(&text, "; error:", &messages))
    });
}

/// The example of the documentation is what the printer prints.
#[test]
fn documented_example() {
    let page = include_str!("../../../docs/ir-text.md");
    let (_, rest) = page.split_once("```duet\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    let module = parse(example).unwrap();
    assert_eq!(module.to_string(), example);
    check_well_formed(module).unwrap();
}

/// The name of an instruction's kind. A new kind does not compile here until it
/// is named, and then has to be added to [`KINDS`] and to the files.
fn kind(data: &InstData) -> &'static str {
    match data {
        InstData::Binary { .. } => "binary",
        InstData::Unary { .. } => "unary",
        InstData::Cast { .. } => "cast",
        InstData::IntCompare { .. } => "int compare",
        InstData::FloatCompare { .. } => "float compare",
        InstData::Select { .. } => "select",
        InstData::Pure { .. } => "pure",
        InstData::Fresh { .. } => "fresh",
        InstData::Geometry(_) => "geometry",
        InstData::PtrToInt { .. } => "ptr to int",
        InstData::IntToPtr { .. } => "int to ptr",
        InstData::Load { .. } => "load",
        InstData::Store { .. } => "store",
        InstData::Atomic { .. } => "atomic",
        InstData::Barrier { .. } => "barrier",
        InstData::BarrierReduce { .. } => "barrier reduce",
        InstData::Fence { .. } => "fence",
        InstData::Exchange { .. } => "exchange",
        InstData::AsyncCopy { .. } => "async copy",
        InstData::WaitEvents { .. } => "wait events",
        InstData::Assert { .. } => "assert",
        InstData::Annotation { .. } => "annotation",
        InstData::Ghost { .. } => "ghost",
        InstData::Call { .. } => "call",
        InstData::CallUnknown { .. } => "call unknown",
    }
}

/// How many kinds of instructions there are.
const KINDS: usize = 25;

/// Every word of the text form, by the table that it comes from.
fn all_words() -> Vec<String> {
    let mut words = Vec::new();
    let mut add = |prefix: &str, names: Vec<&str>| {
        words.extend(names.into_iter().map(|name| format!("{prefix}{name}")));
    };
    add("= ", BinaryOp::ALL.iter().map(|op| op.name()).collect());
    add("= ", UnaryOp::ALL.iter().map(|op| op.name()).collect());
    add("= ", CastOp::ALL.iter().map(|op| op.name()).collect());
    add("icmp ", IntCc::ALL.iter().map(|cc| cc.name()).collect());
    add("fcmp ", FloatCc::ALL.iter().map(|cc| cc.name()).collect());
    add("= ", GeometryKind::ALL.iter().map(|kind| kind.name()).collect());
    add("atomic ", AtomicOp::ALL.iter().map(|op| op.name()).collect());
    add("", MemoryScope::ALL.iter().map(|scope| scope.name()).collect());
    add("barrier ", BarrierScope::ALL.iter().map(|scope| scope.name()).collect());
    add("fence ", FenceScope::ALL.iter().map(|scope| scope.name()).collect());
    add("barrier_reduce ", Reduction::ALL.iter().map(|op| op.name()).collect());
    add("exchange ", ExchangeOp::ALL.iter().map(|op| op.name()).collect());
    add("assert ", AssertKind::ALL.iter().map(|kind| kind.name()).collect());
    add("annotation ", AnnotationKind::ALL.iter().map(|kind| kind.name()).collect());
    add("ghost ", GhostKind::ALL.iter().map(|kind| kind.name()).collect());
    add("module ", Language::ALL.iter().map(|language| language.name()).collect());
    add(" ", Space::ALL.iter().map(|space| space.name()).collect());
    add(" ", ArrayOrigin::ALL.iter().map(|origin| origin.name()).collect());
    words
}

#[test]
fn files_cover_every_instruction_and_word() {
    let files: Vec<TestFile> = duet_filetest::find_files(&files("round_trip"), "duet");
    let text: String = files.iter().map(|file| file.text.as_str()).collect();
    let missing: Vec<String> =
        all_words().into_iter().filter(|word| !has_word(&text, word)).collect();
    assert!(missing.is_empty(), "not in any round-trip file: {missing:?}");

    let mut kinds = BTreeSet::new();
    for file in &files {
        let module = parse(&file.text).unwrap();
        kinds.extend(module.functions.values().flat_map(|f| f.insts.values()).map(kind));
    }
    assert_eq!(kinds.len(), KINDS, "kinds in the files: {kinds:?}");
}

/// Does the text have `word`, followed by a blank, a dot or the end of a line?
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| text[at + word.len()..].starts_with([' ', '.', '\n']))
}
