//! What `duet cc` kept of the sources of a program.
//!
//! Beside an object `o` there are `o.duet.cu`, its preprocessed text, and `o.duet.kernels`,
//! a line for each kernel: its symbol and the bytes of its parameters, `?` where they are not
//! known. The object names the first in a section of its own, and so does every program that
//! it is linked into: the section is a list of paths, each ended by NUL.

use std::collections::{HashMap, HashSet};
use std::ffi::{CStr, OsStr, c_int, c_void};
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::record::Record;
use crate::writer::write;

/// The section of objects that names the texts.
pub const SECTION: &str = "duet_cc";
/// What the name of a text ends with.
pub const TEXT_SUFFIX: &str = ".duet.cu";
/// What the name of the list of kernels ends with.
pub const KERNELS_SUFFIX: &str = ".duet.kernels";

/// The bytes of each parameter of a kernel, where they are known.
pub type Sizes = Vec<Option<usize>>;

/// What is known so far.
#[derive(Default)]
struct Known {
    /// Files of the program and its libraries that were looked at.
    objects: HashSet<PathBuf>,
    kernels: HashMap<String, Sizes>,
}

static KNOWN: Mutex<Option<Known>> = Mutex::new(None);

/// The sizes of the parameters of a kernel, by its symbol. Texts that were not seen before
/// are written down.
pub fn sizes_of(kernel: &str) -> Option<Sizes> {
    let mut guard = KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let known = guard.get_or_insert_with(Known::default);
    if !known.kernels.contains_key(kernel) {
        for object in loaded() {
            if known.objects.insert(object.clone()) {
                known.look_at(&object);
            }
        }
    }
    known.kernels.get(kernel).cloned()
}

impl Known {
    fn look_at(&mut self, object: &Path) {
        for text in texts_named_in(object).unwrap_or_default() {
            let Ok(bytes) = std::fs::read(&text) else { continue };
            let name = text.to_string_lossy().into_owned();
            let list = name.strip_suffix(TEXT_SUFFIX).unwrap_or(&name).to_string();
            let list = std::fs::read_to_string(list + KERNELS_SUFFIX).unwrap_or_default();
            let mut kernels = vec![];
            for line in list.lines() {
                let mut words = line.split_whitespace();
                let Some(symbol) = words.next() else { continue };
                let sizes = words.map(|word| word.parse().ok()).collect();
                self.kernels.insert(symbol.to_string(), sizes);
                kernels.push(symbol.to_string());
            }
            write(&Record::Built { path: name, text: bytes, kernels });
        }
    }
}

/// The files of the program and its libraries.
fn loaded() -> Vec<PathBuf> {
    extern "C" fn note(info: *mut libc::dl_phdr_info, _: usize, data: *mut c_void) -> c_int {
        // SAFETY: `data` is the list that `loaded` passes, and the name ends with NUL.
        unsafe {
            let list = &mut *data.cast::<Vec<PathBuf>>();
            let name = (*info).dlpi_name;
            let name = if name.is_null() { c"" } else { CStr::from_ptr(name) };
            list.push(PathBuf::from(OsStr::from_bytes(name.to_bytes())));
        }
        0
    }
    let mut list: Vec<PathBuf> = vec![];
    // SAFETY: the callback gets the list back while it lives.
    unsafe { libc::dl_iterate_phdr(Some(note), (&raw mut list).cast()) };
    let own = |path: PathBuf| match path.as_os_str().is_empty() {
        true => PathBuf::from("/proc/self/exe"),
        false => path,
    };
    list.into_iter().map(own).collect()
}

/// The paths in the section of a file, which is of 64 bits and little-endian.
fn texts_named_in(object: &Path) -> Option<Vec<PathBuf>> {
    let file = File::open(object).ok()?;
    let read = |at: u64, count: usize| -> Option<Vec<u8>> {
        let mut bytes = vec![0; count];
        file.read_exact_at(&mut bytes, at).ok()?;
        Some(bytes)
    };
    let number = |bytes: &[u8], at: usize, count: usize| -> Option<u64> {
        let part = bytes.get(at..at + count)?;
        Some(part.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    };
    let head = read(0, 64)?;
    if head.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let (table, size) = (number(&head, 0x28, 8)?, number(&head, 0x3a, 2)? as usize);
    let (count, names) = (number(&head, 0x3c, 2)? as usize, number(&head, 0x3e, 2)? as usize);
    let sections = read(table, size.checked_mul(count)?)?;
    let section = |index: usize| sections.get(index * size..(index + 1) * size);
    let place = |section: &[u8]| Some((number(section, 0x18, 8)?, number(section, 0x20, 8)?));
    let (at, length) = place(section(names)?)?;
    let names = read(at, usize::try_from(length).ok()?)?;
    for index in 0..count {
        let data = section(index)?;
        let name = names.get(number(data, 0, 4)? as usize..)?;
        if CStr::from_bytes_until_nul(name).ok()?.to_bytes() != SECTION.as_bytes() {
            continue;
        }
        let (at, length) = place(data)?;
        let bytes = read(at, usize::try_from(length).ok()?)?;
        let paths = bytes.split(|&byte| byte == 0).filter(|path| !path.is_empty());
        return Some(paths.map(|path| PathBuf::from(OsStr::from_bytes(path))).collect());
    }
    None
}
