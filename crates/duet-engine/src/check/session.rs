//! A solver session, and the state of checking one kernel.

use std::collections::BTreeSet;

use duet_analysis::{
    Aliasing, ArrayUses, Dominators, Loop, Loops, Uniformity, UniformityOptions,
};
use duet_ir::{Array, Func, Function, Inst, InstData, Module, Space};
use duet_product::PairProgram;
use duet_smt::solver::{Answer, ProcessSolver, SolverError, SolverKind};
use duet_smt::{Decider, DeciderOptions, Decision, Model, Question, TermId, TermPool};
use duet_vc::{Geometry, Invariants, Kernel, LaunchSpec};

use super::{Finding, Why};

/// How to check.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// The launch.
    pub launch: LaunchSpec,
    /// Two writes of the same value are no race.
    pub tolerate_benign: bool,
    /// Only pairs within a block.
    pub only_intra_group: bool,
    /// Values of scalar parameters, by position among them.
    pub scalar_args: Vec<Option<u128>>,
}

/// A solver that is asked, over many kernels.
pub struct Session {
    pub(super) decider: Decider,
    pub(super) algebra: Decider,
}

impl Session {
    /// Starts a session with z3.
    pub fn new() -> Result<Session, SolverError> {
        let solver = |kind| ProcessSolver::find(kind, None).map(Box::new);
        let algebra = DeciderOptions { solvers: false, ..DeciderOptions::default() };
        Ok(Session {
            decider: Decider::new(solver(SolverKind::Z3)?, DeciderOptions::default()),
            algebra: Decider::new(solver(SolverKind::Z3)?, algebra),
        })
    }

    /// How often each means decided.
    pub fn decided(&self) -> Vec<(&'static str, u64)> {
        let mut all = self.decider.statistics().decided.clone();
        for (word, count) in &self.algebra.statistics().decided {
            if *word != "nobody" {
                *all.entry(word).or_default() += count;
            }
        }
        all.into_iter().collect()
    }
}

/// What the analyses know about a kernel.
pub struct KernelFacts<'m> {
    pub(super) module: &'m Module,
    pub(super) func: &'m Function,
    pub(super) loops: Loops,
    pub(super) uses: ArrayUses,
    pub(super) uniformity: Uniformity,
    pub(super) program: PairProgram,
}

impl<'m> KernelFacts<'m> {
    /// Runs the analyses.
    pub fn new(module: &'m Module, kernel: Func, _options: &CheckOptions) -> KernelFacts<'m> {
        let func = &module.functions[kernel];
        let dominators = Dominators::new(func);
        let loops = Loops::new(func, &dominators);
        let uses = ArrayUses::new(module, kernel, Aliasing::Distinct);
        let uniformity =
            Uniformity::new(module, func, &loops, &uses, UniformityOptions::default());
        let program = PairProgram::new(func, &loops);
        KernelFacts { module, func, loops, uses, uniformity, program }
    }

    /// What a verdict takes for granted.
    pub fn assumptions(&self, options: &CheckOptions) -> Vec<String> {
        let mut list = vec!["accesses stay inside their arrays".to_string()];
        let pointers = self
            .module
            .arrays
            .values()
            .filter(|data| data.space == Space::Global)
            .count();
        if pointers > 1 {
            list.push("distinct pointers point to distinct arrays".to_string());
        }
        let free = options.launch.block.iter().chain(&options.launch.grid);
        if free.clone().any(|extent| *extent == duet_vc::Extent::Free) {
            list.push(
                "free sizes keep to the hardware's limits: 1024 threads a block, 65535 blocks along y and z, 2^31-1 threads along a dimension"
                    .to_string(),
            );
        }
        list
    }

    /// Can two accesses to the array race at all?
    pub(super) fn can_race(&self, array: Array) -> bool {
        let data = &self.module.arrays[array];
        matches!(data.space, Space::Global | Space::Shared) && !self.uses.is_never_written(array)
    }
}

/// The state of checking one kernel.
pub struct Check<'s, 'f, 'm> {
    pub(super) session: &'s mut Session,
    pub(super) facts: &'f KernelFacts<'m>,
    pub(super) options: &'f CheckOptions,
    pub(super) pool: TermPool,
    pub(super) geometry: Geometry,
    pub(super) invariants: Invariants,
    pub(super) findings: Vec<Finding>,
}

