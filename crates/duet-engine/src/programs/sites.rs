//! Which launches are judged together, and what is said of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use duet_check::HostLaunch;
use duet_host::{Host, HostPlace, Origin, Site, contents};
use duet_ir::{FileData, Found, Func, Function, LocData, WellFormed};

use super::bind::Plan;
use super::{Checked, Light, Program, SiteCopies, SiteKernel, SiteReport};
use crate::launch::{global_size, launch_spec};
use crate::sizes::{LaunchSizes, Size, Sizes};

/// Threads that a block may have, and blocks along y and z.
const MOST_THREADS: u128 = 1024;
const MOST_BLOCKS: [u128; 3] = [(1 << 31) - 1, 65535, 65535];

/// Makes a copy of a kernel of a file for each launch that the host code makes of it.
pub fn bind(module: WellFormed, host: &Host, file: &Path) -> Program {
    let kernels_launch = host.kernels_launch || contents::launches_kernels(&module);
    let host = &Host { kernels_launch, ..host.clone() };
    let kernels: Vec<(Func, String, String)> = module
        .kernels()
        .map(|(kernel, func)| (kernel, host.name_of(&func.symbol, file), func.name.clone()))
        .collect();
    let mut program =
        Program { module, sites: vec![], any_launch: vec![], not_followed: vec![], notes: vec![] };
    let keepless =
        kernels.iter().filter(|(kernel, ..)| contents::keeps_nothing(&program.module, *kernel));
    let keepless = keepless.map(|(_, symbol, _)| symbol.clone()).collect();
    let mut made = Made { keepless, ..Made::default() };
    for (kernel, symbol, name) in kernels {
        let launches: Vec<&Site> = host.sites.iter().filter(|site| site.kernel == symbol).collect();
        let is_dead = host.dead.contains(&symbol) && !host.escaped.contains(&symbol);
        if is_dead && !host.launches_any() {
            program.notes.push(format!("`{name}` is never launched: no launch can be reached"));
            continue;
        }
        // SOUNDNESS: the driver may launch any kernel, so its launches by name are not all
        // (kernels/programs/driver-bug.cu); so may a kernel of another file (test
        // `a_kernel_that_a_kernel_launches_is_judged_for_any_launch`).
        let is_escaped = host.escaped.contains(&symbol) || host.launches_any();
        if launches.is_empty() || is_escaped {
            program.any_launch.push(kernel);
        }
        if is_escaped || launches.is_empty() && !host.is_whole {
            program.not_followed.push(kernel);
        }
        let own: Vec<Site> = match contents::matter(&program.module, kernel) {
            true => launches.into_iter().cloned().collect(),
            false => launches.into_iter().map(Site::without_contents).collect(),
        };
        let launches: Vec<&Site> = own.iter().collect();
        for group in alike(&launches) {
            if let Some(why) = runs_nothing(group[0]) {
                let place = place(&group[0].place);
                program.notes.push(format!("{place}: `{name}` is not run there: {why}"));
                continue;
            }
            let site = bind_one(&mut program, host, kernel, &name, &group, &mut made);
            program.sites.push(site);
        }
    }
    if !host.missing.is_empty() && !program.sites.is_empty() {
        let names: Vec<&str> = host.missing.iter().map(String::as_str).take(4).collect();
        let more = host.missing.len().saturating_sub(names.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        program.notes.push(format!(
            "a part of the program is not seen ({}{more}): what it passes or changes is unknown",
            names.join(", ")
        ));
    }
    program
}

/// What was made for earlier launches of a file.
#[derive(Default)]
struct Made {
    /// Names of copies.
    names: BTreeSet<String>,
    /// Copies with constants only, by what they are made of.
    lights: BTreeMap<String, Light>,
    /// Checks of copies, by what they look at.
    checked: BTreeMap<String, Checked>,
    /// Symbols of the kernels of the file that keep no address that they are given.
    keepless: BTreeSet<String>,
}

/// Launches with the same relation are one.
fn alike<'s>(launches: &[&'s Site]) -> Vec<Vec<&'s Site>> {
    let mut groups: BTreeMap<String, Vec<&Site>> = BTreeMap::new();
    let mut order: Vec<String> = vec![];
    for site in launches {
        let relation = &site.relation;
        let key = format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            site.tables,
            relation.terms.all(),
            relation.grid,
            relation.block,
            relation.shared,
            relation.arguments,
            relation.bases,
            relation.facts,
            relation.unknowns,
            relation.items
        );
        if !groups.contains_key(&key) {
            order.push(key.clone());
        }
        groups.entry(key).or_default().push(site);
    }
    order.into_iter().filter_map(|key| groups.remove(&key)).collect()
}

