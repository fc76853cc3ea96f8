//! Prints operands, instructions and terminators.

use std::fmt::{self, Write};

use super::operands::{write_float, write_int};
use super::print::{FunctionPrinter, write_array_name, write_loc_suffix, write_quoted};
use crate::{
    Access, Array, Block, Cause, Const, Edge, FenceSpaces, Func, Geometry, Inst, InstData,
    MemoryOrder, Terminator, Type, Value, ValueDef,
};

impl FunctionPrinter<'_, '_, '_> {
    /// A value: its id, or the constant it is, with its type where that is not
    /// the expected one.
    pub fn operand(&mut self, value: Value, expected: Option<Type>) -> fmt::Result {
        match self.func.values.get(value) {
            Some(&ValueDef::Const(constant)) => {
                self.constant(constant, self.type_of(value), expected)
            }
            _ => write!(self.f, "{value}"),
        }
    }

    fn constant(&mut self, constant: Const, ty: Type, expected: Option<Type>) -> fmt::Result {
        let bare = match (constant, ty) {
            (Const::Bits(0), Type::BOOL) => return self.f.write_str("false"),
            (Const::Bits(1), Type::BOOL) => return self.f.write_str("true"),
            (Const::Bits(_), _) => expected == Some(ty),
            (Const::Array(_) | Const::Null, _) => ty == Type::Ref,
        };
        if !bare {
            write!(self.f, "{ty} ")?;
        }
        match (constant, ty) {
            (Const::Null, _) => self.f.write_str("null"),
            (Const::Array(array), _) => self.array(array),
            (Const::Bits(bits), Type::Float(float)) => write_float(self.f, bits, float),
            (Const::Bits(bits), _) => write_int(self.f, bits, ty.bits().unwrap_or(0)),
        }
    }

    /// `@name`
    pub fn array(&mut self, array: Array) -> fmt::Result {
        match self.module.arrays.get(array) {
            Some(data) => write_array_name(self.f, &data.name),
            None => write!(self.f, "@{array}"),
        }
    }

    /// `a, b`, of an expected type.
    fn operands(&mut self, values: &[Value], expected: Type) -> fmt::Result {
        self.comma_list(values, |printer, value| printer.operand(*value, Some(expected)))
    }

    /// `(a, b)`, constants with their types.
    fn args(&mut self, values: &[Value]) -> fmt::Result {
        self.f.write_char('(')?;
        self.comma_list(values, |printer, value| printer.operand(*value, None))?;
        self.f.write_char(')')
    }

    /// An instruction with its results and location.
    pub fn inst(&mut self, inst: Inst) -> fmt::Result {
        let results = &self.func.results_of[inst];
        if !results.is_empty() {
            self.comma_list(results, |printer, value| printer.definition(*value))?;
            self.f.write_str(" = ")?;
        }
        match self.func.insts.get(inst) {
            Some(data) => self.inst_data(inst, data)?,
            None => write!(self.f, "{inst}")?,
        }
        if self.func.into_signed[inst] {
            self.f.write_str(" into_signed")?;
        }
        write_loc_suffix(self.f, self.func.inst_locs[inst])
    }

    /// The type of the first result, or that of `value` if there is none.
    fn result_type(&self, inst: Inst, value: Value) -> Type {
        self.type_of(self.func.results_of[inst].first().copied().unwrap_or(value))
    }

    fn inst_data(&mut self, inst: Inst, data: &InstData) -> fmt::Result {
        let pointer = self.module.pointer_type();
        match data {
            InstData::Binary { op, nsw, args } => {
                let ty = self.result_type(inst, args[0]);
                write!(self.f, "{op} {}{ty} ", if *nsw { "nsw " } else { "" })?;
                self.operands(args, ty)
            }
            InstData::Unary { op, arg } => {
                let ty = self.result_type(inst, *arg);
                write!(self.f, "{op} {ty}")?;
                self.after_space(Some(*arg), ty)
            }
            InstData::Cast { op, arg, to } => {
                write!(self.f, "{op} ")?;
                self.operand(*arg, None)?;
                write!(self.f, " to {to}")
            }
            InstData::IntCompare { cc, args } => self.compare("icmp", cc, args),
            InstData::FloatCompare { cc, args } => self.compare("fcmp", cc, args),
            InstData::Select { cond, args } => self.select(inst, *cond, args),
            InstData::Pure { name, args, ty } => {
                write!(self.f, "pure {ty} ")?;
                self.named_call(name, args)
            }
            InstData::Fresh { cause, ty } => {
                write!(self.f, "fresh {ty} ")?;
                let (kind, words) = match cause {
                    Cause::Open(words) => ("", words),
                    Cause::Allocated => return self.f.write_str("allocated"),
                    Cause::UnknownFunction(name) => ("unknown_function ", name),
                    Cause::AssumedFunction(name) => ("assumed_function ", name),
                    Cause::BeyondTable(name) => ("beyond_table ", name),
                };
                self.f.write_str(kind)?;
                write_quoted(self.f, words)
            }
            InstData::Geometry(Geometry { kind, dim }) => write!(self.f, "{kind}.{dim}"),
            InstData::PtrToInt { reference, offset } => {
                self.f.write_str("ptr_to_int ")?;
                self.operand(*reference, Some(Type::Ref))?;
                self.f.write_char(',')?;
                self.after_space(Some(*offset), pointer)
            }
            InstData::IntToPtr { arg } => {
                self.f.write_str("int_to_ptr")?;
                self.after_space(Some(*arg), pointer)
            }
            InstData::Load { access, ty, lanes } => {
                write!(self.f, "load {ty} ")?;
                if *lanes != 1 {
                    write!(self.f, "x {lanes} ")?;
                }
                self.access(access, &[], *ty)
            }
            InstData::Store { access, values } => {
                let ty = values.first().map_or(Type::I8, |&value| self.type_of(value));
                write!(self.f, "store {ty} ")?;
                self.access(access, values, ty)
            }
            InstData::Atomic { op, scope, order, access, args, ty } => {
                write!(self.f, "atomic {op} {scope} ")?;
                if *order != MemoryOrder::Relaxed {
                    write!(self.f, "{order} ")?;
                }
                write!(self.f, "{ty} ")?;
                self.access(access, args, *ty)
            }
            InstData::AsyncCopy { dst, src, element, count, dst_stride, src_stride, event } => {
                self.async_copy([dst, src], *element, *count, [*dst_stride, *src_stride], *event)
            }
            InstData::Barrier { scope, arg } => {
                write!(self.f, "barrier {scope}")?;
                self.after_space(*arg, Type::I32)
            }
            InstData::BarrierReduce { op, arg } => {
                write!(self.f, "barrier_reduce {op}")?;
                self.after_space(Some(*arg), Type::I32)
            }
            InstData::Fence { scope, order, spaces } => {
                write!(self.f, "fence {scope}")?;
                if *order != MemoryOrder::AcquireRelease {
                    write!(self.f, " {order}")?;
                }
                match spaces {
                    FenceSpaces::All => Ok(()),
                    FenceSpaces::Shared | FenceSpaces::Global => write!(self.f, " {spaces}"),
                }
            }
            InstData::Exchange { op, mask, args, ty } => {
                write!(self.f, "exchange {op} {ty} ")?;
                self.args(args)?;
                self.f.write_str(if mask.is_some() { " mask" } else { "" })?;
                self.after_space(*mask, Type::I32)
            }
            InstData::WaitEvents { events } => {
                self.f.write_str("wait_events ")?;
                self.args(events)
            }
            InstData::Assert { kind, cond } => {
                write!(self.f, "assert {kind}")?;
                self.after_space(Some(*cond), Type::BOOL)
            }
            InstData::Annotation { kind, args } => {
                write!(self.f, "annotation {kind} ")?;
                self.args(args)
            }
            InstData::Ghost { kind, args, ty } => {
                write!(self.f, "ghost {kind} {ty} ")?;
                self.args(args)
            }
            InstData::Call { callee, args } => self.call(inst, *callee, args),
            InstData::CallUnknown { name, args, results } => {
                self.f.write_str("call_unknown ")?;
                self.types(results)?;
                self.named_call(name, args)
            }
        }
    }

    /// `icmp ult i32 a, b`
    fn compare(&mut self, word: &str, cc: &dyn fmt::Display, args: &[Value; 2]) -> fmt::Result {
        let ty = self.type_of(args[0]);
        write!(self.f, "{word} {cc} {ty} ")?;
        self.operands(args, ty)
    }

    /// `"name"(args)`
    fn named_call(&mut self, name: &str, args: &[Value]) -> fmt::Result {
        write_quoted(self.f, name)?;
        self.args(args)
    }

    /// `select i32 v0, v1, v2`
    fn select(&mut self, inst: Inst, cond: Value, args: &[Value; 2]) -> fmt::Result {
        let ty = self.result_type(inst, args[0]);
        write!(self.f, "select {ty} ")?;
        self.operand(cond, Some(Type::BOOL))?;
        self.f.write_str(", ")?;
        self.operands(args, ty)
    }

    /// `async_copy @a[v0] align 4, @b[v1] align 4, element 4, count v2, strides 1, 1, event 0`
    fn async_copy(
        &mut self,
        [dst, src]: [&Access; 2],
        element: u32,
        count: Value,
        strides: [Value; 2],
        event: Value,
    ) -> fmt::Result {
        let pointer = self.module.pointer_type();
        self.f.write_str("async_copy ")?;
        self.access(dst, &[], pointer)?;
        self.f.write_str(", ")?;
        self.access(src, &[], pointer)?;
        write!(self.f, ", element {element}, count ")?;
        self.operand(count, Some(pointer))?;
        self.f.write_str(", strides ")?;
        self.operands(&strides, pointer)?;
        self.f.write_str(", event ")?;
        self.operand(event, Some(Type::I32))
    }

    /// `@a[v3], v1 align 4 volatile ghost cached`
    fn access(&mut self, access: &Access, values: &[Value], ty: Type) -> fmt::Result {
        self.array(access.array)?;
        self.f.write_char('[')?;
        self.operand(access.offset, Some(self.module.pointer_type()))?;
        self.f.write_char(']')?;
        for &value in values {
            self.f.write_str(", ")?;
            self.operand(value, Some(ty))?;
        }
        write!(self.f, " align {}", access.align)?;
        self.f.write_str(if access.volatile { " volatile" } else { "" })?;
        self.f.write_str(if access.ghost { " ghost" } else { "" })?;
        self.f.write_str(if access.cached { " cached" } else { "" })
    }

    /// ` v1`, or nothing.
    fn after_space(&mut self, value: Option<Value>, expected: Type) -> fmt::Result {
        match value {
            Some(value) => {
                self.f.write_char(' ')?;
                self.operand(value, Some(expected))
            }
            None => Ok(()),
        }
    }

    /// `f32, i32 `, or nothing.
    fn types(&mut self, types: &[Type]) -> fmt::Result {
        self.comma_list(types, |printer, ty| write!(printer.f, "{ty}"))?;
        self.f.write_str(if types.is_empty() { "" } else { " " })
    }

    /// `call f32 "symbol"(args)`, with the types that the results have.
    fn call(&mut self, inst: Inst, callee: Func, args: &[Value]) -> fmt::Result {
        self.f.write_str("call ")?;
        let results = &self.func.results_of[inst];
        let types: Vec<Type> = results.iter().map(|&value| self.type_of(value)).collect();
        self.types(&types)?;
        match self.module.functions.get(callee) {
            Some(function) => self.named_call(&function.symbol, args),
            None => self.named_call(&callee.to_string(), args),
        }
    }

    /// The end of a block with its location.
    pub fn terminator(&mut self, block: Block) -> fmt::Result {
        let Some(data) = self.func.blocks.get(block) else { return Ok(()) };
        match &data.terminator {
            Terminator::Jump(edge) => {
                self.f.write_str("jump ")?;
                self.edge(edge)?;
            }
            Terminator::Branch { cond, then, otherwise } => {
                self.f.write_str("br ")?;
                self.operand(*cond, Some(Type::BOOL))?;
                self.f.write_str(", ")?;
                self.edge(then)?;
                self.f.write_str(", ")?;
                self.edge(otherwise)?;
            }
            Terminator::Switch { arg, cases, default } => self.switch(*arg, cases, default)?,
            Terminator::Return(values) => self.return_values(values)?,
            Terminator::Halt => self.f.write_str("halt")?,
        }
        write_loc_suffix(self.f, data.loc)
    }

    /// `bb1(v1, i32 0)` or `bb2`.
    fn edge(&mut self, edge: &Edge) -> fmt::Result {
        write!(self.f, "{}", edge.block)?;
        if edge.args.is_empty() { Ok(()) } else { self.args(&edge.args) }
    }

    fn switch(&mut self, arg: Value, cases: &[(u128, Edge)], default: &Edge) -> fmt::Result {
        let ty = self.type_of(arg);
        write!(self.f, "switch {ty} ")?;
        self.operand(arg, Some(ty))?;
        self.f.write_str(" [")?;
        self.comma_list(cases, |printer, (number, edge)| {
            write_int(printer.f, *number, ty.bits().unwrap_or(0))?;
            printer.f.write_str(": ")?;
            printer.edge(edge)
        })?;
        self.f.write_str("], default ")?;
        self.edge(default)
    }

    fn return_values(&mut self, values: &[Value]) -> fmt::Result {
        self.f.write_str("return")?;
        for (n, &value) in values.iter().enumerate() {
            self.f.write_str(if n == 0 { " " } else { ", " })?;
            self.operand(value, self.func.results.get(n).copied())?;
        }
        Ok(())
    }
}
