//! File tests: each file holds a kernel in the text form and, in sections named
//! after the analyses, what they print. `BLESS=1` rewrites the sections that a file
//! has; a new file needs only the lines `==== name`. Comments of the input set the
//! launch: see `Setting::parse`.

mod common;

use std::path::PathBuf;

use common::{Results, Setting};
use duet_ir::{Module, check_well_formed};

#[test]
fn analyses_print_what_the_files_say() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    duet_filetest::run(dir, "duet", |file| {
        let mut sections = file.sections();
        let module = Module::parse(&sections.input).map_err(|errors| format!("{errors:?}"))?;
        let module = check_well_formed(module).map_err(|errors| format!("{errors:?}"))?;
        let (kernel, _) = module.kernels().next().ok_or("no kernel")?;
        let results = Results::new(&module, kernel, &Setting::parse(&sections.input));
        let names: Vec<String> = sections.names().map(str::to_string).collect();
        if names.is_empty() {
            return Err("no section".to_string());
        }
        for name in names {
            let text = results.section(&name).ok_or(format!("no analysis `{name}`"))?;
            sections.set(&name, text);
        }
        Ok(sections.to_string())
    });
}
