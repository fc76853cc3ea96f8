//! Relations in words: terms as the source would write them, and how much is known.

use duet_analysis::bits;
use duet_ir::{BinaryOp, CastOp, IntCc, Type};

use crate::relation::{Argument, Relation, Term, TermData};

/// How much is known about a part of a launch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// Numbers.
    Constant,
    /// Terms that share an unknown with other parts, or have a fact.
    Tied,
    /// Nothing that any other part of the launch is related to.
    Free,
}

/// How much is known about a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Classes {
    /// The block's sizes.
    pub block: Class,
    /// The grid's sizes.
    pub grid: Class,
    /// Pointers whose allocation is known, and all.
    pub pointers: (usize, usize),
    /// Are the arguments found at all?
    pub has_arguments: bool,
}

impl Relation {
    /// How much is known.
    pub fn classes(&self) -> Classes {
        let pointers: Vec<bool> = self
            .arguments
            .iter()
            .flatten()
            .flat_map(Argument::leaves)
            .filter_map(|argument| match argument {
                Argument::Pointer { base, .. } => Some(self.bases[*base].size.is_some()),
                Argument::Scalar(_) | Argument::Struct(_) | Argument::Opaque => None,
            })
            .collect();
        Classes {
            block: self.class(&self.block, &self.grid),
            grid: self.class(&self.grid, &self.block),
            pointers: (pointers.iter().filter(|known| **known).count(), pointers.len()),
            has_arguments: self.arguments.is_some(),
        }
    }

    fn class(&self, sizes: &[Term; 3], others: &[Term; 3]) -> Class {
        if sizes.iter().all(|&size| self.terms.bits(size).is_some()) {
            return Class::Constant;
        }
        let mut related = std::collections::BTreeSet::new();
        let mut add = |term: Term| related.extend(self.terms.unknowns_of(term));
        self.arguments.iter().flatten().flat_map(Argument::terms).for_each(&mut add);
        self.bases.iter().filter_map(|base| base.size).for_each(&mut add);
        others.iter().copied().for_each(&mut add);
        self.facts.iter().copied().for_each(&mut add);
        let is_tied = |&size: &Term| {
            let own = self.terms.unknowns_of(size);
            own.is_empty() || !own.is_disjoint(&related)
        };
        if sizes.iter().all(is_tied) { Class::Tied } else { Class::Free }
    }

    /// A term as the source would write it.
    pub fn show(&self, term: Term) -> String {
        self.show_at(term, 0)
    }

    /// Binding strength: 0 loosest.
    fn show_at(&self, term: Term, strength: u8) -> String {
        match self.terms.name(term) {
            Some(name) => name.to_string(),
            None => self.show_form(term, strength),
        }
    }

    /// The form of a term, whatever the source calls it.
    pub fn show_form(&self, term: Term, strength: u8) -> String {
        let (own, text) = match self.terms.data(term) {
            TermData::Const { bits, ty } => return show_constant(bits, ty),
            TermData::Unknown { unknown, .. } => {
                return self.unknowns[unknown.0 as usize].name.clone();
            }
            TermData::Binary { op, args: [a, b], .. } => {
                if let (BinaryOp::Xor, Type::BOOL) = (op, self.terms.ty(term)) {
                    return format!("!({})", self.show_at(a, 0));
                }
                let (own, sign) = operator(op, self.terms.ty(term) == Type::BOOL);
                (own, format!("{} {sign} {}", self.show_at(a, own), self.show_at(b, own + 1)))
            }
            TermData::Cast { op, arg, to } => match op {
                CastOp::SExt | CastOp::ZExt => return self.show_at(arg, strength),
                CastOp::Trunc
                | CastOp::FToU
                | CastOp::FToS
                | CastOp::FToUSat
                | CastOp::FToSSat
                | CastOp::UToF
                | CastOp::SToF
                | CastOp::FTrunc
                | CastOp::FExt
                | CastOp::Bitcast => return format!("({to}){}", self.show_at(arg, 20)),
            },
            TermData::Compare { cc, args: [a, b] } => {
                (4, format!("{} {} {}", self.show_at(a, 5), comparison(cc), self.show_at(b, 5)))
            }
            TermData::Select { cond, args: [a, b] } => (
                1,
                format!(
                    "{} ? {} : {}",
                    self.show_at(cond, 2),
                    self.show_at(a, 2),
                    self.show_at(b, 1)
                ),
            ),
        };
        if own < strength { format!("({text})") } else { text }
    }

