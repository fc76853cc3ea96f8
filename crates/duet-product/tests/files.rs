//! File tests: each file holds a kernel in the text form; the section `pairs` is
//! its pair program, the section `unaligned` the loops whose counts the barriers
//! of each row leave open, for branches as uniform as the analysis says and, in
//! brackets, for branches of which nothing is known.

use std::fmt::Write as _;
use std::path::PathBuf;

use duet_analysis::{
    Aliasing, ArrayUses, Dominators, LaunchSpec, Loops, Ranges, Uniformity, UniformityOptions,
};
use duet_ir::{BarrierScope, Func, Module, check_well_formed};
use duet_product::{Interval, Masks, PairProgram, Scope, Settings};

#[test]
fn pair_programs_are_what_the_files_say() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    duet_filetest::run(dir, "duet", |file| {
        let mut sections = file.sections();
        let module = Module::parse(&sections.input).map_err(|errors| format!("{errors:?}"))?;
        let module = check_well_formed(module).map_err(|errors| format!("{errors:?}"))?;
        let (kernel, func) = module.kernels().next().ok_or("no kernel")?;
        let dominators = Dominators::new(func);
        let loops = Loops::new(func, &dominators);
        let launch = LaunchSpec::default();
        let ranges = Ranges::new(func, &dominators, &loops, &launch, &Default::default());
        let program =
            PairProgram::new(func, &loops, &Settings::of_masks(&Masks::new(func, &ranges)));
        let names: Vec<String> = sections.names().map(str::to_string).collect();
        for name in names {
            let text = match name.as_str() {
                "pairs" => program.to_text(func),
                "unaligned" => unaligned(&module, kernel, &loops, &program),
                _ => return Err(format!("no section `{name}`")),
            };
            sections.set(&name, text);
        }
        Ok(sections.to_string())
    });
}

fn unaligned(module: &Module, kernel: Func, loops: &Loops, program: &PairProgram) -> String {
    let func = &module.functions[kernel];
    let uses = ArrayUses::new(module, kernel, Aliasing::Distinct);
    let uniformity = Uniformity::new(module, func, loops, &uses, UniformityOptions::default());
    let mut text = String::new();
    for row in &program.rows {
        let scope = match row.scope {
            Scope::Warp => BarrierScope::Warp,
            Scope::Block => BarrierScope::Block,
            Scope::Grid => BarrierScope::Grid,
        };
        let is_uniform = |interval: &Interval| {
            let mut nodes = interval.region.nodes.values();
            nodes.all(|node| !uniformity.may_be_divergent_branch(node.block, scope))
        };
        for family in row.families.iter().filter(|family| family.aligned) {
            let list = |is_uniform: &dyn Fn(&Interval) -> bool| {
                let open = family.unaligned_loops(func, loops, is_uniform);
                open.iter().map(|id| format!(" {id}")).collect::<String>()
            };
            let (known, unknown) = (list(&is_uniform), list(&|_| false));
            let _ = writeln!(text, "{}:{known} [{}]", row.scope, unknown.trim_start());
        }
    }
    text
}
