//! What checks with claims about memory cost, by the number of threads, the operator and the
//! width of the elements: processor seconds of whole commands, solvers included. Prints a
//! table; passes and fails nothing.
//!
//! `cargo bench -p duet --bench claims -- [WORD]`: only rows with this word in them.

use std::path::Path;
use std::process::Command;

/// Ticks of the kernel's clock in a second, as `/proc` counts them.
const TICKS: f64 = 100.0;
/// No check may take longer, by the clock.
const LIMIT: &str = "--timeout=300";

const FIXED: [u32; 8] = [8, 16, 32, 64, 128, 256, 512, 1024];
const TYPES: [(&str, &str); 4] = [
    ("8 bits", "-DT=unsigned char"),
    ("16 bits", "-DT=unsigned short"),
    ("32 bits", "-DT=unsigned"),
    ("64 bits", "-DT=unsigned long long"),
];
const OPERATORS: [(&str, Option<&str>); 4] =
    [("+", None), ("max", Some("-DMAX")), ("|", Some("-DOR")), ("abstract", Some("-DABSTRACT"))];

/// A command, and what its row is called.
struct Case {
    name: String,
    file: String,
    options: Vec<String>,
}

fn case(name: &str, file: &str, options: &[&str]) -> Case {
    let options = options.iter().map(|option| option.to_string()).collect();
    Case { name: name.to_string(), file: file.to_string(), options }
}

fn main() {
    let word = std::env::args().skip(1).find(|arg| !arg.starts_with("--")).unwrap_or_default();
    println!("| what | threads | verdict | processor seconds |\n|---|---:|---|---:|");
    for case in cases().iter().filter(|case| case.name.contains(&word)) {
        let (verdict, seconds) = measure(case);
        println!("{} {verdict} | {seconds:.2} |", row(case));
    }
}

/// The first columns of a row.
fn row(case: &Case) -> String {
    let size = case.options.iter().find_map(|option| option.strip_prefix("--blockDim="));
    format!("| {} | {} |", case.name, size.unwrap_or("any"))
}

fn cases() -> Vec<Case> {
    let mut all = vec![case("compaction by contract", "modular/compaction-any.cu", &[])];
    let powers = || (1..32).map(|power| format!("--blockDim={}", 1u64 << power));
    all.extend(
        powers().map(|size| case("compaction by contract", "modular/compaction.cu", &[&size])),
    );
    all.push(case("compaction inlined", "modular/compaction-inlined-any.cu", &[]));
    all.push(case("Kogge-Stone", "scans/kogge-stone-any.cu", &[]));
    all.extend(powers().map(|size| case("Kogge-Stone", "scans/kogge-stone.cu", &[&size])));
    for (scan, file) in
        [("Blelloch", "modular/blelloch-any.cu"), ("Brent-Kung", "modular/brent-kung-any.cu")]
    {
        for (operator, chosen) in OPERATORS {
            for (bits, ty) in TYPES {
                let name = format!("{scan}, {operator}, {bits}");
                let own: Vec<&str> = chosen.into_iter().chain([ty]).collect();
                all.push(case(&name, file, &own));
                // The widths differ in nothing that depends on the number of threads.
                let sizes = FIXED.iter().filter(|&&size| bits == "32 bits" || size == 64);
                for size in sizes.map(|size| format!("--blockDim={size}")) {
                    all.push(case(&name, file, &[&own[..], &[&size]].concat()));
                }
            }
        }
    }
    for size in [8, 16, 32, 64].map(|size| format!("--blockDim={size}")) {
        all.push(case("Blelloch by equations", "equations/blelloch.cu", &[&size]));
    }
    all
}

/// The verdict, and the processor time of the command with all that it starts.
fn measure(case: &Case) -> (String, f64) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels");
    let before = time_of_children();
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .arg("check")
        .arg(folder.join(&case.file))
        .args(["--gridDim=1", "--no-refute", LIMIT])
        .args(&case.options)
        .output()
        .expect("duet runs");
    let seconds = time_of_children() - before;
    let verdict = match output.status.code() {
        Some(0) => "proved",
        Some(2) => "unproven",
        Some(_) | None => "an error",
    };
    (verdict.to_string(), seconds)
}

/// Processor seconds of all commands that have ended, from `/proc`.
fn time_of_children() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in parentheses, may have spaces in it.
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    let numbers: Vec<f64> =
        fields.skip(13).take(2).filter_map(|field| field.parse().ok()).collect();
    numbers.iter().sum::<f64>() / TICKS
}
