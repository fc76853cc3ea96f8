//! All properties at once, by the encoding of `duet-logs`.
//!
//! SOUNDNESS: what is found there is a finding here, whatever it is; nothing that `duet-logs`
//! leaves open is dropped (test `wrong_kernels_are_never_proved`).

use std::collections::BTreeMap;

use duet_ask::reason_in_words;
use duet_ir::{Array, Language, Rule, Severity};
use duet_logs::{Found, LogOptions, Open, Task};
use duet_smt::solver::SolverError;

use crate::check::Check;
use crate::properties::{check_frame, size_of};
use crate::report::{Finding, Why};
use crate::vacuity::Vacuity;

/// Checks a kernel by logs.
pub(crate) struct ByLogs<'c, 's, 'f> {
    pub(crate) check: &'c mut Check<'s, 'f>,
}

impl ByLogs<'_, '_, '_> {
    /// Every property that the options ask for.
    pub(crate) fn check_properties(&mut self, logs: &LogOptions) -> Result<(), SolverError> {
        self.check.reject_unmodelled();
        self.check.reject_annotations();
        check_frame(self.check);
        self.reject_options();
        if self.check.is_over() {
            return Ok(());
        }
        let (premises, in_range) =
            (self.check.options.premises(), self.check.walker.in_range.clone());
        let sizes = self.sizes();
        let sorting = self.check.options.sort_options();
        let task = Task {
            facts: self.check.facts,
            premises: &premises,
            options: logs,
            selection: &self.check.options.rules,
            guesses: self.check.options.infer,
            sorting: &sorting,
            in_range: &in_range,
            verdict_only: self.check.options.verdict_only,
            races: !self.check.options.only_divergence,
            grid: !self.check.options.only_intra_group,
            tolerates_exits: self.check.facts.module.language == Language::Cuda
                && !self.check.options.strict,
            tolerates_benign: self.check.options.tolerate_benign,
            sizes: &sizes,
        };
        let outcome = duet_logs::check(&task, &mut self.check.walker.pool, &mut self.check.asker)?;
        self.check.found.made = outcome.made.clone();
        let inference = &mut self.check.found.inference;
        (inference.rounds, inference.undecided) = (outcome.rounds, outcome.undecided);
        inference.engines = outcome.engines;
        self.check.by_logs = Some((outcome.kept, outcome.in_inference));
        for found in outcome.found {
            self.report_found(found);
        }
        let _ = self.check.is_over();
        self.reject_assumptions();
        Ok(())
    }

    /// Whether what is assumed leaves every place in reach is judged with the invariants of
    /// pairs, which are not looked for here.
    ///
    /// SOUNDNESS: kernels/soundness/53-assumed-in-a-loop and 93-assumed-away-in-a-loop.
    fn reject_assumptions(&mut self) {
        let assumes_too_much = Vacuity { check: self.check }.assumes_too_much_in_loops();
        if self.check.options.vacuity || assumes_too_much || self.check.believes_contracts() {
            let why = "whether assumptions leave places out of reach is not judged by logs";
            self.check.report_kernel(Rule::NotModelled, Why::Stated(why.to_string()));
        }
    }

    /// Options that the encoding does not know.
    fn reject_options(&mut self) {
        let may_alias = self.check.options.may_alias
            || self.check.options.host.as_ref().is_some_and(|host| host.may_alias);
        if may_alias {
            let why = "pointers that may alias are not modelled by logs";
            self.check.report_kernel(Rule::NotModelled, Why::Stated(why.to_string()));
        }
    }

    /// The arrays whose bounds are checked, with their sizes.
    fn sizes(&self) -> BTreeMap<Array, Option<u64>> {
        let (module, func) = (self.check.facts.module, self.check.facts.func);
        let arrays = func.arrays_used().into_iter().filter(|_| self.check.options.check_bounds);
        arrays.map(|array| (array, size_of(module, func, self.check.options, array))).collect()
    }

    fn report_found(&mut self, found: Found) {
        let Found { rule, is_tolerated, primary, secondary, why } = found;
        let why = match why {
            Open::State => Why::Stated("two threads in lock step may get there".to_string()),
            Open::Undecided(reason) => Why::Solver(reason_in_words(reason).to_string()),
            Open::NotModelled(what) => Why::Stated(format!("logs do not cover {what}")),
            Open::NotKept => {
                Why::Stated("it may fail on arrival or after an iteration".to_string())
            }
        };
        let severity = if is_tolerated { Severity::Warning } else { Severity::Error };
        self.check.add(Finding { rule, severity, primary, secondary, why, obstacles: vec![] });
    }
}
