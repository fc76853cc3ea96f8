//! What a verdict takes for granted, in words. Whatever an option leaves out and
//! whatever the source is believed without proof is on this list.

use std::collections::BTreeSet;

use duet_ir::{AnnotationKind, GeometryKind, InstData, ParamKind, Space};
use duet_vc::{Extent, MAX_BLOCK};

use super::options::CheckOptions;
use super::session::KernelFacts;

impl KernelFacts<'_> {
    /// What a verdict takes for granted.
    pub fn assumptions(&self, options: &CheckOptions) -> Vec<String> {
        let mut list = self.about_memory(options);
        list.extend(about_launch(options));
        list.extend(self.about_the_source());
        list.extend(about_options(options));
        if options.launch.work_dim == 3 && self.reads(GeometryKind::WorkDim) {
            list.push("`get_work_dim()` is 3".to_string());
        }
        // SOUNDNESS: a launch may add to global ids (kernels/soundness/38-global-offset).
        if options.launch.global_offset == [0; 3] && self.reads(GeometryKind::GlobalOffset) {
            list.push("the global offset is 0".to_string());
        }
        list
    }

    fn about_memory(&self, options: &CheckOptions) -> Vec<String> {
        let mut list = vec![];
        if !options.check_bounds {
            list.push("accesses stay inside their arrays".to_string());
        } else {
            let unknown = self.arrays_of_unknown_size(options);
            if !unknown.is_empty() {
                let names = unknown.join(", ");
                list.push(format!(
                    "accesses stay below the end of {names}, whose size is not known"
                ));
            }
        }
        let counters = self.counters();
        if !counters.is_empty() {
            list.push(format!("counters do not wrap around: {}", counters.join(", ")));
        }
        // SOUNDNESS: comparisons of a parameter with null are decided in the front end.
        if self.func.params.iter().any(|param| matches!(param.kind, ParamKind::Array(_))) {
            list.push("pointer arguments are not null".to_string());
        }
        let arrays = self.func.arrays_used();
        let is_global =
            |array: &&duet_ir::Array| self.module.arrays[**array].space == Space::Global;
        if !options.may_alias && arrays.iter().filter(is_global).count() > 1 {
            list.push("distinct pointers point to distinct arrays".to_string());
        }
        list
    }

    fn arrays_of_unknown_size(&self, options: &CheckOptions) -> Vec<String> {
        let mut unknown: Vec<String> = vec![];
        for array in self.func.arrays_used() {
            if super::bounds::size_of(self.module, self.func, options, array).is_none() {
                unknown.push(format!("`{}`", self.module.arrays[array].name));
            }
        }
        unknown
    }

    /// Annotations that are believed, and functions without a body.
    fn about_the_source(&self) -> Vec<String> {
        let (mut requires, mut assumes, mut axioms) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut bodiless = BTreeSet::new();
        let func = self.func;
        for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
            match &func.insts[inst] {
                InstData::Annotation { kind, .. } => {
                    let lines = match kind {
                        AnnotationKind::Requires | AnnotationKind::GlobalRequires => &mut requires,
                        AnnotationKind::Assume => &mut assumes,
                        AnnotationKind::Axiom => &mut axioms,
                        _ => continue,
                    };
                    lines.extend(self.line_of(inst));
                }
                InstData::Fresh { cause, .. } => {
                    bodiless.extend(cause.strip_suffix(duet_ir::ASSUMED_FUNCTION));
                }
                _ => {}
            }
        }
        let mut list = vec![];
        for (what, lines) in
            [("precondition", requires), ("assumption", assumes), ("axiom", axioms)]
        {
            list.extend(holds_on(what, &lines));
        }
        // What is left of the cause is the function's name and a comma.
        list.extend(
            bodiless.iter().map(|name| format!("{name}which has no body, touches no memory")),
        );
        list
    }

    /// The line of an instruction in the user's source.
    pub(super) fn line_of(&self, inst: duet_ir::Inst) -> Option<u32> {
        let span = duet_frontend::source_span(self.module, self.func.inst_locs[inst])?;
        Some(span.line)
    }

    fn reads(&self, kind: GeometryKind) -> bool {
        self.func
            .insts
            .values()
            .any(|data| matches!(data, InstData::Geometry(geometry) if geometry.kind == kind))
    }
}

/// "the preconditions on lines 3 and 4 hold".
fn holds_on(what: &str, lines: &BTreeSet<u32>) -> Option<String> {
    let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
    match &numbers[..] {
        [] => None,
        [one] => Some(format!("the {what} on line {one} holds")),
        [first @ .., last] => {
            Some(format!("the {what}s on lines {} and {last} hold", first.join(", ")))
        }
    }
}

fn about_launch(options: &CheckOptions) -> Option<String> {
    let mut extents = options.launch.block.iter().chain(&options.launch.grid);
    let whose = match options.launch.most_threads < MAX_BLOCK {
        true => "the kernel's and the hardware's",
        false => "the hardware's",
    };
    let most = options.launch.most_threads;
    extents.any(|extent| *extent == Extent::Free).then(|| {
        format!(
            "free sizes keep to {whose} limits: {most} threads a block, 65535 blocks along y and z, 2^31-1 threads along a dimension"
        )
    })
}

/// What options leave out.
fn about_options(options: &CheckOptions) -> Vec<String> {
    let mut list = vec![];
    if options.only_divergence {
        list.push("there are no data races: they were not looked for".to_string());
    } else if options.only_intra_group {
        list.push(
            "threads of different blocks do not race: such pairs were not looked at".to_string(),
        );
    }
    if let Some(size) = options.warp_sync {
        list.push(format!("warps of {size} threads run in lock step (--warp-sync)"));
    }
    if options.scalar_args.iter().any(Option::is_some) {
        list.push("scalar arguments have the values given".to_string());
    }
    if options.array_sizes.iter().any(Option::is_some) {
        list.push("arrays have the sizes given".to_string());
    }
    list
}

/// Pointer parameters to global memory that the source does not promise to be
/// apart, where there are several.
pub fn unrestricted_pointers(module: &duet_ir::Module, func: &duet_ir::Function) -> Vec<String> {
    let pointers = func.params.iter().filter_map(|param| match param.kind {
        ParamKind::Array(array) => Some((param, &module.arrays[array])),
        _ => None,
    });
    let loose: Vec<String> = pointers
        .filter(|(_, data)| data.space == Space::Global && !data.restrict)
        .filter(|(_, data)| data.origin == duet_ir::ArrayOrigin::Param)
        .map(|(param, _)| param.name.clone())
        .collect();
    if loose.len() > 1 { loose } else { vec![] }
}
