//! Random kernels on random graphs: no structure at all, often irreducible, often
//! endless. Every block has parameters; operands come from any block that
//! dominates, so values are used far from where they are defined.

use duet_analysis::Dominators;
use duet_ir::{
    BinaryOp, Block, Dim, Edge, Func, Function, FunctionBuilder, FunctionKind, Geometry,
    GeometryKind, IntCc, Language, Module, Param, ParamKind, Terminator, Type, Value, ValueDef,
    WellFormed, check_well_formed,
};

use super::Random;

/// Parameters of every block but the entry.
const PARAMS: usize = 2;

/// A function whose blocks have these successors and nothing in them: none is a
/// `return`, one a jump, several a switch.
pub fn skeleton(successors: &[Vec<usize>]) -> Function {
    let kind = FunctionKind::Kernel { required_block: None, max_threads: None };
    let mut func = Function::new("k", "k", kind);
    for name in ["n", "m"] {
        let number = func.params.len() as u32;
        let value = func.make_value(ValueDef::FunctionParam(number), Type::I32);
        func.params.push(Param { name: name.to_string(), kind: ParamKind::Scalar(value) });
    }
    let blocks: Vec<Block> = successors.iter().map(|_| func.make_block()).collect();
    let arg = func.int_constant(0, Type::I32);
    for (&block, targets) in blocks.iter().zip(successors) {
        let mut edges = targets.iter().map(|&n| Edge { block: blocks[n], args: vec![] });
        func.blocks[block].terminator = match edges.next_back() {
            None => Terminator::Return(vec![]),
            Some(only) if targets.len() == 1 => Terminator::Jump(only),
            Some(default) => {
                let cases = edges.enumerate().map(|(n, edge)| (n as u128, edge)).collect();
                Terminator::Switch { arg, cases, default }
            }
        };
    }
    func.layout = blocks;
    func
}

/// Successors of a few blocks; nothing leads to the first.
pub fn graph(random: &mut Random) -> Vec<Vec<usize>> {
    let count = 3 + random.below(7);
    let mut graph = vec![];
    for from in 0..count {
        let degree = random.pick(&[0, 1, 1, 2, 2, 2, 2, 3]);
        let degree = if from == 0 { degree.max(1) } else { degree };
        // Mostly forward, so that most graphs are reducible and end.
        let forward = |random: &mut Random| from + 1 + random.below(count - from - 1);
        let mut targets = vec![];
        for _ in 0..degree {
            let back = from + 1 >= count || random.chance(4);
            targets.push(if back { 1 + random.below(count - 1) } else { forward(random) });
        }
        graph.push(targets);
    }
    graph
}

/// A random kernel on a random graph.
pub fn kernel(random: &mut Random) -> (WellFormed, Func) {
    let successors = graph(random);
    let dominators = Dominators::new(&skeleton(&successors));
    let mut module = Module::new(Language::Cuda, 64);
    let mut func = skeleton(&successors);
    let scalars: Vec<Value> = func
        .params
        .iter()
        .map(|param| match param.kind {
            ParamKind::Scalar(value) => value,
            _ => unreachable!("only scalars are made above"),
        })
        .collect();
    let blocks = std::mem::take(&mut func.layout);
    let mut defined: Vec<Vec<Value>> = vec![];
    for (number, &block) in blocks.iter().enumerate() {
        let params = if number == 0 { 0 } else { PARAMS };
        defined.push((0..params).map(|_| func.add_block_param(block, Type::I32)).collect());
    }
    let mut builder = FunctionBuilder::new(&mut module, func);
    for (number, &block) in blocks.iter().enumerate() {
        builder.switch_to(block);
        for _ in 0..1 + random.below(3) {
            let visible = visible(&dominators, &blocks, &defined, number, &scalars);
            let value = operation(&mut builder, random, &visible);
            defined[number].push(value);
        }
    }
    for (number, &block) in blocks.iter().enumerate() {
        builder.switch_to(block);
        let visible = visible(&dominators, &blocks, &defined, number, &scalars);
        terminate(&mut builder, random, &visible, &blocks, &successors[number]);
    }
    let func = builder.finish();
    let id = module.functions.push(func);
    let text = module.to_string();
    let checked = check_well_formed(module);
    (checked.unwrap_or_else(|errors| panic!("{errors:?}\n{text}")), id)
}

/// What may be used at the end of what is there of a block.
fn visible(
    dominators: &Dominators,
    blocks: &[Block],
    defined: &[Vec<Value>],
    at: usize,
    scalars: &[Value],
) -> Vec<Value> {
    let mut values = scalars.to_vec();
    let reachable = dominators.is_reachable(blocks[at]);
    for (number, found) in defined.iter().enumerate() {
        let before = reachable && dominators.dominates(blocks[number], blocks[at]);
        if number == at || before {
            values.extend(found);
        }
    }
    values
}

fn operation(builder: &mut FunctionBuilder<'_>, random: &mut Random, visible: &[Value]) -> Value {
    use GeometryKind::{BlockId, ThreadId};
    if random.chance(5) {
        let kind = random.pick(&[ThreadId, ThreadId, BlockId]);
        return builder.geometry(Geometry { kind, dim: Dim::X });
    }
    let (a, b) = (random.pick(visible), random.pick(visible));
    let small = builder.int(random.pick(&[1, 2, 3, 5]), Type::I32);
    let op = random.pick(&[BinaryOp::Add, BinaryOp::Add, BinaryOp::Sub, BinaryOp::Xor]);
    builder.binary(op, a, if random.chance(2) { small } else { b })
}

fn terminate(
    builder: &mut FunctionBuilder<'_>,
    random: &mut Random,
    visible: &[Value],
    blocks: &[Block],
    targets: &[usize],
) {
    let mut edges: Vec<Edge> = targets
        .iter()
        .map(|&to| {
            let args = (0..PARAMS).map(|_| random.pick(visible)).collect();
            Edge { block: blocks[to], args }
        })
        .collect();
    let end = match edges.len() {
        0 if random.chance(5) => Terminator::Halt,
        0 => Terminator::Return(vec![]),
        1 => Terminator::Jump(edges.remove(0)),
        2 => {
            let limit = builder.int(random.below(6) as u128, Type::I32);
            let cc = random.pick(IntCc::ALL);
            let cond = builder.compare(cc, random.pick(visible), limit);
            let (otherwise, then) = (edges.remove(1), edges.remove(0));
            Terminator::Branch { cond, then, otherwise }
        }
        _ => {
            let default = edges.pop().expect("three edges");
            let cases = edges.into_iter().enumerate().map(|(n, edge)| (n as u128, edge)).collect();
            Terminator::Switch { arg: random.pick(visible), cases, default }
        }
    };
    builder.terminate(end);
}
