//! The text form of a pair program (`duet emit --stage=pairs`).

use std::fmt::{self, Write as _};

use duet_ir::{Function, Inst, InstData, Type};

use crate::masks::Lanes;
use crate::program::{Interval, Mates, PairProgram, Row, Scope, Start};
use crate::region::{End, NodeData, Region, Successor};

impl PairProgram {
    /// The text form.
    pub fn to_text(&self, func: &Function) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let _ = writeln!(text, "row {}:", row.name());
            for of_pair in &row.masks {
                let holds = if of_pair.holds_both { "both" } else { "not both" };
                let _ = match of_pair.lanes {
                    Lanes::Listed(mask) => writeln!(text, " lanes {holds} in {mask:#010x}"),
                    Lanes::Tile(size) => writeln!(text, " lanes {holds} in a tile of {size}"),
                };
            }
            for family in &row.families {
                let kinds = [
                    (family.aligned, "alignment"),
                    (family.shared, "shared memory"),
                    (family.global, "global memory"),
                    (family.images, "images"),
                ];
                let kinds: Vec<&str> =
                    kinds.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
                let _ = writeln!(text, " for {}:", kinds.join(", "));
                for interval in &family.intervals {
                    write_interval(&mut text, func, interval);
                }
            }
        }
        let _ = writeln!(text, "alone:");
        write_region(&mut text, &self.alone);
        text
    }
}

impl Row {
    fn name(&self) -> String {
        match (self.scope, self.mates) {
            (Scope::Block, Mates::Any) => "block or warp".to_string(),
            (_, Mates::SameWarp) => "warp".to_string(),
            (scope, Mates::Any | Mates::OtherWarps) => scope.to_string(),
            (_, Mates::LockStep(size)) => format!("warp of {size} in lock step"),
            (scope, Mates::OtherLockStepWarps(_)) => scope.to_string(),
        }
    }
}

fn write_interval(text: &mut String, func: &Function, interval: &Interval) {
    let start = match interval.start {
        Start::Entry => "the entry".to_string(),
        Start::Barrier(inst) => format!("barrier {inst}"),
    };
    let _ = writeln!(text, "  interval from {start}:");
    if let Some(prefix) = &interval.prefix {
        let _ = writeln!(text, "   reached by:");
        write_region(text, &prefix.region);
    }
    write_region(text, &interval.region);
    for &node in &interval.region.order {
        let data = &interval.region.nodes[node];
        for &inst in &func.blocks[data.block].insts[data.first..data.end] {
            for (_, access) in func.insts[inst].accesses() {
                let what = touch(func, inst);
                let (array, offset) = (access.array, access.offset);
                let _ = writeln!(text, "    site {node} {inst} {what} {array}[{offset}]");
            }
        }
    }
}

/// What an access does, and to how many bytes.
fn touch(func: &Function, inst: Inst) -> String {
    let bytes = |ty: Type, count: u32| ty.bytes().map_or(0, |bytes| bytes * count);
    match &func.insts[inst] {
        InstData::Load { ty, lanes, .. } => format!("reads {} bytes at", bytes(*ty, *lanes)),
        InstData::Store { values, .. } => {
            let ty = func.type_of(values[0]);
            format!("writes {} bytes at", bytes(ty, values.len() as u32))
        }
        InstData::Atomic { op, ty, .. } => format!("{op} on {} bytes at", bytes(*ty, 1)),
        InstData::AsyncCopy { .. } => "copies at".to_string(),
        InstData::Binary { .. }
        | InstData::Unary { .. }
        | InstData::Cast { .. }
        | InstData::IntCompare { .. }
        | InstData::FloatCompare { .. }
        | InstData::Select { .. }
        | InstData::Pure { .. }
        | InstData::Fresh { .. }
        | InstData::Geometry(_)
        | InstData::PtrToInt { .. }
        | InstData::IntToPtr { .. }
        | InstData::Barrier { .. }
        | InstData::BarrierReduce { .. }
        | InstData::Fence { .. }
        | InstData::Exchange { .. }
        | InstData::WaitEvents { .. }
        | InstData::Assert { .. }
        | InstData::Annotation { .. }
        | InstData::Ghost { .. }
        | InstData::Call { .. }
        | InstData::CallUnknown { .. } => "does not access".to_string(),
    }
}

fn write_region(text: &mut String, region: &Region) {
    for &node in &region.order {
        let _ = writeln!(text, "    {node}: {}", region.nodes[node]);
    }
}

impl fmt::Display for NodeData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.block, self.context)?;
        if self.first > 0 {
            write!(f, " from {}", self.first)?;
        }
        if let Some(id) = self.cut {
            write!(f, " cut {id}")?;
        }
        for successor in &self.successors {
            match successor {
                Successor::Node(node) => write!(f, " -> {node}")?,
                Successor::Cut(node) => write!(f, " -> cut {node}")?,
                Successor::Outside => write!(f, " -> outside")?,
            }
        }
        match self.finish {
            Some(End::Barrier(inst)) => write!(f, " ends at {inst}"),
            Some(End::Return) => write!(f, " returns"),
            Some(End::Halt) => write!(f, " halts"),
            None => Ok(()),
        }
    }
}
