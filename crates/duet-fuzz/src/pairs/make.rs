//! Pairs of kernels: two members of a family, one of them changed in half of the cases.

use duet_equiv::pair::request::FloatModel;

use super::families::{FAMILIES, Family};
use super::mutate::mutant;
use super::trees::{self, Element, Tree};
use crate::random::Random;

/// Two kernels and what is asked about them.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The family.
    pub family: &'static str,
    /// Parameters, the same on both sides.
    pub params: String,
    /// The bodies of A and B.
    pub bodies: [String; 2],
    /// The size of a block on both sides.
    pub block: Option<&'static str>,
    /// The relation of the launches; nothing: they are the same.
    pub relation: Option<String>,
    /// Laws of float arithmetic.
    pub float: FloatModel,
}

/// What the templates of one pair share.
pub struct Parts {
    ty: Element,
    values: [Tree; 2],
    conditions: [Tree; 2],
    place: &'static str,
    size: &'static str,
}

const GLOBAL: [&str; 2] =
    ["blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x + blockDim.x * blockIdx.x"];
const PLACES: [&str; 5] =
    ["blockDim.x - 1 - t", "(t ^ 1)", "(t + 1) % blockDim.x", "t", "(t > 0 ? t - 1 : 0)"];

/// Makes a pair.
pub fn pair(random: &mut Random) -> Pair {
    let family = &FAMILIES[random.below(FAMILIES.len())];
    let ty = match random.below(3) {
        0 if family.floats => Element::Float,
        1 => Element::Unsigned,
        _ => Element::Int,
    };
    let block = random.pick(family.blocks);
    let parts = Parts::new(random, ty, family.leaves, block, true);
    let class = random.pick(family.classes);
    let other = if random.percent(90) { class } else { random.pick(family.classes) };
    let requires = random.pick(family.requires);
    let mut bodies = [class, other].map(|class| {
        let template = random.pick(class);
        format!("{requires} {}", parts.fill(random, template))
    });
    if random.percent(45) {
        let side = random.below(2);
        if random.percent(30) {
            // A mutant beside what it was made of differs in nothing else.
            bodies[1 - side] = bodies[side].clone();
        }
        if let Some(changed) = changed(random, &bodies[side]) {
            bodies[side] = changed;
        }
    }
    let float = match (ty, random.below(3)) {
        (Element::Float, 0) => FloatModel::Reassociating,
        _ => FloatModel::Exact,
    };
    let relation = (!family.relations.is_empty()).then(|| random.pick(family.relations).into());
    Pair { family: family.name, params: params(family, ty), bodies, block, relation, float }
}

/// Mostly the usual one.
fn guard(random: &mut Random) -> Tree {
    let text = random.pick(&["i < n", "i < n", "i < n", "i + 1 < n", "i != n", "i < n - 1"]);
    Tree::Leaf(format!("({text})"))
}

fn params(family: &Family, ty: Element) -> String {
    let name = ty.name();
    let aux = if family.name == "two outputs" { format!("{name} *aux, ") } else { String::new() };
    format!("{name} *out, {aux}const {name} *in, const {name} *w, int n, int m")
}

fn changed(random: &mut Random, body: &str) -> Option<String> {
    let has = |name: &str| {
        ["in", "w", "n", "m", "min", "max", "fmaxf"].contains(&name)
            || body.contains(&format!("int {name} ="))
            || body.contains(&format!(", {name} ="))
    };
    // Declarations keep their names; a name in the place of another must be declared before.
    mutant(random, body, &|name: &str| has(name))
}

impl Parts {
    /// New ones, made of these leaves; without calls and shifts where those are not wanted.
    pub fn new(
        random: &mut Random,
        ty: Element,
        leaves: &[&str],
        block: Option<&'static str>,
        calls: bool,
    ) -> Parts {
        let depth = random.below(3);
        let mut value = || loop {
            let tree = trees::value(random, ty, leaves, depth);
            let text = tree.to_string();
            if calls || !["min", "max", "fminf", ">>"].iter().any(|one| text.contains(one)) {
                return tree;
            }
        };
        let values = [value(), value()];
        Parts {
            ty,
            values,
            conditions: [guard(random), trees::condition(random, leaves)],
            place: random.pick(&PLACES),
            size: block.unwrap_or("4"),
        }
    }

    /// A template with its parts in place.
    pub fn fill(&self, random: &mut Random, template: &str) -> String {
        let mut text = String::new();
        let place = with_index(&self.place.replace("blockDim.x", self.size), "t", "j");
        let template = template.replace("{P@j}", &place);
        let mut rest = template.as_str();
        while let Some(start) = rest.find('{') {
            text.push_str(&rest[..start]);
            let inner = rest[start + 1..].find('}').map(|end| &rest[start + 1..start + 1 + end]);
            match inner.and_then(|inner| Some((inner, self.part(random, inner)?))) {
                Some((inner, part)) => {
                    text.push_str(&part);
                    rest = &rest[start + inner.len() + 2..];
                }
                None => {
                    text.push('{');
                    rest = &rest[start + 1..];
                }
            }
        }
        text + rest
    }

    fn part(&self, random: &mut Random, name: &str) -> Option<String> {
        let (name, index) = name.split_once('@').unwrap_or((name, "i"));
        let text = match name {
            "T" => return Some(self.ty.name().to_string()),
            "D" => return Some(self.size.to_string()),
            "P" => return Some(self.place.to_string()),
            "GID" => return Some(random.pick(&GLOBAL).to_string()),
            "GID0" => return Some(format!("int r = {};", random.pick(&GLOBAL))),
            "ID" => return Some(format!("int i = {};", random.pick(&GLOBAL))),
            "ID2" => {
                return Some("int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;".into());
            }
            "V" | "W" => {
                let tree = &self.values[usize::from(name == "W")];
                trees::rewritten(random, tree, self.ty).to_string()
            }
            "G" | "H" => {
                let tree = &self.conditions[usize::from(name == "H")];
                trees::rewritten(random, tree, self.ty).to_string()
            }
            _ => return None,
        };
        // In the loops over `k` the value depends on it as others do on `i`.
        let is_of_k = index.starts_with('k') && index != "k";
        Some(match (index, is_of_k) {
            ("i", _) => text,
            (_, true) => with_index(&text, "k", index),
            _ => with_index(&text, "i", index),
        })
    }
}

/// The text with another expression for a variable.
fn with_index(text: &str, name: &str, index: &str) -> String {
    let pieces = super::mutate::tokens(text);
    let all = pieces.into_iter().map(|piece| match piece == name {
        true => format!("({index})"),
        false => piece,
    });
    all.collect::<Vec<_>>().join(" ")
}
