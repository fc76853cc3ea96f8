//! Records appended to files. The files are mapped into memory and shared, so what is
//! written survives the process without a call of the system for each record: even one
//! that is killed leaves every record that it finished.
//!
//! One lock orders the records of all threads; it is held for a copy of some hundred bytes.
//! If the files cannot be written, the program runs on and nothing more is recorded.

use std::collections::{HashMap, HashSet};
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard};

use crate::place::{Frames, code};
use crate::record::{Handle, Launch, Record};

/// Bytes of a file, unless a record needs more. A file has holes where nothing is written.
const FILE_BYTES: usize = 4 << 20;

/// The bytes of an argument, and what is in them where that is told.
type Argument = (u64, Option<Vec<u8>>);

/// The files of this process.
struct Log {
    folder: Option<PathBuf>,
    /// The next file's number.
    number: u32,
    /// The file that is being written: its memory and its length.
    map: *mut u8,
    size: usize,
    used: usize,
    /// The arguments of kernels as they were last written.
    arguments: HashMap<(Handle, u32), Argument>,
    /// Where the last launch came from.
    last_frames: Vec<u64>,
    /// Addresses of code that were told.
    told: HashSet<u64>,
    launches: u64,
    is_broken: bool,
}

// SAFETY: the memory belongs to the log, which is only used under its lock.
unsafe impl Send for Log {}

static LOG: Mutex<Option<Log>> = Mutex::new(None);
/// A child of a fork writes into files of its own.
static IS_CHILD: AtomicBool = AtomicBool::new(false);

extern "C" fn after_fork() {
    IS_CHILD.store(true, Ordering::SeqCst);
}

/// Writes a record down.
pub fn write(record: &Record) {
    with_log(|log| {
        // A handle may mean something else from now on.
        log.arguments.clear();
        log.append(record);
    });
}

/// Writes down the argument of a kernel, unless it has this value already: programs set all
/// arguments before each launch, and few of them change.
pub fn write_argument(kernel: Handle, index: u32, bytes: u64, value: Option<&[u8]>) {
    with_log(|log| {
        let known = log.arguments.get(&(kernel, index));
        if known.is_some_and(|(size, known)| *size == bytes && known.as_deref() == value) {
            return;
        }
        let value = value.map(<[u8]>::to_vec);
        log.append(&Record::Argument { kernel, index, bytes, value: value.clone() });
        log.arguments.insert((kernel, index), (bytes, value));
    });
}

/// Writes a launch down, with its number and place. Returns the number.
pub fn write_launch(launch: Launch, frames: &Frames) -> u64 {
    write_launch_as(launch, frames, Record::Launch)
}

/// The same for a launch that is part of another record.
pub fn write_launch_as(
    launch: Launch,
    frames: &Frames,
    record: impl FnOnce(Launch) -> Record,
) -> u64 {
    with_log(|log| {
        // Most launches come from where the last one came from.
        if log.last_frames != frames.addresses() {
            log.last_frames = frames.addresses().to_vec();
            for &address in frames.addresses() {
                if log.told.insert(address) {
                    log.append(&code(address));
                }
            }
        }
        let number = log.launches;
        log.launches += 1;
        let frames = frames.addresses().to_vec();
        log.append(&record(Launch { number, frames, ..launch }));
        number
    })
}

fn with_log<T>(work: impl FnOnce(&mut Log) -> T) -> T {
    let mut guard: MutexGuard<'_, Option<Log>> =
        LOG.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if IS_CHILD.swap(false, Ordering::SeqCst) {
        // The parent goes on writing into its memory: this one is not unmapped here but left.
        *guard = None;
    }
    work(guard.get_or_insert_with(Log::open))
}

/// The number of the calling thread.
fn thread() -> u64 {
    thread_local! {
        // SAFETY: the call has no conditions.
        static THREAD: u64 = unsafe { libc::syscall(libc::SYS_gettid) } as u64;
    }
    THREAD.try_with(|thread| *thread).unwrap_or_default()
}

impl Log {
    fn open() -> Log {
        static WATCHED: AtomicBool = AtomicBool::new(false);
        if !WATCHED.swap(true, Ordering::SeqCst) {
            // SAFETY: the handler only stores into an atomic variable.
            unsafe { libc::pthread_atfork(None, None, Some(after_fork)) };
        }
        let mut log = Log {
            folder: None,
            number: 0,
            map: std::ptr::null_mut(),
            size: 0,
            used: 0,
            arguments: HashMap::new(),
            last_frames: vec![],
            told: HashSet::new(),
            launches: 0,
            is_broken: false,
        };
        log.folder = own_folder();
        let text = |path: std::io::Result<PathBuf>| {
            path.map(|path| path.to_string_lossy().into_owned()).unwrap_or_default()
        };
        let (folder, program) = (text(std::env::current_dir()), text(std::env::current_exe()));
        log.append(&Record::Process { id: std::process::id().into(), folder, program });
        log
    }

