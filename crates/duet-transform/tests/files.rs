//! File tests: each file holds a kernel in the text form and, in sections named after
//! rewrites, the module after each of them. Whatever a file says, the result must be well
//! formed, must print as it is read back, and must have the kernel's accesses.

mod common;

use std::path::PathBuf;

use common::{kernel, parse, rewritten, unwound};
use duet_ir::{Inst, Module, well_formed_errors};

fn files() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files")
}

#[test]
fn rewrites_are_what_the_files_say() {
    duet_filetest::run(files(), "duet", |file| {
        let mut sections = file.sections();
        let module = parse(&sections.input)?;
        let names: Vec<String> = sections.names().map(str::to_string).collect();
        for name in names {
            let text = match rewritten(&module, &name)? {
                Some(result) => {
                    let errors = well_formed_errors(&result);
                    if !errors.is_empty() {
                        return Err(format!("{name}: {errors:?}"));
                    }
                    let text = result.to_string();
                    if parse(&text)?.to_string() != text {
                        return Err(format!("{name}: the text prints differently when read back"));
                    }
                    text
                }
                None => "cannot be done\n".to_string(),
            };
            sections.set(&name, text);
        }
        Ok(sections.to_string())
    });
}

/// The accesses of the only kernel, in its order of blocks.
fn accesses(module: &Module) -> Vec<Inst> {
    let func = &module.functions[kernel(module)];
    func.insts_in_order().filter(|&inst| !func.insts[inst].accesses().is_empty()).collect()
}

#[test]
fn accesses_and_their_ids_are_kept() {
    for file in duet_filetest::find_files(&files(), "duet") {
        let sections = file.sections();
        let module = parse(&sections.input).unwrap();
        for name in sections.names().filter(|name| !name.starts_with("unwound")) {
            let Some(result) = rewritten(&module, name).unwrap() else { continue };
            assert_eq!(accesses(&result), accesses(&module), "{name}");
            let [old, new] = [&module, &result].map(|one| &one.functions[kernel(one)]);
            for inst in accesses(&module) {
                assert_eq!(old.insts[inst], new.insts[inst], "{name}");
            }
        }
    }
}

#[test]
fn copies_name_what_they_are_copies_of() {
    for file in duet_filetest::find_files(&files(), "duet") {
        let module = parse(&file.sections().input).unwrap();
        let unwound = unwound(&module, 3).expect("loops with one entry");
        let copies = accesses(&unwound.module);
        let mut origins: Vec<Inst> = copies.iter().map(|&copy| unwound.origin(copy)).collect();
        origins.sort();
        origins.dedup();
        let mut old = accesses(&module);
        old.sort();
        assert_eq!(origins, old, "{}", file.path.display());
    }
}
