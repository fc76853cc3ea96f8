//! The order of work.

use duet_engine::check::{
    CheckOptions, KernelReport, Session, SolverError, check_kernel, launch_spec,
};
use duet_engine::check::{Verdict as Checked, describe_finding};
use duet_engine::refute::{Run, command_line};
use duet_ir::{FunctionKind, Severity};
use duet_vc::{Extent, LaunchSpec};

use crate::engines::{self, NotShown, Proof};
use crate::pair::determinism;
use crate::pair::matching::Matching;
use crate::pair::request::{FloatModel, Kernel, Request, Side};
use crate::pair::stated::with_given;
use crate::report::{Report, Verdict};
use crate::search::{Search, Searched};

/// Why nothing was compared.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// What is asked makes no sense.
    #[error("{0}")]
    Usage(String),
    /// A solver is missing or broken.
    #[error(transparent)]
    Solver(#[from] SolverError),
}

/// Compares two kernels.
///
/// # Errors
/// If they cannot be matched, or a solver is missing.
pub fn compare(
    session: &mut Session,
    kernels: &[Kernel<'_>; 2],
    request: &Request,
) -> Result<Report, Failure> {
    let matching = Matching::new(kernels, request).map_err(Failure::Usage)?;
    check_names(kernels, request).map_err(Failure::Usage)?;
    let specs = specs(kernels, request);
    with_stated(kernels, request, (&matching, &specs.clone()), |kernels| {
        let mut comparison = Comparison { session, kernels, request, matching: &matching, specs };
        comparison.run()
    })
}

struct Comparison<'a> {
    session: &'a mut Session,
    kernels: &'a [Kernel<'a>; 2],
    request: &'a Request,
    matching: &'a Matching,
    specs: [LaunchSpec; 2],
}

