//! Answers on disk.
//!
//! The key is a hash of the question's text, the solver's name and version, and
//! the format of this file. Limits are no part of it: a definite answer does not
//! depend on them, and only definite answers are kept. An entry carries its key
//! and a checksum; one that does not fit is as good as none. Entries are written
//! aside and renamed, so processes may share a folder.

use super::Answer;
use crate::pool::TermPool;
use crate::sort::Sort;
use crate::text::{Sexp, parse_sexps};
use crate::value::{ArrayValue, Model, Value};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

const FORMAT: &str = "duet-smt-answer-2";

/// A folder of answers.
#[derive(Clone, Debug)]
pub struct QueryCache {
    folder: PathBuf,
}

impl QueryCache {
    /// Opens a folder, made if need be.
    pub fn open(folder: &Path) -> std::io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        Ok(QueryCache { folder: folder.to_path_buf() })
    }

    /// The key of a question to a solver.
    pub fn key(script: &str, solver: &str) -> String {
        hash(&[FORMAT, solver, script])
    }

    /// The kept answer, if there is a sound one. The caller still has to check
    /// a model, as any other. With it comes the work that it took, which counts again:
    /// with a cache no question gets further than without.
    pub fn get(&self, pool: &TermPool, key: &str) -> Option<(Answer, u64)> {
        let text = std::fs::read_to_string(self.path(key)).ok()?;
        let (body, checksum) = text.trim_end().rsplit_once('\n')?;
        let mut lines = body.lines();
        let intact = lines.next()? == FORMAT && lines.next()? == key && hash(&[body]) == checksum;
        if !intact {
            return None;
        }
        let work = lines.next()?.parse().ok()?;
        let answer = match lines.next()? {
            "unsat" => Some(Answer::Unsat),
            "sat" => {
                let mut model = Model::new();
                lines.try_for_each(|line| read_entry(pool, line, &mut model))?;
                Some(Answer::Sat(model))
            }
            _ => None,
        };
        answer.map(|answer| (answer, work))
    }

    /// Keeps a definite answer. Failing to write is no error: the question will
    /// be asked again.
    pub fn put(&self, pool: &TermPool, key: &str, answer: &Answer, work: u64) {
        let mut body = format!("{FORMAT}\n{key}\n{work}\n{}", answer.word());
        match answer {
            Answer::Unknown(_) => return,
            Answer::Unsat => {}
            Answer::Sat(model) => {
                if write_model(pool, model, &mut body).is_none() {
                    return;
                }
            }
        }
        let _ = self.write(key, &format!("{body}\n{}\n", hash(&[&body])));
    }

    fn write(&self, key: &str, text: &str) -> std::io::Result<()> {
        let path = self.path(key);
        let folder = path.parent().expect("an entry has a folder");
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.persist(path).map(|_| ()).map_err(|error| error.error)
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(&key[..2]).join(&key[2..])
    }
}

fn hash(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// One line per entry: `(|name| (args…) value)`.
fn write_model(pool: &TermPool, model: &Model, out: &mut String) -> Option<()> {
    for (f, table) in model.funcs() {
        let name = &pool.func_data(f).name;
        for (args, value) in &table.entries {
            let args: Option<Vec<String>> = args.iter().map(write_value).collect();
            let _ = write!(out, "\n(|{name}| ({}) {})", args?.join(" "), write_value(value)?);
        }
    }
    Some(())
}

fn write_value(value: &Value) -> Option<String> {
    Some(match value {
        Value::Bool(b) => format!("{b}"),
        Value::Bv { bits, .. } => bits.to_string(),
        Value::Int(n) => n.to_string(),
        Value::Named(n) => n.to_string(),
        Value::Array(a) => {
            let mut text = format!("({}", write_value(&a.default)?);
            for (index, element) in &a.entries {
                let _ = write!(text, " ({} {})", write_value(index)?, write_value(element)?);
            }
            text + ")"
        }
    })
}

fn read_entry(pool: &TermPool, line: &str, model: &mut Model) -> Option<()> {
    let sexps = parse_sexps(line).ok()?;
    let [Sexp::List(items)] = &sexps[..] else { return None };
    let [Sexp::Atom(name), Sexp::List(args), value] = &items[..] else { return None };
    let f = pool.find_func(name)?;
    let data = pool.func_data(f);
    if data.args.len() != args.len() {
        return None;
    }
    let args = data.args.iter().zip(args).map(|(&sort, a)| read_value(sort, a));
    model.set_at(f, args.collect::<Option<_>>()?, read_value(data.result, value)?);
    Some(())
}

fn read_value(sort: Sort, s: &Sexp) -> Option<Value> {
    match sort {
        Sort::Bool => Some(Value::Bool(s.atom()?.parse().ok()?)),
        Sort::BitVec(width) => Some(Value::bv(width, s.atom()?.parse().ok()?)),
        Sort::Int => Some(Value::Int(s.atom()?.parse().ok()?)),
        Sort::Named(_) => Some(Value::Named(s.atom()?.parse().ok()?)),
        Sort::Array { index, element } => {
            let (default, rest) = s.list()?.split_first()?;
            let element = Sort::BitVec(element);
            let empty =
                ArrayValue { entries: BTreeMap::new(), default: read_value(element, default)? };
            let array = rest.iter().try_fold(empty, |array, entry| {
                let [i, v] = entry.list()? else { return None };
                Some(array.set(read_value(index.sort(), i)?, read_value(element, v)?))
            })?;
            Some(Value::Array(Box::new(array)))
        }
    }
}
