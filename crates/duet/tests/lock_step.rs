//! Runs in lock step: kernels that rely on it and are right show no defect, their
//! twins with planted bugs do, and without lock step the right ones race.

mod common;

use std::process::Command;

use common::{KernelFile, assert_none, in_parallel, kernels};

fn relies_on_lock_step(file: &KernelFile) -> bool {
    file.header.options.iter().any(|option| option.starts_with("--warp-sync"))
}

/// Does a run of the kernel show a defect?
fn shows(file: &KernelFile, drop: &str) -> (bool, String) {
    let options =
        file.header.options.iter().filter(|one| drop.is_empty() || !one.starts_with(drop));
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .arg("run")
        .args(options)
        .arg(&file.path)
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}: {said}", file.name);
    // Overflow of random contents is a warning.
    (said.contains("error["), said)
}

#[test]
fn right_kernels_show_nothing() {
    let right: Vec<KernelFile> =
        kernels().into_iter().filter(|file| relies_on_lock_step(file) && file.passes()).collect();
    assert!(right.len() >= 6, "{} kernels", right.len());
    assert_none(
        in_parallel(&right, |file| {
            let (shown, said) = shows(file, "");
            shown.then(|| format!("{}: {said}", file.name))
        })
        .into_iter()
        .flatten(),
    );
}

#[test]
fn planted_bugs_show() {
    let wrong = kernels().into_iter().filter(|file| relies_on_lock_step(file) && !file.passes());
    let wrong: Vec<KernelFile> = wrong.collect();
    assert!(wrong.len() >= 6, "{} kernels", wrong.len());
    assert_none(
        in_parallel(&wrong, |file| {
            let (shown, said) = shows(file, "");
            (!shown).then(|| format!("{}: {said}", file.name))
        })
        .into_iter()
        .flatten(),
    );
}

/// Lock step is what makes the difference.
#[test]
fn without_lock_step_neighbours_race() {
    let file = common::kernel("warp/lockstep-reduce.cu");
    let (shown, said) = shows(&file, "--warp-sync");
    assert!(shown && said.contains("race"), "{said}");
}