impl Comparison<'_> {
    fn run(&mut self) -> Result<Report, Failure> {
        let mut report = self.blank();
        let search = Search {
            kernels: self.kernels,
            matching: self.matching,
            request: self.request,
            specs: &self.specs,
        };
        let Searched { difference, unstable, pairs, example } = search.search();
        report.runs = pairs;
        if let Some(difference) = difference {
            report.verdict = Verdict::Different;
            report.commands = self.commands(&difference.runs);
            report.difference = Some(*difference);
            return Ok(report);
        }
        if let Some(side) = unstable {
            let why = format!("{} is not deterministic: its own runs differ", side.letter());
            report.reasons.push(why);
            return Ok(report);
        }
        if self.request.fixed {
            report.reasons.push("no difference for this launch in the runs that were tried".into());
            return Ok(report);
        }
        self.prove(&mut report)?;
        if report.verdict != Verdict::Equal {
            return Ok(report);
        }
        // SOUNDNESS: an equality of kernels that no launch can run says nothing (test
        // `an_impossible_relation_is_vacuous`).
        match example {
            Some(runs) => {
                // Larger blocks are tried first.
                if runs.iter().all(|run| run.launch.threads_per_block() == 1) {
                    let note = "every launch that was found has blocks of one thread";
                    report.notes.push(note.to_string());
                }
                report.commands = self.commands(&runs);
            }
            None => {
                report.verdict = if pairs == 0 { Verdict::Vacuous } else { Verdict::NotShown };
                let why = match pairs {
                    0 => "no launch was found that the relation and both preconditions allow",
                    _ => "no run was found in which a compared place is written",
                };
                report.reasons.push(why.to_string());
            }
        }
        Ok(report)
    }

    fn blank(&self) -> Report {
        let shown = |side: Side| {
            let kernel = &self.kernels[side.index()];
            (kernel.file.display().to_string(), kernel.function().name.clone())
        };
        let first = &self.kernels[0];
        let name = |pair: &[duet_ir::Array; 2]| {
            first.function().array_name(first.module, pair[0]).to_string()
        };
        Report {
            verdict: Verdict::NotShown,
            kernels: Side::BOTH.map(shown),
            launches: self.launches(),
            outputs: self.matching.outputs.iter().map(name).collect(),
            engine: None,
            notes: self.matching.notes.clone(),
            assumptions: vec![],
            one_sided: vec![],
            reasons: vec![],
            difference: None,
            commands: vec![],
            runs: 0,
        }
    }

    fn launches(&self) -> Vec<String> {
        let text = |side: Side| {
            let language = self.kernels[side.index()].module.language;
            duet_engine::check::describe_launch(language, &self.specs[side.index()])
        };
        match self.request.is_same_launch() {
            true => vec![format!("both launches are the same one: {}", text(Side::A))],
            false => vec![
                format!("a: {}", text(Side::A)),
                format!("b: {}", text(Side::B)),
                "sizes that are not given are free and need not be the same".to_string(),
            ],
        }
    }

    fn commands(&self, runs: &[Run; 2]) -> Vec<String> {
        let command = |side: Side| {
            let kernel = &self.kernels[side.index()];
            let file = kernel.file.display().to_string();
            let run = &runs[side.index()];
            let words = command_line(kernel.module, kernel.func, run, &file, &kernel.reading);
            words.join(" ")
        };
        Side::BOTH.map(command).to_vec()
    }

    /// Tries the engines; what one proves counts once both kernels are checked.
    fn prove(&mut self, report: &mut Report) -> Result<(), Failure> {
        for side in Side::BOTH {
            let kernel = &self.kernels[side.index()];
            let refused =
                determinism::refusals(kernel.module, kernel.function(), self.request.float);
            for refusal in refused {
                let span = kernel.module.span_of_inst(kernel.function(), refusal.inst);
                let line = span.map_or(String::new(), |span| format!(":{}", span.line));
                report.reasons.push(format!("{}{line}: {}", kernel.file.display(), refusal.why));
            }
        }
        if !report.reasons.is_empty() {
            return Ok(());
        }
        let proof = match engines(self.kernels, self.matching, self.request, &self.specs) {
            Ok(proof) => proof,
            Err(reasons) => {
                report.reasons = reasons;
                return Ok(());
            }
        };
        if self.request.strict && !proof.assumptions.is_empty() {
            let refused = proof.assumptions.iter().map(|one| format!("--strict refuses: {one}"));
            report.reasons.extend(refused);
            return Ok(());
        }
        // What only one kernel needs not to overflow belongs into the headline.
        report
            .one_sided
            .extend(proof.assumptions.iter().filter(|one| is_about_range(one)).cloned());
        report.assumptions.extend(proof.assumptions);
        report.assumptions.extend(self.matching.assumptions.iter().cloned());
        report.notes.extend(proof.notes);
        if self.check_both(report)? {
            report.engine = Some(proof.engine);
            report.verdict = Verdict::Equal;
        }
        Ok(())
    }

    /// Are both kernels free of races and divergence?
    fn check_both(&mut self, report: &mut Report) -> Result<bool, Failure> {
        let mut checked = vec![];
        for side in Side::BOTH {
            let kernel = &self.kernels[side.index()];
            let mut options = CheckOptions {
                strict: self.request.strict,
                time_limit: self.request.timeout,
                ..CheckOptions::new(self.specs[side.index()].clone())
            };
            if let Some(work) = self.request.work {
                options.work = work;
            }
            let own = check_kernel(self.session, kernel.module, kernel.func, &options)?;
            if own.verdict != Checked::Proved {
                report.reasons.push(self.not_checked(side, &own));
                if own.verdict == Checked::Vacuous {
                    report.verdict = Verdict::Vacuous;
                }
            }
            checked.push(own);
        }
        self.list_assumptions(&checked, report);
        Ok(report.reasons.is_empty())
    }

    fn not_checked(&self, side: Side, own: &KernelReport) -> String {
        let kernel = &self.kernels[side.index()];
        let worst = own.findings.iter().find(|finding| finding.severity == Severity::Error);
        let what = worst.or(own.findings.first()).map(|finding| {
            let message = describe_finding(kernel.module, kernel.func, finding);
            let line =
                message.primary.map_or(String::new(), |span| format!(", line {}", span.line));
            format!(": {}{line}", message.headline)
        });
        let (file, what) = (kernel.file.display(), what.unwrap_or_default());
        format!("`duet check {file}` says {}{what}", own.verdict.word())
    }

    fn list_assumptions(&self, checked: &[KernelReport], report: &mut Report) {
        let [a, b] = [&checked[0].assumptions, &checked[1].assumptions];
        for one in a.iter().filter(|one| b.contains(one)) {
            report.assumptions.push(one.clone());
        }
        for (side, own, other) in [(Side::A, a, b), (Side::B, b, a)] {
            for one in own.iter().filter(|one| !other.contains(one)) {
                let file = self.kernels[side.index()].file.display();
                let line = format!("{} ({file}): {one}", side.letter());
                if is_about_range(one) {
                    report.one_sided.push(line.clone());
                }
                report.assumptions.push(line);
            }
        }
        report.assumptions.push("both kernels end".to_string());
        let text = match self.request.float {
            FloatModel::Exact => "floats: the same operations on the same operands; none are fused",
            FloatModel::Reassociating => "floats: rounding and signs of zero are ignored",
            FloatModel::Real => "floats: real arithmetic",
        };
        report.assumptions.push(text.to_string());
        if self.request.given.iter().any(|expr| !expr.names().is_empty()) {
            report.assumptions.push("relations are read without wrap-around".to_string());
        }
    }
}

