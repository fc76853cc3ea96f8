//! Values of terms, and models: what a solver answers and the evaluator reads.

use crate::pool::TermPool;
use crate::sort::{FuncId, Sort, mask};
use std::collections::BTreeMap;
use std::fmt;

/// A concrete value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector; bits above the width are zero.
    Bv {
        /// Its width.
        width: u32,
        /// Its bits.
        bits: u128,
    },
    /// An integer.
    Int(i128),
    /// An element of an uninterpreted sort, known by number only.
    Named(u32),
    /// An array.
    Array(Box<ArrayValue>),
}

/// A total array: some entries, the default elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayValue {
    /// Entries that differ from the default.
    pub entries: BTreeMap<Value, Value>,
    /// The value everywhere else.
    pub default: Value,
}

impl ArrayValue {
    /// The element at an index.
    pub fn get(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// The array with one element changed; equal arrays stay equal values.
    pub fn set(mut self, index: Value, element: Value) -> Self {
        if element == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, element);
        }
        self
    }
}

impl Value {
    /// A bit-vector, truncated to its width.
    pub fn bv(width: u32, bits: u128) -> Self {
        Value::Bv { width, bits: bits & mask(width) }
    }

    /// The value that a symbol without an entry in a model takes.
    pub fn zero(sort: Sort) -> Self {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::BitVec(width) => Value::bv(width, 0),
            Sort::Int => Value::Int(0),
            Sort::Named(_) => Value::Named(0),
            Sort::Array { element, .. } => Value::Array(Box::new(ArrayValue {
                entries: BTreeMap::new(),
                default: Value::bv(element, 0),
            })),
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The bits of a bit-vector.
    pub fn bits(&self) -> Option<u128> {
        match self {
            Value::Bv { bits, .. } => Some(*bits),
            _ => None,
        }
    }

    /// The integer, if it is one.
    pub fn as_int(&self) -> Option<i128> {
        match self {
            Value::Int(n) => Some(*n),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Bv { width, bits } => write!(f, "(_ bv{bits} {width})"),
            Value::Int(n) if *n < 0 => write!(f, "(- {})", n.unsigned_abs()),
            Value::Int(n) => write!(f, "{n}"),
            Value::Named(n) => write!(f, "@{n}"),
            Value::Array(a) => write!(f, "<array, {} entries>", a.entries.len()),
        }
    }
}

/// What is known of a function: entries, and the value elsewhere (zero of the
/// result sort if absent).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FuncTable {
    /// Values at argument tuples; a constant has one entry, at the empty tuple.
    pub entries: BTreeMap<Vec<Value>, Value>,
    /// Value at all others.
    pub default: Option<Value>,
}

/// Values for function symbols. Total: what is not listed is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    tables: BTreeMap<FuncId, FuncTable>,
}

impl Model {
    /// A model in which everything is zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a constant.
    pub fn set(&mut self, f: FuncId, value: Value) {
        self.set_at(f, Vec::new(), value);
    }

    /// Sets a function at one argument tuple.
    pub fn set_at(&mut self, f: FuncId, args: Vec<Value>, value: Value) {
        self.tables.entry(f).or_default().entries.insert(args, value);
    }

    /// Replaces all that is known of a function.
    pub fn set_table(&mut self, f: FuncId, table: FuncTable) {
        self.tables.insert(f, table);
    }

    /// What is known of a function.
    pub fn table(&self, f: FuncId) -> Option<&FuncTable> {
        self.tables.get(&f)
    }

    /// Forgets a function.
    pub fn remove(&mut self, f: FuncId) -> Option<FuncTable> {
        self.tables.remove(&f)
    }

    /// All functions with an entry.
    pub fn funcs(&self) -> impl Iterator<Item = (FuncId, &FuncTable)> {
        self.tables.iter().map(|(f, table)| (*f, table))
    }

    /// The value of a function at an argument tuple.
    pub fn value(&self, pool: &TermPool, f: FuncId, args: &[Value]) -> Value {
        let table = self.tables.get(&f);
        let known = table.and_then(|t| t.entries.get(args).or(t.default.as_ref()));
        known.cloned().unwrap_or_else(|| Value::zero(pool.func_data(f).result))
    }

    /// The value of a constant symbol by name, if the model lists one.
    pub fn by_name(&self, pool: &TermPool, name: &str) -> Option<&Value> {
        self.tables.get(&pool.find_func(name)?)?.entries.get(&[] as &[Value])
    }
}
