//! A launch that is reached through many calls, as one relation: each size and argument is
//! what one of the calls makes it, and which call it is is an unknown.
//!
//! A helper function with a launch is inlined into its callers, so the launch is followed
//! once for each chain of calls. A few such relations are judged one by one, which is
//! clearer; many are put together here. The result has a launch for each launch of each of
//! them, and no others.
//!
//! Relations that are put together share unknowns of the same name. Only one of them is
//! about a launch: whatever the shared unknown is there, the facts and terms of the others
//! don't count.
//!
//! SOUNDNESS: a fact that one relation has and another has not is only claimed where the
//! launch is one of the first (trap 35 of the test `traps`).

use std::collections::{BTreeMap, HashMap};

use duet_ir::{Found, IntCc, Type};

use crate::relation::{
    Argument, BaseData, Origin, Relation, Site, Table, Term, TermData, Terms, Unknown, UnknownData,
};

/// The most relations of a launch that are judged one by one.
const MAX_SEPARATE: usize = 3;
/// The most facts of a relation that was put together.
const MAX_FACTS: usize = 40;
/// The most cases that are told.
const MAX_WORDS: usize = 3;
/// What is said of the unknown that tells the calls apart.
const WHICH: &str = "which call it is reached through";

/// The launches, with one relation for those that are reached through many calls.
pub fn joined(sites: Vec<Site>) -> Vec<Site> {
    let mut order = vec![];
    let mut groups: BTreeMap<_, Vec<Site>> = BTreeMap::new();
    for site in sites {
        let key = (site.place.clone(), site.kernel.clone());
        if !groups.contains_key(&key) {
            order.push(key.clone());
        }
        groups.entry(key).or_default().push(site);
    }
    let mut found = vec![];
    for key in order {
        let group = groups.remove(&key).unwrap_or_default();
        match group.len() > MAX_SEPARATE {
            true => found.extend(join_group(group)),
            false => found.extend(group),
        }
    }
    found
}

fn join_group(group: Vec<Site>) -> Vec<Site> {
    let relations: Vec<&Relation> = group.iter().map(|site| &site.relation).collect();
    match join(&relations) {
        Some(relation) => {
            let first = &group[0];
            let (kernel, place) = (first.kernel.clone(), first.place.clone());
            let is_common = |table: &&Table| group.iter().all(|one| one.tables.contains(table));
            let tables = first.tables.iter().filter(is_common).cloned().collect();
            vec![Site { kernel, place, through: vec![], relation, tables, is_once: false }]
        }
        None => group,
    }
}

/// What one of the relations says, in common terms.
#[derive(PartialEq, Eq)]
struct Part {
    grid: [Term; 3],
    block: [Term; 3],
    shared: Term,
    arguments: Option<Vec<Argument>>,
    bases: Vec<BaseData>,
    facts: Vec<Term>,
}

