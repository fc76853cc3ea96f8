//! Is it the launch's fault? Where sizes are free, a defect may go away under a simple
//! condition on them that the run breaks: a dimension of one, a square block. A
//! condition is suggested if small runs that keep it, with the inputs that a search
//! tries first, don't show the defect. That proves nothing, and the message says so.

use duet_ask::Runs;
use duet_interp::Launch;
use duet_ir::{Function, GeometryKind, InstData, Language};
use duet_vc::{Extent, Witness};

use crate::Subject;
use crate::refute::Suspicion;
use crate::search::{Search, Shown};

/// Runs that must have been possible.
const FEWEST: usize = 6;

/// A condition on launch sizes.
struct Condition {
    text: String,
    holds: Box<dyn Fn(&Launch) -> bool>,
}

impl Subject<'_> {
    /// A condition under which no run showed what this one shows.
    pub(crate) fn not_seen_if(
        &self,
        shown: &Shown,
        suspicions: &[Suspicion<'_>],
        models: &[&Witness],
    ) -> Option<String> {
        let numbers: Vec<usize> = shown.suspicions.iter().map(|(number, _)| *number).collect();
        let broken = |condition: &Condition| !(condition.holds)(&shown.run.launch);
        let goes_away = |condition: &Condition| {
            let search = Search::for_some(self, suspicions, models.to_vec(), &numbers);
            let (seen, runs) = search.run_where(Runs::Unless, &condition.holds);
            runs >= FEWEST && seen.is_empty()
        };
        let mut conditions = self.conditions().into_iter().filter(|_| !numbers.is_empty());
        conditions.find(|one| broken(one) && goes_away(one)).map(|one| one.text)
    }

    /// Conditions on free sizes that the kernel does not contradict, in the order in which
    /// people want them.
    fn conditions(&self) -> Vec<Condition> {
        let spec = &self.setting().launch;
        let is_free = |extents: &[Extent; 3], dim: usize| extents[dim] == Extent::Free;
        let mut list = vec![];
        for dim in [1, 2] {
            if is_free(&spec.block, dim) && !uses(self.func, true, dim) {
                let holds = Box::new(move |launch: &Launch| launch.block[dim] == 1);
                list.push(Condition { text: format!("{} == 1", self.size(true, dim)), holds });
            }
            if is_free(&spec.grid, dim) && !uses(self.func, false, dim) {
                let holds = Box::new(move |launch: &Launch| launch.grid[dim] == 1);
                list.push(Condition { text: format!("{} == 1", self.size(false, dim)), holds });
            }
        }
        let is_square = [0, 1].map(|dim| is_free(&spec.block, dim) && uses(self.func, true, dim));
        if is_square == [true; 2] {
            let text = format!("{} == {}", self.size(true, 0), self.size(true, 1));
            let holds = Box::new(|launch: &Launch| launch.block[0] == launch.block[1]);
            list.push(Condition { text, holds });
        }
        if is_free(&spec.grid, 0) && !uses(self.func, false, 0) {
            let holds = Box::new(|launch: &Launch| launch.blocks() == 1);
            let others = [1, 2].map(|dim| spec.grid[dim] == Extent::Number(1));
            if others == [true; 2] {
                list.push(Condition { text: format!("{} == 1", self.size(false, 0)), holds });
            }
        }
        list
    }

    /// A launch size in the words of the language.
    fn size(&self, block: bool, dim: usize) -> String {
        let letter = ["x", "y", "z"][dim];
        match (self.module.language, block) {
            (Language::Cuda, true) => format!("blockDim.{letter}"),
            (Language::Cuda, false) => format!("gridDim.{letter}"),
            (Language::OpenCl, true) => format!("get_local_size({dim})"),
            (Language::OpenCl, false) => format!("get_num_groups({dim})"),
        }
    }
}

/// Does the kernel tell threads (blocks) apart along the dimension? Then a size of one is
/// not what it was written for.
fn uses(func: &Function, block: bool, dim: usize) -> bool {
    let kind = if block { GeometryKind::ThreadId } else { GeometryKind::BlockId };
    func.insts_in_order().any(|inst| {
        let InstData::Geometry(geometry) = &func.insts[inst] else { return false };
        geometry.kind == kind && geometry.dim.index() == dim && !func.flattened.contains(geometry)
    })
}