/// What the engines say, without a search, a check, or a launch that meets what is assumed:
/// no verdict follows from it alone.
///
/// # Errors
/// If the kernels cannot be matched, or why nothing was proved.
pub fn engines_say(kernels: &[Kernel<'_>; 2], request: &Request) -> Result<Proof, Vec<String>> {
    let matching = Matching::new(kernels, request).map_err(|why| vec![why])?;
    let specs = specs(kernels, request);
    with_stated(kernels, request, (&matching, &specs.clone()), |kernels| {
        engines(kernels, &matching, request, &specs)
    })
}

/// Are both kernels proved free of races and divergence? No verdict follows from it alone.
///
/// # Errors
/// If the kernels cannot be matched, or a solver is missing.
pub fn checks_say(
    session: &mut Session,
    kernels: &[Kernel<'_>; 2],
    request: &Request,
) -> Result<bool, Failure> {
    let matching = Matching::new(kernels, request).map_err(Failure::Usage)?;
    let specs = specs(kernels, request);
    with_stated(kernels, request, (&matching, &specs.clone()), |kernels| {
        let mut comparison = Comparison { session, kernels, request, matching: &matching, specs };
        let mut report = comparison.blank();
        comparison.check_both(&mut report)
    })
}

/// Calls a function with the kernels, each with what the relation says of it alone.
fn with_stated<T>(
    kernels: &[Kernel<'_>; 2],
    request: &Request,
    (matching, specs): (&Matching, &[LaunchSpec; 2]),
    call: impl FnOnce(&[Kernel<'_>; 2]) -> T,
) -> T {
    let stated = Side::BOTH.map(|side| with_given(kernels, side, request, matching, specs));
    let kernels = Side::BOTH.map(|side| {
        let Kernel { file, func, sizes, reading, .. } = &kernels[side.index()];
        let (file, sizes, reading) = (file.clone(), sizes.clone(), reading.clone());
        Kernel { file, module: &stated[side.index()], func: *func, sizes, reading }
    });
    call(&kernels)
}

/// Tries one engine after the other.
fn engines(
    kernels: &[Kernel<'_>; 2],
    matching: &Matching,
    request: &Request,
    specs: &[LaunchSpec; 2],
) -> Result<Proof, Vec<String>> {
    if let Some([table, _]) = matching.tables.first() {
        let name = kernels[0].function().array_name(kernels[0].module, *table);
        return Err(vec![format!("`{name}` is not initialised with the same on both sides")]);
    }
    let mut reasons = vec![];
    let mut note = |NotShown(why): NotShown| reasons.push(why);
    if request.is_same_launch() {
        match engines::lockstep::prove(kernels, matching) {
            Ok(proof) => return Ok(proof),
            Err(why) => note(NotShown(format!("in step: {}", why.0))),
        }
    } else {
        note("in step: the launches are not the same".into());
    }
    match engines::blocks::prove(kernels, matching, request, specs) {
        Ok(proof) => return Ok(proof),
        Err(why) => note(NotShown(format!("blocks on terms: {}", why.0))),
    }
    match engines::chase::prove(kernels, matching, request, specs) {
        Ok(proof) => return Ok(proof),
        Err(why) => note(NotShown(format!("by witnesses: {}", why.0))),
    }
    // To be equal is symmetric; which side is asked for writers of the other's places is not.
    let turned = Turned::new(kernels, matching, request, specs);
    if let Ok(proof) = turned.prove() {
        return Ok(proof);
    }
    let small = engines::blocks::scaled_down(kernels, matching, request, specs);
    // Only a remark: what holds for small blocks is no proof.
    reasons.extend(small.ok());
    Err(reasons)
}

/// The pair with its sides exchanged.
struct Turned<'m> {
    kernels: [Kernel<'m>; 2],
    matching: Matching,
    request: Request,
    specs: [LaunchSpec; 2],
}

impl<'m> Turned<'m> {
    fn new(
        kernels: &[Kernel<'m>; 2],
        matching: &Matching,
        request: &Request,
        specs: &[LaunchSpec; 2],
    ) -> Turned<'m> {
        Turned {
            kernels: [1, 0].map(|side: usize| kernels[side].clone()),
            matching: matching.turned(),
            request: request.turned(),
            specs: [specs[1].clone(), specs[0].clone()],
        }
    }

    fn prove(&self) -> Result<Proof, NotShown> {
        // SOUNDNESS: a parameter that is called as if it had a side would be taken for another
        // one (test `parameters_that_are_called_like_a_side`).
        let ends = |name: &str| name.ends_with("_a") || name.ends_with("_b");
        let mut params = self.kernels.iter().flat_map(|one| one.function().scalar_params());
        if !self.request.given.is_empty() && params.any(|param| ends(param.name)) {
            return Err("a parameter is called like one of a side".into());
        }
        engines::chase::prove(&self.kernels, &self.matching, &self.request, &self.specs)
    }
}

/// Is the assumption about the range of arithmetic?
fn is_about_range(text: &str) -> bool {
    text.contains("overflow") || text.contains("keeps its value")
}

/// The launches of both sides. Where both are the same, a dimension is one only if neither
/// kernel reads it.
fn specs(kernels: &[Kernel<'_>; 2], request: &Request) -> [LaunchSpec; 2] {
    let own = Side::BOTH.map(|side| {
        let kernel = &kernels[side.index()];
        launch_spec(kernel.function(), &kernel.sizes)
    });
    if !request.is_same_launch() {
        return own;
    }
    let requires = Side::BOTH.map(|side| match kernels[side.index()].function().kind {
        FunctionKind::Kernel { required_block, .. } => required_block.is_some(),
        FunctionKind::Device => false,
    });
    let is_given = kernels[0].sizes.block.is_some() || requires[0] || requires[1];
    let join = |a: Extent, b: Extent, is_given: bool| match (a, b) {
        (Extent::Number(number), _) | (_, Extent::Number(number)) if is_given => {
            Extent::Number(number)
        }
        (Extent::Free, _) | (_, Extent::Free) => Extent::Free,
        (Extent::Number(number), Extent::Number(_)) => Extent::Number(number),
    };
    let grid_given = kernels[0].sizes.grid().ok().flatten().is_some();
    let mut both = own[0].clone();
    for dim in [0, 1, 2] {
        both.block[dim] = join(own[0].block[dim], own[1].block[dim], is_given);
        both.grid[dim] = join(own[0].grid[dim], own[1].grid[dim], grid_given);
    }
    both.most_threads = own[0].most_threads.min(own[1].most_threads);
    [both.clone(), both]
}

/// Are all names of the relations known?
fn check_names(kernels: &[Kernel<'_>; 2], request: &Request) -> Result<(), String> {
    let sizes = ["blockDim", "gridDim"];
    let is_size = |name: &str| {
        let Some((stem, dim)) = name.split_once('.') else { return false };
        let known = sizes
            .iter()
            .any(|own| stem == *own || stem == format!("{own}_a") || stem == format!("{own}_b"));
        known && ["x", "y", "z"].contains(&dim)
    };
    let has = |side: Side, name: &str| {
        kernels[side.index()].function().scalar_params().any(|param| param.name == name)
    };
    let is_scalar = |name: &str| {
        has(Side::A, name)
            || name.strip_suffix("_a").is_some_and(|stem| has(Side::A, stem))
            || name.strip_suffix("_b").is_some_and(|stem| has(Side::B, stem))
    };
    for expr in &request.given {
        for name in expr.names() {
            if !is_size(&name) && !is_scalar(&name) {
                return Err(format!("--given: `{name}` is no size and no parameter"));
            }
        }
    }
    for name in request.places.iter().flat_map(|expr| expr.names()) {
        if name != "i" && !is_size(&name) && !is_scalar(&name) {
            return Err(format!("--where: `{name}` is no size and no parameter"));
        }
    }
    Ok(())
}