impl<'s, 'f, 'm> Check<'s, 'f, 'm> {
    /// Nothing checked yet.
    pub fn new(
        session: &'s mut Session,
        facts: &'f KernelFacts<'m>,
        options: &'f CheckOptions,
    ) -> Self {
        let mut pool = TermPool::new();
        let mut geometry = Geometry::new(&mut pool, &options.launch);
        geometry.facts.extend(argument_facts(&mut pool, facts.func, options));
        Check {
            session,
            facts,
            options,
            pool,
            geometry,
            invariants: Invariants::default(),
            findings: vec![],
        }
    }

    /// The kernel, for the encoder.
    pub(super) fn kernel<'k>(facts: &'k KernelFacts<'_>, geometry: &'k Geometry) -> Kernel<'k> {
        Kernel {
            module: facts.module,
            func: facts.func,
            loops: &facts.loops,
            uses: &facts.uses,
            geometry,
        }
    }

    /// Asks whether the conjunction can be satisfied.
    pub(super) fn decide(
        &mut self,
        literals: &[TermId],
        about: &str,
    ) -> Result<Decision, SolverError> {
        let question = Question { literals, about, ..Question::default() };
        self.session.decider.decide(&mut self.pool, &question)
    }

    /// Asks the simplifier and the algebra only.
    pub(super) fn decide_cheaply(&mut self, literals: &[TermId]) -> Result<bool, SolverError> {
        let question = Question { literals, ..Question::default() };
        let decision = self.session.algebra.decide(&mut self.pool, &question)?;
        Ok(decision.answer == Answer::Unsat)
    }

    /// Why an answer is not a proof.
    pub(super) fn why(&self, answer: &Answer) -> Option<Why> {
        match answer {
            Answer::Unsat => None,
            Answer::Sat(model) => Some(Why::Model(self.describe(model))),
            Answer::Unknown(reason) => Some(Why::Solver(format!("{reason:?}"))),
        }
    }

    /// The values of ids, sizes and arguments in a model.
    fn describe(&self, model: &Model) -> Vec<(String, String)> {
        let mut values: Vec<(String, String)> = model
            .funcs()
            .filter_map(|(func, table)| {
                let name = &self.pool.func_data(func).name;
                let known = ["threadIdx", "blockIdx", "blockDim", "gridDim", "arg:"];
                let value = table.entries.get(&vec![])?;
                known
                    .iter()
                    .any(|prefix| name.starts_with(prefix))
                    .then(|| (name.clone(), value.to_string()))
            })
            .collect();
        values.sort();
        values
    }

    /// Constructs that the encoding does not cover make the kernel unproven.
    pub fn reject_unmodelled(&mut self) {
        let func = self.facts.func;
        for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
            let what = match &func.insts[inst] {
                InstData::AsyncCopy { .. } => "asynchronous copies",
                InstData::Call { .. } => "calls that are not inlined",
                _ => continue,
            };
            self.report("not-modelled", inst, None, Why::NotModelled(what));
        }
        if !self.facts.loops.is_reducible()
            && let Some(&inst) = func.layout.iter().flat_map(|&b| &func.blocks[b].insts).next()
        {
            self.report("not-modelled", inst, None, Why::NotModelled("irreducible loops"));
        }
    }

    /// Adds a finding, once per rule and places.
    pub(super) fn report(
        &mut self,
        rule: &'static str,
        primary: Inst,
        secondary: Option<Inst>,
        why: Why,
    ) {
        let seen = self.findings.iter().any(|finding| {
            finding.rule == rule && finding.primary == primary && finding.secondary == secondary
        });
        if !seen {
            self.findings.push(Finding { rule, primary, secondary, why });
        }
    }

    /// The findings, and how many invariants there are.
    pub fn into_findings(self) -> (Vec<Finding>, usize) {
        (self.findings, self.invariants.len())
    }

    /// All loops.
    pub(super) fn all_loops(&self) -> BTreeSet<Loop> {
        self.facts.loops.iter().map(|(id, _)| id).collect()
    }
}

/// Scalar arguments that were given as numbers.
fn argument_facts(pool: &mut TermPool, func: &Function, options: &CheckOptions) -> Vec<TermId> {
    let mut facts = vec![];
    let mut position = 0;
    for param in &func.params {
        let duet_ir::ParamKind::Scalar(value) = param.kind else { continue };
        let given = options.scalar_args.get(position).copied().flatten();
        position += 1;
        let (Some(bits), Some(width)) = (given, func.type_of(value).bits()) else { continue };
        if width == 1 {
            continue;
        }
        let symbol = pool.bv_var(&format!("arg:{}", param.name), width);
        let number = pool.bv(width, bits);
        facts.push(pool.eq(symbol, number));
    }
    facts
}