/// Why a launch of constant sizes runs nothing, if it does.
fn runs_nothing(site: &Site) -> Option<String> {
    let relation = &site.relation;
    // What was recorded was run, whatever the limits of another machine are.
    if relation.items.is_some() {
        return None;
    }
    let bits = |term| relation.terms.bits(term);
    let block = relation.block.map(bits);
    let grid = relation.grid.map(bits);
    if block.iter().chain(&grid).any(|size| *size == Some(0)) {
        return Some("a size is 0".to_string());
    }
    let threads: u128 = block.iter().flatten().product();
    if threads > MOST_THREADS {
        return Some(format!("a block has {threads} threads, more than {MOST_THREADS}"));
    }
    let too_many = grid.iter().zip(MOST_BLOCKS).any(|(size, most)| size.is_some_and(|s| s > most));
    too_many.then(|| "there are more blocks than the hardware has".to_string())
}

fn bind_one(
    program: &mut Program,
    host: &Host,
    kernel: Func,
    name: &str,
    group: &[&Site],
    made: &mut Made,
) -> SiteKernel {
    let site = group[0];
    let relation = &site.relation;
    let (tables, is_copied) = contents::tables(&program.module, kernel, host, site);
    let keepless = &made.keepless;
    let keeps = |other: &str| !keepless.contains(other);
    let plan = Plan::new(&program.module, kernel, relation).with_contents(tables, &keeps);
    let sizes = relation.show_launch();
    let mut places: Vec<String> = group.iter().map(|site| place(&site.place)).collect();
    places.dedup();
    let is_recorded = relation.items.is_some();
    // A program's own function that launches says little; who called it says more.
    let callers: Vec<String> = site.through.iter().filter(|_| is_recorded).map(place).collect();
    let from =
        if callers.is_empty() { String::new() } else { format!(" from {}", callers.join(", ")) };
    let title = format!("{}{from} {name}{sizes}", places[0]);
    let mut unique = title.clone();
    for number in 2.. {
        if made.names.insert(unique.clone()) {
            break;
        }
        unique = format!("{title} ({number})");
    }
    let tag = format!("{}", program.sites.len());
    let loc = add_place(&mut program.module, &site.place);
    let light_name = format!("{unique} whatever its arguments are");
    let copies = plan.bind(&mut program.module, kernel, unique, tag.clone(), Some(loc));
    let sizes_of_launch = launch_sizes(&program.module.functions[kernel], relation);
    let launch = launch_spec(&program.module.functions[copies.plain], &sizes_of_launch);
    let likely = plan.likely(&program.module, copies.plain);
    let is_distinct = plan.is_distinct && !plan.may_alias;
    let has_light = !plan.unknowns.is_empty() && !plan.may_alias;
    let contents =
        contents::made_up(&program.module, kernel, &plan.known(&program.module.functions[kernel]));
    let lanes = contents::lanes_together(&program.module, kernel);
    let mut assumptions = vec![];
    if relation.bases.iter().any(|base| base.size.is_some()) && !is_recorded {
        assumptions.push("allocations succeed".to_string());
    }
    if is_copied {
        assumptions.push("copies to the device succeed".to_string());
    }
    if plan.found.iter().any(|found| matches!(found, Found::Filled { .. })) {
        assumptions.push("memory is set as the host code asks (cudaMemset)".to_string());
    }
    if relation.bases.iter().any(|base| base.size.is_some() && base.may_be_unset) {
        assumptions.push("pointers that the host code passes were set before".to_string());
    }
    if relation.items.as_ref().is_some_and(|items| items.local.is_none()) {
        assumptions.push(format!("OpenCL chooses groups of at most {MOST_THREADS} work-items"));
    }
    if host.is_closed {
        assumptions.push("the program consists of the files that were read".to_string());
    }
    let light = has_light.then(|| {
        let relation = relation.light();
        let tables = plan.tables.clone();
        // What tables hold is part of what a copy is proved for.
        let known = format!("{is_distinct} {assumptions:?} {tables:?} {:?}", plan.found);
        let key = format!("{kernel:?} {known} {}", key_of_light(&relation));
        if let Some(light) = made.lights.get(&key) {
            return light.clone();
        }
        let plan = Plan::new(&program.module, kernel, &relation).with_contents(tables, &keeps);
        let tag = format!("{tag}l");
        let copies = plan.bind(&mut program.module, kernel, light_name, tag, Some(loc));
        let sizes = launch_sizes(&program.module.functions[kernel], &relation);
        let launch = launch_spec(&program.module.functions[copies.plain], &sizes);
        let light = Light { copy: copies.plain, launch, checked: Arc::default() };
        made.lights.insert(key, light.clone());
        light
    });
    let report = SiteReport {
        kernel: name.to_string(),
        places,
        sizes,
        for_every: for_every(&plan, site),
        facts: relation.facts.iter().map(|&fact| relation.show(fact)).collect(),
        missing: plan.missing.clone(),
        is_distinct: plan.is_distinct && !plan.may_alias,
    };
    let host = HostLaunch {
        hypothetical: plan.hypothetical().into_iter().chain(contents).chain(lanes).collect(),
        hypothetical_sizes: plan.hypothetical_sizes(),
        may_alias: plan.may_alias,
        is_distinct: plan.is_distinct && !plan.may_alias,
        assumptions,
    };
    let original = Arc::new(plan.original(kernel, tag));
    let key = duet_check::code_key(&program.module, &copies, (&launch, loc), &host);
    let checked = made.checked.entry(key).or_default().clone();
    let is_shared = plan.is_shared();
    let copies = SiteCopies { copies, light, likely, is_shared, original, checked };
    let global_size = global_size(&sizes_of_launch);
    SiteKernel { copies, kernel, launch, global_size, host, site: report }
}