    /// The sizes as `<<<grid, block>>>` shows them; 1 at the end is left out.
    pub fn show_launch(&self) -> String {
        if let Some(items) = &self.items {
            return items.shown.clone();
        }
        format!("<<<{}, {}>>>", self.show_sizes(&self.grid), self.show_sizes(&self.block))
    }

    fn show_sizes(&self, sizes: &[Term; 3]) -> String {
        let last = (1..3).rev().find(|&at| self.terms.bits(sizes[at]) != Some(1)).unwrap_or(0);
        let words: Vec<String> = sizes[..=last].iter().map(|&size| self.show(size)).collect();
        if last == 0 { words[0].clone() } else { format!("({})", words.join(", ")) }
    }
}

fn show_constant(value: u128, ty: Type) -> String {
    match ty {
        Type::BOOL => if value == 0 { "false" } else { "true" }.to_string(),
        Type::Int(width) => bits::signed(value, width).to_string(),
        Type::F32 => f32::from_bits(value as u32).to_string(),
        Type::F64 => f64::from_bits(value as u64).to_string(),
        Type::Float(_) | Type::Ref => format!("{value:#x}"),
    }
}

fn operator(op: BinaryOp, of_truth: bool) -> (u8, &'static str) {
    match op {
        BinaryOp::Add | BinaryOp::FAdd => (9, "+"),
        BinaryOp::Sub | BinaryOp::FSub => (9, "-"),
        BinaryOp::Mul | BinaryOp::FMul => (10, "*"),
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::FDiv => (10, "/"),
        BinaryOp::URem | BinaryOp::SRem | BinaryOp::FRem => (10, "%"),
        BinaryOp::Shl => (8, "<<"),
        BinaryOp::LShr | BinaryOp::AShr => (8, ">>"),
        BinaryOp::And if of_truth => (3, "&&"),
        BinaryOp::And => (7, "&"),
        BinaryOp::Or if of_truth => (2, "||"),
        BinaryOp::Or => (5, "|"),
        BinaryOp::Xor => (6, "^"),
    }
}

fn comparison(cc: IntCc) -> &'static str {
    match cc {
        IntCc::Eq => "==",
        IntCc::Ne => "!=",
        IntCc::Ult | IntCc::Slt => "<",
        IntCc::Ule | IntCc::Sle => "<=",
        IntCc::Ugt | IntCc::Sgt => ">",
        IntCc::Uge | IntCc::Sge => ">=",
    }
}

impl crate::Site {
    /// Everything that is known, a line for each part.
    pub fn describe(&self) -> String {
        use std::fmt::Write as _;
        let relation = &self.relation;
        let classes = relation.classes();
        let mut text = String::new();
        let place = &self.place;
        let _ = writeln!(
            text,
            "{}:{} {}{}",
            place.file.display(),
            place.line,
            self.kernel,
            relation.show_launch()
        );
        let _ = writeln!(
            text,
            "  class block {:?} grid {:?} pointers {}/{} arguments {}",
            classes.block,
            classes.grid,
            classes.pointers.0,
            classes.pointers.1,
            classes.has_arguments
        );
        for argument in relation.arguments.iter().flatten().flat_map(Argument::leaves) {
            let _ = match argument {
                Argument::Scalar(term) => writeln!(text, "  scalar {}", relation.show(*term)),
                Argument::Pointer { base, offset } => {
                    let data = &relation.bases[*base];
                    let size = data.size.map_or("unknown".into(), |size| relation.show(size));
                    let sure = if data.distinct { "" } else { ", may be another" };
                    let offset = relation.show(*offset);
                    writeln!(
                        text,
                        "  pointer #{base} {} + {offset} of {size} bytes{sure}",
                        data.name
                    )
                }
                Argument::Struct(_) | Argument::Opaque => writeln!(text, "  unknown"),
            };
        }
        for &fact in &relation.facts {
            let _ = writeln!(text, "  fact {}", relation.show(fact));
        }
        for unknown in &relation.unknowns {
            let _ =
                writeln!(text, "  unknown {} {:?} {}", unknown.name, unknown.origin, unknown.ty);
        }
        text
    }
}
