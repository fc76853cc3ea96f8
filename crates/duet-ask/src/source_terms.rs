//! Statements about loops in the words of the source: `i >= old(i)`, where `old` is
//! the value on entry to the loop.

use duet_analysis::Loop;
use duet_ir::{
    BinaryOp, Block, CastOp, Dim, GeometryKind, InstData, IntCc, Language, Operation, Terminator,
    Type, Value, ValueDef,
};
use duet_product::KernelFacts;
use duet_vc::Expr;

/// How deep definitions without a name are followed.
const DEPTH: u32 = 6;

/// A loop whose statements are to be written.
pub struct SourceTerms<'a> {
    facts: &'a KernelFacts<'a>,
    id: Loop,
    header: Block,
    params: &'a [Value],
}

impl<'a> SourceTerms<'a> {
    /// Of a loop.
    pub fn new(facts: &'a KernelFacts<'a>, id: Loop) -> SourceTerms<'a> {
        let header = facts.loops.data(id).header;
        SourceTerms { facts, id, header, params: &facts.func.blocks[header].params }
    }

    /// A statement.
    pub fn statement(&self, expr: &Expr) -> String {
        let text = match self.states(expr) {
            Some(text) => text,
            None => self.expr(expr),
        };
        strip(&text).to_string()
    }

    /// The test at the loop's head that keeps it going, if it has one there.
    pub fn guard(&self) -> Option<String> {
        let func = self.facts.func;
        let block = self.header;
        let Terminator::Branch { cond, then, otherwise } = &func.blocks[block].terminator else {
            return None;
        };
        let stays = |edge: &duet_ir::Edge| self.facts.loops.contains(self.id, edge.block);
        let text = strip(&self.value(*cond, DEPTH, &|_| None)).to_string();
        match (stays(then), stays(otherwise)) {
            (true, false) => Some(text),
            (false, true) => Some(format!("!({text})")),
            _ => None,
        }
    }

    /// `(size, stride) is one of (2, 1), (4, 2)`.
    fn states(&self, expr: &Expr) -> Option<String> {
        let Expr::Any(tuples) = expr else { return None };
        let mut names = String::new();
        let mut list = vec![];
        for tuple in tuples {
            let Expr::All(parts) = tuple else { return None };
            let mut sides = vec![];
            for part in parts {
                let Expr::Compare { cc: IntCc::Eq, args } = part else { return None };
                let [about, number @ Expr::Const { .. }] = &**args else { return None };
                sides.push((self.expr(about), self.expr(number)));
            }
            let (about, numbers): (Vec<String>, Vec<String>) = sides.into_iter().unzip();
            names = about.join(", ");
            list.push(format!("({})", numbers.join(", ")));
        }
        Some(format!("({names}) is one of {}", list.join(", ")))
    }

    fn expr(&self, expr: &Expr) -> String {
        self.with_params(expr, &|index| self.name(self.params[index], DEPTH))
    }

    fn with_params(&self, expr: &Expr, param: &dyn Fn(usize) -> String) -> String {
        let part = |part: &Expr| self.with_params(part, param);
        let list = |parts: &[Expr], word: &str| {
            let parts: Vec<String> = parts.iter().map(part).collect();
            format!("({})", parts.join(word))
        };
        match expr {
            Expr::Param(index) => param(*index),
            Expr::Initial(index) => format!("old({})", self.name(self.params[*index], DEPTH)),
            Expr::Value(value) => self.name(*value, DEPTH),
            Expr::Visits => "iterations so far".to_string(),
            Expr::Geometry(kind, dim) => self.geometry(*kind, *dim),
            Expr::Const { bits, ty } => number(*bits, *ty),
            Expr::Binary { op, args, .. } => {
                format!("({} {} {})", part(&args[0]), operator(*op), part(&args[1]))
            }
            Expr::Cast { op, arg, to, .. } => cast(*op, &part(arg), *to),
            Expr::Compare { cc, args } => compare(*cc, &part(&args[0]), &part(&args[1])),
            Expr::All(parts) => list(parts, " && "),
            Expr::Any(parts) => list(parts, " || "),
            Expr::Not(arg) => format!("!{}", part(arg)),
            Expr::AtMostOneBit(arg) => {
                let arg = part(arg);
                format!("(({arg} & ({arg} - 1)) == 0)")
            }
            Expr::InHeader { value, params } => {
                let given: Vec<String> = params.iter().map(part).collect();
                self.value(*value, DEPTH, &|value| {
                    let index = self.params.iter().position(|&param| param == value)?;
                    given.get(index).cloned()
                })
            }
        }
    }

    fn name(&self, value: Value, depth: u32) -> String {
        self.value(value, depth, &|_| None)
    }

    /// A value by its name, or by how it is computed.
    fn value(&self, value: Value, depth: u32, given: &dyn Fn(Value) -> Option<String>) -> String {
        let func = self.facts.func;
        if let Some(text) = given(value) {
            return text;
        }
        if let Some(bits) = func.const_bits(value) {
            return number(bits, func.type_of(value));
        }
        let computed = matches!(func.values[value], ValueDef::Result(..));
        match &func.names[value] {
            Some(name) if !(computed && depth == DEPTH) => return name.clone(),
            _ => {}
        }
        let text = match func.values[value] {
            ValueDef::Result(inst, _) if depth > 0 => {
                self.instruction(&func.insts[inst], depth - 1, given)
            }
            ValueDef::Result(..)
            | ValueDef::BlockParam(..)
            | ValueDef::FunctionParam(_)
            | ValueDef::Const(_) => None,
        };
        text.or_else(|| func.names[value].clone()).unwrap_or_else(|| value.to_string())
    }

    fn instruction(
        &self,
        data: &InstData,
        depth: u32,
        given: &dyn Fn(Value) -> Option<String>,
    ) -> Option<String> {
        let arg = |value: Value| self.value(value, depth, given);
        Some(match data.operation()? {
            Operation::Binary { op, args: [a, b], .. } => {
                format!("({} {} {})", arg(a), operator(op), arg(b))
            }
            Operation::IntCompare { cc, args: [a, b] } => compare(cc, &arg(a), &arg(b)),
            Operation::Cast { op, arg: from, to } => cast(op, &arg(from), to),
            Operation::Geometry(geometry) => self.geometry(geometry.kind, geometry.dim),
            Operation::Unary { .. } | Operation::FloatCompare { .. } | Operation::Select { .. } => {
                return None;
            }
        })
    }

    fn geometry(&self, kind: GeometryKind, dim: Dim) -> String {
        let (cuda, opencl) = match kind {
            GeometryKind::ThreadId => ("threadIdx", "get_local_id"),
            GeometryKind::BlockId => ("blockIdx", "get_group_id"),
            GeometryKind::BlockDim => ("blockDim", "get_local_size"),
            GeometryKind::GridDim => ("gridDim", "get_num_groups"),
            GeometryKind::GlobalOffset => return format!("get_global_offset({})", dim.index()),
            GeometryKind::WorkDim => return "get_work_dim()".to_string(),
        };
        match self.facts.module.language {
            Language::Cuda => format!("{cuda}.{dim}"),
            Language::OpenCl => format!("{opencl}({})", dim.index()),
        }
    }
}