/// What a copy with constants only is made of, names aside.
///
/// SOUNDNESS: launches with equal keys have the same copy but for names
/// (kernels/programs/launches-differ-bug.cu).
fn key_of_light(light: &duet_host::Relation) -> String {
    let bases: Vec<(bool, bool)> =
        light.bases.iter().map(|base| (base.distinct, base.may_be_unset)).collect();
    let unknowns: Vec<_> = light.unknowns.iter().map(|unknown| unknown.ty).collect();
    format!(
        "{:?} {:?} {:?} {:?} {:?} {bases:?} {unknowns:?} {:?}",
        light.terms.all(),
        light.grid,
        light.block,
        light.shared,
        light.arguments,
        light.items
    )
}

/// The unknowns that a proof is for every value of, with what is known of each.
fn for_every(plan: &Plan<'_>, site: &Site) -> Vec<String> {
    let relation = &site.relation;
    let mut names: Vec<String> = plan
        .unknowns
        .iter()
        .map(|unknown| &relation.unknowns[unknown.0 as usize])
        .filter(|data| data.origin != Origin::Iteration || data.name != "iteration")
        .map(|data| data.name.clone())
        .collect();
    names.sort();
    names.dedup();
    names
}

/// A location for the launch.
fn add_place(module: &mut WellFormed, place: &HostPlace) -> duet_ir::Loc {
    let path = shown(&place.file);
    duet_transform::add_location(module, FileData::of_user(path), |file| LocData {
        file,
        line: place.line,
        column: place.column,
        inlined_at: None,
    })
}

/// The sizes that are numbers.
pub(super) fn launch_sizes(func: &Function, relation: &duet_host::Relation) -> LaunchSizes {
    if let Some(items) = &relation.items {
        return super::recorded::sizes(func, items);
    }
    let sizes = |terms: &[duet_host::Term; 3]| {
        let size = |&term| match relation.terms.bits(term) {
            Some(bits) => Size::Number(bits as u32),
            None => Size::Any,
        };
        Some(Sizes(terms.iter().map(size).collect()))
    };
    LaunchSizes {
        block: sizes(&relation.block),
        grid: sizes(&relation.grid),
        ..LaunchSizes::default()
    }
}

fn place(place: &HostPlace) -> String {
    let file = place.file.file_name().unwrap_or_default().to_string_lossy();
    match place.line {
        // A program without debug information: the address is part of the name.
        0 => file.into_owned(),
        line => format!("{file}:{line}"),
    }
}

/// A path as messages show it: relative to the current folder.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).to_string_lossy().into_owned()
}
