//! `check_well_formed`: file tests with the errors on the offending lines, and
//! modules that no text can say.

mod common;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use common::{files, parse};
use duet_filetest::notes;
use duet_ir::{
    Array, Block, Const, Edge, EntityRef, Func, Function, FunctionBuilder, FunctionKind, Inst,
    InstData, IntCc, Language, Module, Place, Terminator, Type, Value, ValueDef, WellFormedRule,
    check_well_formed, well_formed_errors,
};

const MARKER: &str = "; error:";

#[test]
fn errors_are_on_the_offending_lines() {
    duet_filetest::run(files("well_formed"), "duet", |file| {
        let text = notes::strip(&file.text, MARKER);
        let (module, lines) =
            Module::parse_with_lines(&text).map_err(|errors| format!("{errors:#?}"))?;
        let printed = module.to_string();
        if parse(&printed)?.to_string() != printed {
            return Err("the printed text prints differently when read back".to_string());
        }
        let messages: Vec<(u32, String)> = well_formed_errors(&module)
            .into_iter()
            .map(|error| (lines.line_of(error.place), error.to_string()))
            .collect();
        Ok(notes::add(&text, MARKER, &messages))
    });
}

/// Rules that a text cannot break, because reading it already fails; the tests
/// below break them by hand.
const BY_HAND: [WellFormedRule; 3] =
    [WellFormedRule::UniqueArrayName, WellFormedRule::Definition, WellFormedRule::IdExists];

#[test]
fn files_cover_every_rule() {
    let files = duet_filetest::find_files(&files("well_formed"), "duet");
    let text: String = files.into_iter().map(|file| file.text).collect();
    let noted = |rule: &&WellFormedRule| {
        text.contains(&format!("{MARKER} {rule}: ")) || text.contains(&format!(" | {rule}: "))
    };
    let covered: BTreeSet<WellFormedRule> =
        WellFormedRule::ALL.iter().filter(noted).chain(&BY_HAND).copied().collect();
    let missing: Vec<&WellFormedRule> =
        WellFormedRule::ALL.iter().filter(|rule| !covered.contains(rule)).collect();
    assert!(missing.is_empty(), "no file breaks {missing:?}");
}

/// A kernel to break: `v0`, `v1 = add i32 v0, 5` in bb0, a jump to bb1 with `v1`.
fn sample() -> Module {
    parse(
        "module cuda 64
         array @a global param granule 4
         array @b global param granule 4
         device callee symbol callee () {
         bb0:
           return
         }
         kernel k symbol k (n: i32 v0, a: @a) {
         bb0:
           v1 = add i32 v0, 5
           store i32 @a[0], v1 align 4
           call \"callee\"()
           jump bb1(v1)
         bb1(i32 v2):
           return
         }",
    )
    .unwrap()
}

/// Breaks the sample and expects just these rules to be broken.
fn check_broken(break_it: impl FnOnce(&mut Module, Func), expected: &[WellFormedRule]) {
    let mut module = sample();
    assert_eq!(well_formed_errors(&module), []);
    break_it(&mut module, Func::new(1));
    // An ill-formed module must still print, or nobody could look at it.
    let text = module.to_string();
    let errors = well_formed_errors(&module);
    let rules: BTreeSet<WellFormedRule> = errors.iter().map(|error| error.rule).collect();
    assert_eq!(rules, expected.iter().copied().collect(), "{errors:#?}\n{text}");
    for error in &errors {
        assert!(!error.describe(&module).is_empty());
    }
    assert_eq!(check_well_formed(module).unwrap_err(), errors);
}

fn check_broken_kernel(break_it: impl FnOnce(&mut Function), expected: &[WellFormedRule]) {
    check_broken(|module, kernel| break_it(&mut module.functions[kernel]), expected);
}

const GONE: usize = 1000;

#[test]
fn array_names_are_unique() {
    check_broken(
        |module, _| module.arrays[Array::new(1)].name = "a".to_string(),
        &[WellFormedRule::UniqueArrayName],
    );
}

#[test]
fn operands_exist() {
    let gone = Value::new(GONE);
    check_broken_kernel(
        |func| func.insts[Inst::new(0)].visit_values_mut(|value| *value = gone),
        &[WellFormedRule::IdExists],
    );
    check_broken_kernel(
        |func| func.blocks[Block::new(0)].terminator.visit_values_mut(|value| *value = gone),
        &[WellFormedRule::IdExists],
    );
}

#[test]
fn arrays_exist() {
    check_broken_kernel(
        |func| {
            if let InstData::Store { access, .. } = &mut func.insts[Inst::new(1)] {
                access.array = Array::new(GONE);
            }
        },
        &[WellFormedRule::IdExists],
    );
    check_broken_kernel(
        |func| func.params[1].kind = duet_ir::ParamKind::Array(Array::new(GONE)),
        &[WellFormedRule::IdExists],
    );
    check_broken_kernel(
        |func| {
            let value = func.constant(Const::Array(Array::new(GONE)), Type::Ref);
            let terminator = Terminator::Return(vec![value]);
            func.blocks[Block::new(1)].terminator = terminator;
        },
        &[WellFormedRule::IdExists, WellFormedRule::Constant, WellFormedRule::ReturnValue],
    );
}

#[test]
fn callees_exist() {
    check_broken_kernel(
        |func| {
            if let InstData::Call { callee, .. } = &mut func.insts[Inst::new(2)] {
                *callee = Func::new(GONE);
            }
        },
        &[WellFormedRule::IdExists],
    );
}