/// Without the outermost parentheses.
fn strip(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0i32;
    for character in inner.chars() {
        depth += i32::from(character == '(') - i32::from(character == ')');
        if depth < 0 {
            return text;
        }
    }
    inner
}

/// Read with its sign.
fn number(bits: u128, ty: Type) -> String {
    match ty.bits() {
        Some(1) => if bits == 1 { "true" } else { "false" }.to_string(),
        Some(width) if width < 128 && bits >> (width - 1) == 1 => {
            format!("-{}", (1u128 << width) - bits)
        }
        _ => bits.to_string(),
    }
}

fn cast(op: CastOp, arg: &str, to: Type) -> String {
    match op {
        CastOp::SExt | CastOp::ZExt => arg.to_string(),
        CastOp::Trunc
        | CastOp::FToU
        | CastOp::FToS
        | CastOp::FToUSat
        | CastOp::FToSSat
        | CastOp::UToF
        | CastOp::SToF
        | CastOp::FTrunc
        | CastOp::FExt
        | CastOp::Bitcast => format!("({to}){arg}"),
    }
}

fn compare(cc: IntCc, a: &str, b: &str) -> String {
    let (sign, unsigned) = match cc {
        IntCc::Eq => ("==", false),
        IntCc::Ne => ("!=", false),
        IntCc::Slt => ("<", false),
        IntCc::Sle => ("<=", false),
        IntCc::Sgt => (">", false),
        IntCc::Sge => (">=", false),
        IntCc::Ult => ("<", true),
        IntCc::Ule => ("<=", true),
        IntCc::Ugt => (">", true),
        IntCc::Uge => (">=", true),
    };
    match unsigned {
        true => format!("((unsigned){a} {sign} (unsigned){b})"),
        false => format!("({a} {sign} {b})"),
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add | BinaryOp::FAdd => "+",
        BinaryOp::Sub | BinaryOp::FSub => "-",
        BinaryOp::Mul | BinaryOp::FMul => "*",
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::FDiv => "/",
        BinaryOp::URem | BinaryOp::SRem | BinaryOp::FRem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::LShr | BinaryOp::AShr => ">>",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
    }
}
