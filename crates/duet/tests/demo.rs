//! `scripts/demo.sh` works: what it claims about its two kernels is so.

use std::path::Path;
use std::process::Command;

#[test]
fn the_demo_shows_what_it_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new("bash")
        .arg("scripts/demo.sh")
        .current_dir(&root)
        .env("DUET", env!("CARGO_BIN_EXE_duet"))
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("bash runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}\n{errors}");
    for line in ["reduce: proved", "refuted, ", "duet: done:"] {
        assert!(text.contains(line), "no `{line}` in\n{text}\n{errors}");
    }
    // Commands are shown as a user types them.
    assert!(text.contains("\n$ duet check kernels/"), "{text}");
}
