//! File tests: each file holds a kernel in the text form and, in the section `walks`, how
//! two threads go through each interval of each row: what is known at its start, the
//! accesses and ends of the first thread as terms, and the symbols that both threads have
//! in common. The launch is 64 threads in each of 4 blocks. `BLESS=1` rewrites the
//! sections.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;

use duet_ir::{Module, check_well_formed};
use duet_product::{End, FactsOptions, Family, Interval, KernelFacts, Row, Start};
use duet_smt::text::Printer;
use duet_smt::{Op, TermId, TermPool};
use duet_vc::{Extent, InRange, LaunchSpec, PairWalk, Premises, SiteTerm, Walk, Walker};

fn premises() -> Premises {
    let along = |size| [Extent::Number(size), Extent::Number(1), Extent::Number(1)];
    let launch = LaunchSpec {
        block: along(64),
        grid: along(4),
        global_offset: [0; 3],
        work_dim: 1,
        most_threads: 1024,
    };
    Premises { launch, global_size: [None; 3], scalar_args: vec![], private_arrays: true }
}

fn start_of(interval: &Interval) -> String {
    match interval.start {
        Start::Entry => "the entry".to_string(),
        Start::Barrier(inst) => format!("barrier {inst}"),
    }
}

fn orders(family: &Family) -> String {
    let parts =
        [(family.aligned, "alignment"), (family.shared, "shared"), (family.global, "global")];
    let names: Vec<&str> = parts.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
    names.join(", ")
}

/// Terms as SMT-LIB, with the definitions they need. Declarations are left out: names
/// tell what symbols are.
struct Terms<'p> {
    pool: &'p TermPool,
    printer: Printer,
    text: String,
}

impl Terms<'_> {
    fn show(&mut self, term: TermId) -> String {
        let mut definitions = String::new();
        let text = self.printer.term(self.pool, term, &mut definitions);
        let needed = definitions.lines().filter(|line| !line.starts_with("(declare"));
        for line in needed {
            let _ = writeln!(self.text, "  {line}");
        }
        text
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {line}");
    }
}

/// The symbols of a walk's accesses and ends.
fn symbols(pool: &TermPool, walk: &Walk) -> BTreeSet<String> {
    let sites = walk.sites.iter().flat_map(|site| [site.guard, site.offset]);
    let roots: Vec<TermId> = sites.chain(walk.ends.iter().map(|end| end.guard)).collect();
    let name = |term: TermId| match pool.op(term) {
        Op::Apply(func) => Some(pool.func_data(func).name.clone()),
        _ => None,
    };
    pool.reachable(&roots).into_iter().filter_map(name).collect()
}

fn show_site(terms: &mut Terms<'_>, facts: &KernelFacts<'_>, walk: &Walk, site: &SiteTerm) {
    let known: Vec<String> =
        walk.facts_at(site.at).into_iter().map(|fact| terms.show(fact)).collect();
    let (guard, offset) = (terms.show(site.guard), terms.show(site.offset));
    let how = match (site.atomic.is_some(), site.writes) {
        (true, _) => "updates",
        (false, true) => "writes",
        (false, false) => "reads",
    };
    let (inst, bytes) = (site.inst, site.bytes);
    let array = &facts.module.arrays[site.array].name;
    terms.line(&format!("{inst} {how} {bytes} bytes of @{array} at {offset} when {guard}"));
    for fact in known {
        terms.line(&format!("  knowing {fact}"));
    }
}

fn show_pair(facts: &KernelFacts<'_>, pool: &TermPool, pair: &PairWalk) -> String {
    let mut terms = Terms { pool, printer: Printer::new(), text: String::new() };
    for &fact in pair.facts.iter().filter(|fact| pool.as_bool(**fact) != Some(true)) {
        let fact = terms.show(fact);
        terms.line(&format!("given {fact}"));
    }
    for site in &pair.first.sites {
        show_site(&mut terms, facts, &pair.first, site);
    }
    for end in &pair.first.ends {
        let guard = terms.show(end.guard);
        let how = match end.end {
            End::Barrier(inst) => format!("ends at {inst}"),
            End::Return => "returns".to_string(),
            End::Halt => "fails".to_string(),
        };
        terms.line(&format!("{how} when {guard}"));
    }
    let (first, second) = (symbols(pool, &pair.first), symbols(pool, &pair.second));
    let common: Vec<&str> = first.intersection(&second).map(String::as_str).collect();
    let common = if common.is_empty() { "nothing".to_string() } else { common.join(" ") };
    terms.line(&format!("in common: {common}"));
    terms.text
}

fn walks(facts: &KernelFacts<'_>) -> String {
    let mut text = String::new();
    for row in &facts.program.rows {
        let aligned = row.families.iter().find(|family| family.aligned).expect("a family");
        for (family, interval) in intervals(row) {
            // Each interval has terms of its own, so that no text depends on another.
            let mut walker = Walker::new(facts, premises(), InRange::new());
            let pair = walker.walk_pair(row, family, interval, aligned);
            let Row { scope, mates, .. } = row;
            let (from, orders) = (start_of(interval), orders(family));
            let _ = writeln!(text, "{scope}, {mates:?}, for {orders}, from {from}:");
            text += &show_pair(facts, &walker.pool, &pair);
        }
    }
    text
}

fn intervals(row: &Row) -> impl Iterator<Item = (&Family, &Interval)> {
    row.families.iter().flat_map(|family| family.intervals.iter().map(move |one| (family, one)))
}

#[test]
fn walks_of_two_threads_are_what_the_files_say() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    duet_filetest::run(dir, "duet", |file| {
        let mut sections = file.sections();
        let module = Module::parse(&sections.input).map_err(|errors| format!("{errors:?}"))?;
        let module = check_well_formed(module).map_err(|errors| format!("{errors:?}"))?;
        let (kernel, _) = module.kernels().next().ok_or("no kernel")?;
        let options = FactsOptions {
            launch: LaunchSpec::known([4, 1, 1], [64, 1, 1]),
            arguments: BTreeMap::new(),
            may_alias: false,
            warp_sync: None,
        };
        let facts = KernelFacts::new(&module, kernel, &options);
        sections.set("walks", walks(&facts));
        Ok(sections.to_string())
    });
}