/// The relation whose launches are those of all of these; `None` if pointers share memory
/// in one of them and not in another.
pub fn join(relations: &[&Relation]) -> Option<Relation> {
    if relations.iter().any(|relation| relation.items.is_some()) {
        return None;
    }
    let mut common = Common::new();
    let mut parts: Vec<Part> = vec![];
    for relation in relations {
        let part = common.import(relation);
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    let grid = common.choose_sizes(&parts, |part| part.grid)?;
    let block = common.choose_sizes(&parts, |part| part.block)?;
    let shared = common.choose(&parts.iter().map(|part| part.shared).collect::<Vec<_>>())?;
    let (arguments, bases) = common.choose_arguments(&parts)?;
    let facts = common.facts(&parts);
    let Common { terms, unknowns, .. } = common;
    // Launches that were recorded are never joined: each is judged as it was.
    let joined =
        Relation { terms, unknowns, grid, block, shared, arguments, bases, facts, items: None };
    Some(joined.simplified())
}

/// Terms and unknowns of all relations.
struct Common {
    terms: Terms,
    unknowns: Vec<UnknownData>,
    which: Term,
}

impl Common {
    fn new() -> Common {
        let mut terms = Terms::default();
        let which = terms.unknown(Unknown(0), Type::I32);
        // Each call is one that the program makes: a defect behind any of them is one.
        let data = UnknownData { name: WHICH.into(), origin: Origin::Input, ty: Type::I32 };
        Common { terms, unknowns: vec![data], which }
    }

    fn import(&mut self, relation: &Relation) -> Part {
        let mut taken = vec![false; self.unknowns.len()];
        taken[0] = true;
        let mut unknowns = vec![];
        for data in &relation.unknowns {
            let known = (0..taken.len()).find(|&at| !taken[at] && self.unknowns[at] == *data);
            let at = known.unwrap_or_else(|| {
                self.unknowns.push(data.clone());
                taken.push(false);
                taken.len() - 1
            });
            taken[at] = true;
            unknowns.push(Unknown(at as u32));
        }
        let mut map: HashMap<Term, Term> = HashMap::new();
        for number in 0..relation.terms.all().len() as u32 {
            let term = Term(number);
            let made = self.import_term(&relation.terms, term, &unknowns, &map);
            if let Some(name) = relation.terms.name(term) {
                self.terms.set_name(made, name.to_string());
            }
            map.insert(term, made);
        }
        let mut change = |term: Term| map[&term];
        let arguments = relation.arguments.as_ref().map(|arguments| {
            arguments.iter().map(|argument| argument.with_terms(&mut change)).collect()
        });
        let base = |base: &BaseData| BaseData { size: base.size.map(|t| map[&t]), ..base.clone() };
        let mut facts: Vec<Term> = relation.facts.iter().map(|fact| map[fact]).collect();
        facts.sort();
        facts.dedup();
        Part {
            grid: relation.grid.map(|term| map[&term]),
            block: relation.block.map(|term| map[&term]),
            shared: map[&relation.shared],
            arguments,
            bases: relation.bases.iter().map(base).collect(),
            facts,
        }
    }

    /// A term in common unknowns. Terms are made after those that they are made of.
    fn import_term(
        &mut self,
        from: &Terms,
        term: Term,
        unknowns: &[Unknown],
        map: &HashMap<Term, Term>,
    ) -> Term {
        match from.data(term) {
            TermData::Const { bits, ty } => self.terms.constant(bits, ty),
            TermData::Unknown { unknown, ty } => {
                self.terms.unknown(unknowns[unknown.0 as usize], ty)
            }
            TermData::Binary { op, signed, args: [a, b] } => {
                self.terms.binary(op, signed, map[&a], map[&b])
            }
            TermData::Cast { op, arg, to } => self.terms.cast(op, map[&arg], to),
            TermData::Compare { cc, args: [a, b] } => self.terms.compare(cc, map[&a], map[&b]),
            TermData::Select { cond, args: [a, b] } => {
                self.terms.select(map[&cond], map[&a], map[&b])
            }
        }
    }

    /// Is the launch one of this part? Every value of the unknown stands for a part.
    fn is_part(&mut self, number: usize, count: usize) -> Term {
        let own = self.terms.constant(number as u128, Type::I32);
        let cc = if number + 1 == count { IntCc::Uge } else { IntCc::Eq };
        self.terms.compare(cc, self.which, own)
    }

    /// What the term is that the parts say.
    fn choose(&mut self, terms: &[Term]) -> Option<Term> {
        let (&last, before) = terms.split_last()?;
        if terms.iter().any(|&term| self.terms.ty(term) != self.terms.ty(last)) {
            return None;
        }
        let mut chosen = last;
        for (number, &term) in before.iter().enumerate().rev() {
            let own = self.is_part(number, terms.len());
            chosen = self.terms.select(own, term, chosen);
        }
        self.terms.set_name(chosen, self.any_of(terms));
        Some(chosen)
    }

    /// `blocks or numBlocks`: what users are told about a choice.
    fn any_of(&self, terms: &[Term]) -> String {
        let mut words: Vec<String> = vec![];
        for &term in terms {
            let word = match (self.terms.data(term), self.terms.name(term)) {
                (TermData::Const { bits, .. }, _) => bits.to_string(),
                (TermData::Unknown { unknown, .. }, _) => {
                    self.unknowns[unknown.0 as usize].name.clone()
                }
                (_, Some(name)) => name.to_string(),
                (_, None) => continue,
            };
            if !words.contains(&word) {
                words.push(word);
            }
        }
        if words.len() > MAX_WORDS {
            words.truncate(MAX_WORDS);
            words.push("others".into());
        }
        words.join(" or ")
    }

    fn choose_sizes(
        &mut self,
        parts: &[Part],
        of: impl Fn(&Part) -> [Term; 3],
    ) -> Option<[Term; 3]> {
        let mut at = |dim: usize| {
            let terms: Vec<Term> = parts.iter().map(|part| of(part)[dim]).collect();
            self.choose(&terms)
        };
        Some([at(0)?, at(1)?, at(2)?])
    }

    fn choose_arguments(
        &mut self,
        parts: &[Part],
    ) -> Option<(Option<Vec<Argument>>, Vec<BaseData>)> {
        let lists: Option<Vec<&Vec<Argument>>> =
            parts.iter().map(|part| part.arguments.as_ref()).collect();
        let Some(lists) = lists else { return Some((None, vec![])) };
        if lists.iter().any(|list| list.len() != lists[0].len()) {
            return None;
        }
        let mut bases = vec![];
        let mut known: Vec<Vec<usize>> = vec![];
        let mut arguments = vec![];
        for at in 0..lists[0].len() {
            let each: Vec<&Argument> = lists.iter().map(|list| &list[at]).collect();
            arguments.push(self.choose_argument(parts, &each, &mut known, &mut bases)?);
        }
        Some((Some(arguments), bases))
    }

    /// `known`: the numbers that each base of the result has in the parts.
    fn choose_argument(
        &mut self,
        parts: &[Part],
        each: &[&Argument],
        known: &mut Vec<Vec<usize>>,
        bases: &mut Vec<BaseData>,
    ) -> Option<Argument> {
        if each.iter().any(|argument| matches!(argument, Argument::Opaque)) {
            // Pointers elsewhere may share memory with what is not known here.
            let has_pointer = |one: &&Argument| {
                one.leaves().iter().any(|leaf| matches!(leaf, Argument::Pointer { .. }))
            };
            return (!each.iter().any(has_pointer)).then_some(Argument::Opaque);
        }
        match each[0] {
            Argument::Scalar(_) => {
                let terms: Option<Vec<Term>> = each
                    .iter()
                    .map(|argument| match argument {
                        Argument::Scalar(term) => Some(*term),
                        Argument::Pointer { .. } | Argument::Struct(_) | Argument::Opaque => None,
                    })
                    .collect();
                self.choose(&terms?).map(Argument::Scalar)
            }
            Argument::Pointer { .. } => {
                let pointers: Option<Vec<(usize, Term)>> = each
                    .iter()
                    .map(|argument| match argument {
                        Argument::Pointer { base, offset } => Some((*base, *offset)),
                        Argument::Scalar(_) | Argument::Struct(_) | Argument::Opaque => None,
                    })
                    .collect();
                let (numbers, offsets): (Vec<usize>, Vec<Term>) = pointers?.into_iter().unzip();
                let base = self.choose_base(parts, numbers, known, bases)?;
                Some(Argument::Pointer { base, offset: self.choose(&offsets)? })
            }
            Argument::Struct(first) => {
                let mut found = vec![];
                for (at, (offset, _)) in first.iter().enumerate() {
                    let members: Option<Vec<&Argument>> = each
                        .iter()
                        .map(|argument| match argument {
                            Argument::Struct(list) => {
                                let member = list.get(at).filter(|(other, _)| other == offset);
                                member.filter(|_| list.len() == first.len()).map(|(_, one)| one)
                            }
                            Argument::Scalar(_) | Argument::Pointer { .. } | Argument::Opaque => {
                                None
                            }
                        })
                        .collect();
                    found.push((*offset, self.choose_argument(parts, &members?, known, bases)?));
                }
                Some(Argument::Struct(found))
            }
            Argument::Opaque => None,
        }
    }

    /// The memory that has these numbers in the parts: the same pointers share it in all of
    /// them, or there is none.
    fn choose_base(
        &mut self,
        parts: &[Part],
        numbers: Vec<usize>,
        known: &mut Vec<Vec<usize>>,
        bases: &mut Vec<BaseData>,
    ) -> Option<usize> {
        if let Some(at) = known.iter().position(|other| *other == numbers) {
            return Some(at);
        }
        let meets = |other: &Vec<usize>| other.iter().zip(&numbers).any(|(a, b)| a == b);
        if known.iter().any(meets) {
            return None;
        }
        let each: Vec<&BaseData> =
            parts.iter().zip(&numbers).map(|(part, &number)| &part.bases[number]).collect();
        let sizes: Option<Vec<Term>> = each.iter().map(|base| base.size).collect();
        let size = match sizes {
            Some(sizes) => Some(self.choose(&sizes)?),
            None => None,
        };
        bases.push(BaseData {
            name: each[0].name.clone(),
            size,
            distinct: each.iter().all(|base| base.distinct),
            may_be_unset: each.iter().any(|base| base.may_be_unset),
            found: match each.iter().all(|base| base.found == each[0].found) {
                true => each[0].found,
                false => Found::Unknown,
            },
            given: each.iter().flat_map(|base| base.given.iter().cloned()).collect(),
        });
        known.push(numbers);
        Some(known.len() - 1)
    }

    /// Facts of all parts, and of each where it is the one.
    fn facts(&mut self, parts: &[Part]) -> Vec<Term> {
        let mut holders: BTreeMap<Term, Vec<usize>> = BTreeMap::new();
        for (number, part) in parts.iter().enumerate() {
            for &fact in &part.facts {
                holders.entry(fact).or_default().push(number);
            }
        }
        let mut facts: Vec<(usize, Term)> = vec![];
        for (fact, having) in holders {
            let mut claim = fact;
            for number in (0..parts.len()).filter(|number| !having.contains(number)) {
                let other = self.is_part(number, parts.len());
                claim = self.terms.or(other, claim);
            }
            facts.push((parts.len() - having.len(), claim));
        }
        facts.sort();
        facts.into_iter().map(|(_, fact)| fact).take(MAX_FACTS).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A launch of `n` blocks under a fact, and of 256 or other threads.
    fn relation(least: u128, threads: u128) -> Relation {
        let mut terms = Terms::default();
        let n = terms.unknown(Unknown(0), Type::I32);
        let bound = terms.constant(least, Type::I32);
        let fact = terms.compare(IntCc::Uge, n, bound);
        let one = terms.constant(1, Type::I32);
        let block = terms.constant(threads, Type::I32);
        let data = UnknownData { name: "n".into(), origin: Origin::Input, ty: Type::I32 };
        Relation {
            terms,
            unknowns: vec![data],
            grid: [n, one, one],
            block: [block, one, one],
            shared: one,
            arguments: Some(vec![Argument::Scalar(n)]),
            bases: vec![],
            facts: vec![fact],
            items: None,
        }
    }

    /// May the launch have these sizes?
    fn admits(relation: &Relation, grid: u128, block: u128) -> bool {
        (0..8).any(|which| {
            let values = |unknown: Unknown| {
                let name = &relation.unknowns[unknown.0 as usize].name;
                Some(if name == "n" { grid } else { which })
            };
            relation.terms.evaluate(relation.grid[0], &values) == Some(grid)
                && relation.terms.evaluate(relation.block[0], &values) == Some(block)
                && relation
                    .facts
                    .iter()
                    .all(|&fact| relation.terms.evaluate(fact, &values) == Some(1))
        })
    }

    #[test]
    fn each_call_keeps_what_is_known_of_it() {
        let parts = [relation(5, 256), relation(9, 128), relation(5, 256)];
        let joined = join(&parts.iter().collect::<Vec<_>>()).expect("one relation");
        assert!(admits(&joined, 5, 256) && admits(&joined, 9, 128));
        assert!(!admits(&joined, 4, 256) && !admits(&joined, 8, 128));
        assert!(!admits(&joined, 9, 64));
    }

    #[test]
    fn what_all_calls_say_is_said_once() {
        let parts = [relation(5, 256), relation(5, 256)];
        let joined = join(&parts.iter().collect::<Vec<_>>()).expect("one relation");
        assert_eq!(joined.unknowns.len(), 1);
        assert_eq!(joined.terms.bits(joined.block[0]), Some(256));
    }

    #[test]
    fn memory_that_only_some_calls_share_is_not_put_together() {
        let base = |distinct| BaseData { distinct, ..BaseData::unknown("d".into()) };
        let with = |numbers: [usize; 2]| {
            let mut relation = relation(5, 256);
            let zero = relation.terms.constant(0, Type::I64);
            let pointer = |base: usize| Argument::Pointer { base, offset: zero };
            relation.arguments = Some(numbers.map(pointer).to_vec());
            relation.bases = vec![base(true), base(true)];
            relation
        };
        let (apart, same) = (with([0, 1]), with([0, 0]));
        assert!(join(&[&apart, &same]).is_none());
        assert_eq!(join(&[&apart, &with([1, 0])]).expect("one relation").bases.len(), 2);
    }
}
