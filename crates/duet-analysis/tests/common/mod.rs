//! What the tests share: all analyses of a kernel at once.

#![allow(dead_code)] // each test file uses its part

pub mod generator;
pub mod graph_generator;
pub mod trace;

use std::collections::{BTreeMap, BTreeSet};

use duet_analysis::{
    Aliasing, ArrayUses, Barriers, ClosedForms, ControlDependence, Dominators, Extent, Intervals,
    IterationBounds, LaunchSpec, Loops, PostDominators, PowersOfTwo, Ranges, SCOPES, Strides,
    Uniformity, UniformityOptions,
};
use duet_ir::{Array, EntityRef, Func, Function, Module, Space, Value};

/// A small generator of repeatable numbers (xorshift).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % limit.max(1) as u64) as usize
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// What a test file says about the launch, in comments of its input.
#[derive(Default)]
pub struct Setting {
    pub launch: LaunchSpec,
    pub arguments: BTreeMap<Value, u128>,
    pub aliasing: Aliasing,
    pub uniformity: UniformityOptions,
}

impl Setting {
    /// Reads `; block 64 * 1`, `; grid 2 1 1`, `; arg v0 5`, `; may-alias`,
    /// `; divisions-defined`, `; width 64`.
    pub fn parse(text: &str) -> Setting {
        let mut setting = Setting::default();
        for line in text.lines().filter_map(|line| line.strip_prefix("; ")) {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                ["block", x, y, z] => setting.launch.block = [size(x), size(y), size(z)],
                ["grid", x, y, z] => setting.launch.grid = [size(x), size(y), size(z)],
                ["arg", value, bits] => {
                    let number = value[1..].parse().expect("a value");
                    setting.arguments.insert(Value::new(number), bits.parse().expect("bits"));
                }
                ["may-alias"] => setting.aliasing = Aliasing::MayAlias,
                ["divisions-defined"] => setting.uniformity.divisions_are_defined = true,
                ["width", x] => setting.uniformity.block_width = x.parse().ok(),
                _ => {}
            }
        }
        setting
    }
}

fn size(word: &str) -> Extent {
    if word == "*" { Extent::Free } else { Extent::Number(word.parse().expect("a size")) }
}

/// Which loops write which arrays, and touch which by atomics.
fn loop_arrays(module: &Module, func: &Function, loops: &Loops, arrays: &ArrayUses) -> String {
    let names = |found: BTreeSet<Array>| -> String {
        found.iter().map(|&array| format!(" @{}", module.arrays[array].name)).collect()
    };
    let lines = loops.iter().map(|(id, _)| {
        let written = names(arrays.may_be_written_in(func, loops, id));
        let atomic = names(arrays.may_be_atomic_in(func, loops, id));
        format!("{id}: writes{written}; atomics{atomic}\n")
    });
    lines.collect()
}

/// Every analysis of one function.
pub struct Results {
    pub dominators: Dominators,
    pub post_dominators: PostDominators,
    pub control: ControlDependence,
    pub loops: Loops,
    pub arrays: ArrayUses,
    /// Which loops write which arrays.
    pub loop_arrays: String,
    pub uniformity: Uniformity,
    pub barriers: Barriers,
    pub intervals: Vec<Intervals>,
    pub forms: ClosedForms,
    pub ranges: Ranges,
    pub strides: Strides,
    pub iterations: IterationBounds,
    pub powers: PowersOfTwo,
}

impl Results {
    pub fn new(module: &Module, id: Func, setting: &Setting) -> Results {
        let func = &module.functions[id];
        let dominators = Dominators::new(func);
        let post_dominators = PostDominators::new(func, &dominators);
        let control = ControlDependence::new(func, &dominators, &post_dominators);
        let loops = Loops::new(func, &dominators);
        let arrays = ArrayUses::new(module, id, setting.aliasing);
        let loop_arrays = loop_arrays(module, func, &loops, &arrays);
        let uniformity = Uniformity::new(module, func, &loops, &arrays, setting.uniformity);
        let barriers = Barriers::new(module, id);
        let spaces = [None, Some(Space::Shared), Some(Space::Global)];
        let intervals = SCOPES
            .into_iter()
            .flat_map(|row| spaces.map(|space| (row, space)))
            .map(|(row, space)| Intervals::new(func, &loops, &barriers, row, space))
            .collect();
        let forms = ClosedForms::new(func, &loops, &arrays);
        let ranges = Ranges::new(func, &dominators, &loops, &setting.launch, &setting.arguments);
        let strides = Strides::new(func, &loops, &ranges);
        let iterations = IterationBounds::new(func, &dominators, &loops, &arrays, &forms, &ranges);
        let powers = PowersOfTwo::new(func, &loops, &forms, &ranges);
        Results {
            dominators,
            post_dominators,
            control,
            loops,
            arrays,
            loop_arrays,
            uniformity,
            barriers,
            intervals,
            forms,
            ranges,
            strides,
            iterations,
            powers,
        }
    }

    /// The intervals; those of a space only where they differ from alignment.
    fn print_intervals(&self) -> String {
        let body = |intervals: &Intervals| {
            let text = intervals.to_string();
            text.split_once('\n').map_or(String::new(), |(_, body)| body.to_string())
        };
        let mut text = String::new();
        for row in self.intervals.chunks(3) {
            for intervals in row {
                if intervals.space().is_none() || body(intervals) != body(&row[0]) {
                    text.push_str(&intervals.to_string());
                }
            }
        }
        text
    }

    /// The print form that a section of a test file holds.
    pub fn section(&self, name: &str) -> Option<String> {
        Some(match name {
            "dominators" => self.dominators.to_string(),
            "post-dominators" => self.post_dominators.to_string(),
            "control-dependence" => self.control.to_string(),
            "loops" => self.loops.to_string(),
            "arrays" => self.arrays.to_string(),
            "loop-arrays" => self.loop_arrays.clone(),
            "uniformity" => self.uniformity.to_string(),
            "barriers" => self.barriers.to_string(),
            "intervals" => self.print_intervals(),
            "closed-forms" => self.forms.to_string(),
            "ranges" => self.ranges.to_string(),
            "strides" => self.strides.to_string(),
            "iteration-bounds" => self.iterations.to_string(),
            "powers-of-two" => self.powers.to_string(),
            _ => return None,
        })
    }
}