    fn append(&mut self, record: &Record) {
        let bytes = record.encode(thread());
        if self.used + bytes.len() > self.size && !self.open_file(bytes.len()) {
            return;
        }
        // SAFETY: `open_file` made sure that the bytes fit behind `used`, which is a
        // multiple of 8, so the length is aligned; only the holder of the lock writes.
        unsafe {
            let at = self.map.add(self.used);
            std::ptr::copy_nonoverlapping(bytes.as_ptr().add(4), at.add(4), bytes.len() - 4);
            // The length comes last: without it there is no record.
            AtomicU32::from_ptr(at.cast()).store((bytes.len() as u32).to_le(), Ordering::Release);
        }
        self.used += bytes.len();
    }

    /// Opens the next file, large enough for a record. False if nothing can be recorded.
    fn open_file(&mut self, least: usize) -> bool {
        self.close_file();
        match self.try_open(least.max(FILE_BYTES)) {
            Some(map) => {
                self.map = map;
                self.size = least.max(FILE_BYTES);
                self.used = 0;
                true
            }
            None => {
                // Once is enough: a full disk stays full.
                if !self.is_broken {
                    eprintln!("duet: the trace cannot be written; launches are not recorded");
                }
                self.is_broken = true;
                false
            }
        }
    }

    fn try_open(&mut self, size: usize) -> Option<*mut u8> {
        if self.is_broken {
            return None;
        }
        let path = self.folder.as_ref()?.join(format!("{}.records", self.number));
        let options = std::fs::File::options().read(true).write(true).create_new(true).open(path);
        let file = options.ok()?;
        // Space is taken now: a full disk would otherwise end the program when it writes.
        // SAFETY: the descriptor is open.
        if unsafe { libc::posix_fallocate(file.as_raw_fd(), 0, size as libc::off_t) } != 0 {
            return None;
        }
        self.number += 1;
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED);
        // SAFETY: a new mapping of a file that is that long.
        let map =
            unsafe { libc::mmap(std::ptr::null_mut(), size, access, kind, file.as_raw_fd(), 0) };
        (map != libc::MAP_FAILED).then_some(map.cast())
    }

    fn close_file(&mut self) {
        if !self.map.is_null() {
            // SAFETY: the mapping is ours and nothing points into it.
            unsafe { libc::munmap(self.map.cast(), self.size) };
            self.map = std::ptr::null_mut();
        }
        (self.size, self.used) = (0, 0);
    }
}

/// A folder of this process within that of the trace. Numbers of processes are used again.
fn own_folder() -> Option<PathBuf> {
    let trace = PathBuf::from(std::env::var_os("DUET_TRACE")?);
    (1..1_000_000).map(|number| trace.join(format!("process-{number}"))).find_map(|folder| {
        match std::fs::create_dir(&folder) {
            Ok(()) => Some(Some(folder)),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => None,
            Err(_) => Some(None),
        }
    })?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::read_folder;

    /// An argument is written when it changes, and again once a handle may mean another buffer:
    /// the address of one that is gone is often that of the next.
    #[test]
    fn an_argument_is_written_when_it_changes() {
        let folder = std::env::temp_dir().join(format!("duet-writer-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        // SAFETY: no other test of this crate reads or writes variables.
        unsafe { std::env::set_var("DUET_TRACE", &folder) };
        let buffer = |bytes| Record::Buffer { buffer: 7, bytes, host: 0 };
        let handle = 7u64.to_le_bytes();
        write(&buffer(64));
        for value in [&handle[..], &handle[..], &[1, 0, 0, 0]] {
            write_argument(1, 0, value.len() as u64, Some(value));
        }
        write_argument(1, 0, 8, Some(&handle));
        write_argument(1, 1, 8, Some(&handle));
        write_argument(1, 2, 256, None);
        write_argument(1, 2, 256, None);
        write_argument(1, 2, 512, None);
        write(&buffer(32));
        write_argument(1, 0, 8, Some(&handle));
        let processes = read_folder(&folder).expect("a trace");
        std::fs::remove_dir_all(&folder).expect("a folder");
        let told = |entry: &crate::record::Entry| match &entry.record {
            Record::Argument { index, bytes, .. } => Some((*index, *bytes)),
            Record::Buffer { bytes, .. } => Some((99, *bytes)),
            _ => None,
        };
        let all: Vec<(u32, u64)> = processes.iter().flatten().filter_map(told).collect();
        let expected =
            [(99, 64), (0, 8), (0, 4), (0, 8), (1, 8), (2, 256), (2, 512), (99, 32), (0, 8)];
        assert_eq!(all, expected);
    }
}