#[test]
fn blocks_and_instructions_exist_and_occur_once() {
    check_broken_kernel(|func| func.layout.push(Block::new(GONE)), &[WellFormedRule::IdExists]);
    check_broken_kernel(|func| func.layout.push(Block::new(1)), &[WellFormedRule::Layout]);
    check_broken_kernel(
        |func| func.blocks[Block::new(0)].insts.push(Inst::new(GONE)),
        &[WellFormedRule::IdExists],
    );
    check_broken_kernel(
        |func| func.blocks[Block::new(1)].insts.push(Inst::new(0)),
        &[WellFormedRule::Layout],
    );
    check_broken_kernel(|func| func.layout.truncate(1), &[WellFormedRule::IdExists]);
}

#[test]
fn values_are_defined_once_where_the_table_says() {
    let v1 = Value::new(1);
    check_broken_kernel(
        |func| func.values[v1] = ValueDef::Result(Inst::new(0), 7),
        &[WellFormedRule::Definition],
    );
    check_broken_kernel(
        |func| func.results_of[Inst::new(1)] = vec![v1],
        &[WellFormedRule::Definition, WellFormedRule::ResultType],
    );
    check_broken_kernel(
        |func| func.blocks[Block::new(1)].params[0] = Value::new(GONE),
        &[WellFormedRule::IdExists],
    );
    check_broken_kernel(
        |func| {
            func.types.push(Type::I32);
        },
        &[WellFormedRule::Definition],
    );
}

#[test]
fn results_follow_from_the_instruction() {
    check_broken_kernel(
        |func| func.types[Value::new(1)] = Type::I64,
        &[WellFormedRule::ResultType, WellFormedRule::EdgeArguments],
    );
    check_broken_kernel(
        |func| func.results_of[Inst::new(0)].clear(),
        &[WellFormedRule::ResultType, WellFormedRule::IdExists],
    );
}

#[test]
fn a_value_of_a_dropped_instruction_is_not_defined() {
    check_broken_kernel(
        |func| {
            func.blocks[Block::new(0)].insts.remove(0);
        },
        &[WellFormedRule::IdExists],
    );
}

#[test]
fn the_proof_gives_the_module_back() {
    let module = sample();
    let proof = check_well_formed(module.clone()).unwrap();
    assert_eq!(proof.kernels().count(), 1);
    assert_eq!(proof.into_inner(), module);
}

#[test]
fn an_error_names_its_place_in_the_text_form() {
    let module = parse(
        "module cuda 64
         kernel k symbol k (n: i32 v0) {
         bb0:
           v1 = add i32 v0, i64 5
           return i32 1
         }",
    )
    .unwrap();
    let messages: Vec<String> =
        well_formed_errors(&module).iter().map(|error| error.describe(&module)).collect();
    assert_eq!(
        messages,
        [
            "function `k`, `v1 = add i32 v0, i64 5`: operand-type: `i64 5` is i64, expected i32",
            "function `k`, `return i32 1`: return-value: the function has 0 results, `return` 1 \
             values",
        ]
    );
    assert_eq!(well_formed_errors(&module)[1].place.function(), Some(Func::new(0)));
    assert_eq!(Place::Module.describe(&module), "module");
}

/// `diamonds` diamonds in a row, each under a common back edge to the first.
fn ladder(diamonds: usize) -> Module {
    let mut module = Module::new(Language::Cuda, 64);
    let kind = FunctionKind::Kernel { required_block: None, max_threads: None };
    let mut builder = FunctionBuilder::new(&mut module, Function::new("k", "k", kind));
    let entry = builder.make_block();
    builder.switch_to(entry);
    let number = builder.value(InstData::Fresh { cause: "n".into(), ty: Type::I32 });
    let zero = builder.int(0, Type::I32);
    let cond = builder.compare(IntCc::Eq, number, zero);
    let heads: Vec<Block> = (0..=diamonds).map(|_| builder.make_block()).collect();
    builder.jump(heads[0], vec![]);
    for pair in heads.windows(2) {
        let (left, right) = (builder.make_block(), builder.make_block());
        builder.switch_to(pair[0]);
        builder.branch(cond, left, right);
        builder.switch_to(left);
        builder.jump(pair[1], vec![]);
        builder.switch_to(right);
        let edge = |block| Edge { block, args: vec![] };
        let terminator =
            Terminator::Branch { cond, then: edge(pair[1]), otherwise: edge(heads[0]) };
        builder.terminate(terminator);
    }
    builder.switch_to(heads[diamonds]);
    builder.terminate(Terminator::Return(vec![]));
    let func = builder.finish();
    module.functions.push(func);
    module
}

#[test]
fn large_functions_are_checked_quickly() {
    let module = ladder(5_000);
    assert!(module.functions[Func::new(0)].layout.len() > 15_000);
    let start = Instant::now();
    assert_eq!(well_formed_errors(&module), []);
    println!("checked in {:?}", start.elapsed());
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn a_rewrite_that_keeps_the_rules_is_accepted() {
    let module = check_well_formed(sample()).unwrap();
    let text = module.to_string().replace("granule 4", "granule 1");
    let bytes = module.rewrite(|module| {
        module.arrays.values_mut().for_each(|array| array.granule = 1);
    });
    assert_eq!(bytes.to_string(), text);
    assert_eq!(well_formed_errors(&bytes), []);
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "function `k`, `jump bb1(v1)`: id-exists: bb1 is not in the layout")]
fn a_rewrite_that_breaks_a_rule_panics() {
    let module = check_well_formed(sample()).unwrap();
    let _ = module.rewrite(|module| module.functions[Func::new(1)].layout.truncate(1));
}
