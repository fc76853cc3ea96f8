//! Random small kernels with random contracts: whatever `duet prove` says is proved, a
//! simulation that knows nothing of Duet must find true for many sizes, and whatever it says
//! is refuted must be false for some.
//!
//! `PROVE_FUZZ=N` tries N kernels instead of a few.

use std::process::Command;

/// Kernels that are tried unless the environment says otherwise.
const SAMPLE: u64 = 16;

/// A function of an index, as C and as Rust.
type Index = (&'static str, fn(i64, i64) -> i64);
/// A condition on an index.
type Guard = (&'static str, fn(i64, i64) -> bool);
/// A value made of an element and an index.
type Make = (&'static str, fn(i64, i64) -> i64);

const STORES: [Index; 4] = [
    ("i", |i, _| i),
    ("n - 1 - i", |i, n| n - 1 - i),
    ("2 * i", |i, _| 2 * i),
    ("i + 1", |i, _| i + 1),
];
const GUARDS: [Guard; 4] = [
    ("i < n", |i, n| i < n),
    ("i + 1 < n", |i, n| i + 1 < n),
    ("i < n && i > 0", |i, n| i < n && i > 0),
    ("i < n && i != 2", |i, n| i < n && i != 2),
];
const VALUES: [Make; 4] = [
    ("v", |v, _| v),
    ("v ^ 5", |v, _| v ^ 5),
    ("i", |_, i| i),
    ("v < 3 ? 1 : 0", |v, _| i64::from(v < 3)),
];
const CELLS: [Index; 3] =
    [("j", |j, _| j), ("2 * j", |j, _| 2 * j), ("n - 1 - j", |j, n| n - 1 - j)];
const SOURCES: [Index; 3] =
    [("j", |j, _| j), ("n - 1 - j", |j, n| n - 1 - j), ("j + 1", |j, _| j + 1)];

struct Numbers(u64);

impl Numbers {
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        from[(self.0 >> 33) as usize % from.len()]
    }
}

struct Case {
    store: Index,
    guard: Guard,
    value: Make,
    cell: Index,
    source: Index,
    claimed: Make,
}

impl Case {
    fn new(seed: u64) -> Case {
        let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
        let value = numbers.pick(&VALUES);
        let mut case = Case {
            store: numbers.pick(&STORES),
            guard: numbers.pick(&GUARDS),
            value,
            cell: numbers.pick(&CELLS),
            source: numbers.pick(&SOURCES),
            claimed: numbers.pick(&VALUES),
        };
        // Right contracts come up often enough that something is proved.
        if numbers.pick(&[true, false]) {
            case.claimed = value;
            let (store, cell, source) = numbers.pick(&[(0, 0, 0), (1, 0, 1), (2, 1, 0), (0, 2, 1)]);
            (case.store, case.cell) = (STORES[store], CELLS[cell]);
            case.source = SOURCES[source];
            if numbers.pick(&[true, true, false]) {
                case.guard = GUARDS[0];
            }
        }
        case
    }

    fn text(&self) -> String {
        let claimed = self.claimed.0.replace('v', &format!("a[{}]", self.source.0));
        let claimed = claimed.replace('i', &format!("({})", self.source.0));
        let value = self.value.0.replace('v', "a[i]");
        format!(
            "//@ requires 0 <= n && n <= \\threads && n < 1000000;\n\
             //@ ensures \\forall int j; 0 <= j < n ==> c[{}] == ({claimed});\n\
             __global__ void k(int *c, const int *a, int n) {{\n  \
             int i = blockDim.x * blockIdx.x + threadIdx.x;\n  \
             if ({}) c[{}] = {value};\n}}\n",
            self.cell.0, self.guard.0, self.store.0
        )
    }

    /// Does the contract hold for so many elements?
    fn holds(&self, n: i64) -> bool {
        let a: Vec<i64> = (0..4 * n + 4).map(|at| at * 7 % 11).collect();
        let mut c: Vec<i64> = (0..4 * n + 4).map(|at| 1000 + at).collect();
        for i in (0..n + 3).filter(|&i| (self.guard.1)(i, n)) {
            c[(self.store.1)(i, n) as usize] = (self.value.1)(a[i as usize], i);
        }
        (0..n).all(|j| {
            let source = (self.source.1)(j, n);
            c[(self.cell.1)(j, n) as usize] == (self.claimed.1)(a[source as usize], source)
        })
    }
}

#[test]
fn nothing_wrong_is_proved_and_nothing_right_refuted() {
    let count = std::env::var("PROVE_FUZZ").ok().and_then(|text| text.parse().ok());
    let folder = tempfile::tempdir().expect("a folder");
    let mut proved = 0;
    for seed in 0..count.unwrap_or(SAMPLE) {
        let case = Case::new(seed);
        let file = folder.path().join(format!("k{seed}.cu"));
        std::fs::write(&file, case.text()).expect("a file");
        let output = Command::new(env!("CARGO_BIN_EXE_duet"))
            .arg("prove")
            .arg(&file)
            .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
            .output()
            .expect("duet runs");
        let is_right = (0..24).all(|n| case.holds(n));
        match output.status.code() {
            Some(0) => {
                assert!(is_right, "proved, but wrong:\n{}", case.text());
                proved += 1;
            }
            Some(1) => assert!(!is_right, "refuted, but right:\n{}", case.text()),
            Some(2) => {}
            code => {
                panic!("{code:?}\n{}\n{}", case.text(), String::from_utf8_lossy(&output.stderr))
            }
        }
    }
    assert!(proved > 0, "nothing was proved");
}
