//! The form of a trace: records one after the other in files `NUMBER.records` for each
//! process, read in the order of their numbers.
//!
//! A record is its length in bytes (32 bits, a multiple of 8), its kind (32 bits), the
//! thread (64 bits) and its fields; numbers are little-endian. A text is its length (32
//! bits) and its bytes. The length is written last, so that a record is there as a whole or
//! not at all, whatever ends the process; a length of 0 is the end of a file.

use std::fmt;
use std::path::{Path, PathBuf};

/// Bytes before the fields: length, kind, thread.
pub const HEAD: usize = 16;

/// An object of OpenCL, by the handle that the program has for it. Handles are used again.
pub type Handle = u64;

/// Something that a program did.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // each variant says what its fields are
pub enum Record {
    /// The process: its number, its current folder, its program.
    Process { id: u64, folder: String, program: String },
    /// Code that calls came from: an address, the file that it is in, where that file begins,
    /// the function if it is known.
    Code { address: u64, file: String, base: u64, function: String },
    /// A program object of source text.
    Source { program: Handle, text: Vec<u8> },
    /// A program object of anything else, with what it is.
    Compiled { program: Handle, what: String },
    /// A program is built.
    Build { program: Handle, options: String },
    /// A program is compiled, with headers by name.
    Compile { program: Handle, options: String, headers: Vec<(String, Handle)> },
    /// Compiled programs are linked.
    Link { program: Handle, inputs: Vec<Handle> },
    /// A kernel of a program.
    Kernel { kernel: Handle, program: Handle, name: String },
    /// A copy of a kernel object with its arguments.
    Clone { kernel: Handle, from: Handle },
    /// A buffer; `host`: the program's memory, if it is used in place.
    Buffer { buffer: Handle, bytes: u64, host: u64 },
    /// A part of a buffer.
    SubBuffer { buffer: Handle, of: Handle, origin: u64, bytes: u64 },
    /// Shared virtual memory.
    Shared { pointer: u64, bytes: u64 },
    /// An argument of a kernel; no value: local memory of so many bytes.
    Argument { kernel: Handle, index: u32, bytes: u64, value: Option<Vec<u8>> },
    /// An argument that points into shared virtual memory.
    SharedArgument { kernel: Handle, index: u32, pointer: u64 },
    /// A launch, about to be made.
    Launch(Launch),
    /// A launch that OpenCL or CUDA refused.
    Refused { launch: u64, error: i32 },
    /// A source of CUDA that `duet cc` kept: its file, its text, the symbols of its kernels.
    Built { path: String, text: Vec<u8>, kernels: Vec<String> },
    /// A launch of CUDA, about to be made, with its dynamic shared memory and its arguments;
    /// none where their size is not known.
    CudaLaunch { launch: Launch, shared: u64, arguments: Option<Vec<Option<Vec<u8>>>> },
    /// Memory that is given back.
    Freed { pointer: u64 },
}

/// A launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// Its number in the process.
    pub number: u64,
    /// The kernel.
    pub kernel: Handle,
    /// The queue.
    pub queue: Handle,
    /// How many of the three dimensions count.
    pub dimensions: u32,
    /// Work-items.
    pub global: [u64; 3],
    /// Work-items of a group, if the program says.
    pub local: Option<[u64; 3]>,
    /// Added to global ids.
    pub offset: [u64; 3],
    /// The addresses that the calls return to, the innermost first.
    pub frames: Vec<u64>,
}

/// A record and the thread that it is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The thread, by the system's number.
    pub thread: u64,
    /// What it did.
    pub record: Record,
}

/// Why a trace cannot be read.
#[derive(Debug)]
pub enum TraceError {
    /// A file or folder cannot be read.
    File(PathBuf, std::io::Error),
    /// A record is none.
    Broken(PathBuf, usize),
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceError::File(path, error) => write!(f, "{}: {error}", path.display()),
            TraceError::Broken(path, at) => {
                write!(f, "{}: the record at byte {at} is broken", path.display())
            }
        }
    }
}

impl std::error::Error for TraceError {}

/// Fields as bytes.
#[derive(Default)]
pub struct Bytes(pub Vec<u8>);

impl Bytes {
    /// An empty record of a kind.
    pub fn new(kind: u32, thread: u64) -> Bytes {
        let mut bytes = Bytes(Vec::with_capacity(256));
        bytes.u32(0);
        bytes.u32(kind);
        bytes.u64(thread);
        bytes
    }

    fn u32(&mut self, number: u32) {
        self.0.extend(number.to_le_bytes());
    }

    fn u64(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    fn text(&mut self, text: &[u8]) {
        self.u32(text.len() as u32);
        self.0.extend(text);
    }

    fn list(&mut self, numbers: &[u64]) {
        self.u32(numbers.len() as u32);
        numbers.iter().for_each(|&number| self.u64(number));
    }
}

impl Record {
    /// The record as bytes, padded, with its length 0: who writes it sets that last.
    pub fn encode(&self, thread: u64) -> Vec<u8> {
        let mut bytes = Bytes::new(self.kind(), thread);
        self.encode_fields(&mut bytes);
        bytes.0.resize(bytes.0.len().next_multiple_of(8), 0);
        bytes.0
    }

    fn kind(&self) -> u32 {
        match self {
            Record::Process { .. } => 1,
            Record::Code { .. } => 2,
            Record::Source { .. } => 3,
            Record::Compiled { .. } => 4,
            Record::Build { .. } => 5,
            Record::Compile { .. } => 6,
            Record::Link { .. } => 7,
            Record::Kernel { .. } => 8,
            Record::Clone { .. } => 9,
            Record::Buffer { .. } => 10,
            Record::SubBuffer { .. } => 11,
            Record::Shared { .. } => 12,
            Record::Argument { .. } => 13,
            Record::SharedArgument { .. } => 14,
            Record::Launch(_) => 15,
            Record::Refused { .. } => 16,
            Record::Built { .. } => 17,
            Record::CudaLaunch { .. } => 18,
            Record::Freed { .. } => 19,
        }
    }

    fn encode_fields(&self, out: &mut Bytes) {
        match self {
            Record::Process { id, folder, program } => {
                out.u64(*id);
                out.text(folder.as_bytes());
                out.text(program.as_bytes());
            }
            Record::Code { address, file, base, function } => {
                out.u64(*address);
                out.u64(*base);
                out.text(file.as_bytes());
                out.text(function.as_bytes());
            }
            Record::Source { program, text } => {
                out.u64(*program);
                out.text(text);
            }
            Record::Compiled { program, what } => {
                out.u64(*program);
                out.text(what.as_bytes());
            }
            Record::Build { program, options } => {
                out.u64(*program);
                out.text(options.as_bytes());
            }
            Record::Compile { program, options, headers } => {
                out.u64(*program);
                out.text(options.as_bytes());
                out.u32(headers.len() as u32);
                for (name, header) in headers {
                    out.text(name.as_bytes());
                    out.u64(*header);
                }
            }
            Record::Link { program, inputs } => {
                out.u64(*program);
                out.list(inputs);
            }
            Record::Kernel { kernel, program, name } => {
                out.u64(*kernel);
                out.u64(*program);
                out.text(name.as_bytes());
            }
            Record::Clone { kernel, from } => {
                out.u64(*kernel);
                out.u64(*from);
            }
            Record::Buffer { buffer, bytes, host } => {
                out.u64(*buffer);
                out.u64(*bytes);
                out.u64(*host);
            }
            Record::SubBuffer { buffer, of, origin, bytes } => {
                out.u64(*buffer);
                out.u64(*of);
                out.u64(*origin);
                out.u64(*bytes);
            }
            Record::Shared { pointer, bytes } => {
                out.u64(*pointer);
                out.u64(*bytes);
            }
            Record::Argument { kernel, index, bytes, value } => {
                out.u64(*kernel);
                out.u32(*index);
                out.u64(*bytes);
                out.u32(u32::from(value.is_some()));
                out.text(value.as_deref().unwrap_or_default());
            }
            Record::SharedArgument { kernel, index, pointer } => {
                out.u64(*kernel);
                out.u32(*index);
                out.u64(*pointer);
            }
            Record::Launch(launch) => launch.encode(out),
            Record::Refused { launch, error } => {
                out.u64(*launch);
                out.u32(*error as u32);
            }
            Record::Built { path, text, kernels } => {
                out.text(path.as_bytes());
                out.text(text);
                out.u32(kernels.len() as u32);
                kernels.iter().for_each(|name| out.text(name.as_bytes()));
            }
            Record::CudaLaunch { launch, shared, arguments } => {
                launch.encode(out);
                out.u64(*shared);
                out.u32(u32::from(arguments.is_some()));
                let arguments = arguments.as_deref().unwrap_or_default();
                out.u32(arguments.len() as u32);
                for argument in arguments {
                    out.u32(u32::from(argument.is_some()));
                    out.text(argument.as_deref().unwrap_or_default());
                }
            }
            Record::Freed { pointer } => out.u64(*pointer),
        }
    }

    fn decode(kind: u32, read: &mut Reader<'_>) -> Option<Record> {
        Some(match kind {
            1 => Record::Process { id: read.u64()?, folder: read.text()?, program: read.text()? },
            2 => {
                let (address, base) = (read.u64()?, read.u64()?);
                Record::Code { address, base, file: read.text()?, function: read.text()? }
            }
            3 => Record::Source { program: read.u64()?, text: read.bytes()?.to_vec() },
            4 => Record::Compiled { program: read.u64()?, what: read.text()? },
            5 => Record::Build { program: read.u64()?, options: read.text()? },
            6 => {
                let (program, options) = (read.u64()?, read.text()?);
                let count = read.u32()?;
                let header = |_| Some((read.text()?, read.u64()?));
                let headers = (0..count).map(header).collect::<Option<_>>()?;
                Record::Compile { program, options, headers }
            }
            7 => Record::Link { program: read.u64()?, inputs: read.list()? },
            8 => Record::Kernel { kernel: read.u64()?, program: read.u64()?, name: read.text()? },
            9 => Record::Clone { kernel: read.u64()?, from: read.u64()? },
            10 => Record::Buffer { buffer: read.u64()?, bytes: read.u64()?, host: read.u64()? },
            11 => {
                let (buffer, of) = (read.u64()?, read.u64()?);
                Record::SubBuffer { buffer, of, origin: read.u64()?, bytes: read.u64()? }
            }
            12 => Record::Shared { pointer: read.u64()?, bytes: read.u64()? },
            13 => {
                let (kernel, index, bytes) = (read.u64()?, read.u32()?, read.u64()?);
                let has_value = read.u32()? != 0;
                let value = read.bytes()?.to_vec();
                Record::Argument { kernel, index, bytes, value: has_value.then_some(value) }
            }
            14 => {
                let (kernel, index) = (read.u64()?, read.u32()?);
                Record::SharedArgument { kernel, index, pointer: read.u64()? }
            }
            15 => Record::Launch(Launch::decode(read)?),
            16 => Record::Refused { launch: read.u64()?, error: read.u32()? as i32 },
            17 => {
                let (path, text) = (read.text()?, read.bytes()?.to_vec());
                let count = read.u32()?;
                let kernels = (0..count).map(|_| read.text()).collect::<Option<_>>()?;
                Record::Built { path, text, kernels }
            }
            18 => {
                let (launch, shared) = (Launch::decode(read)?, read.u64()?);
                let (are_known, count) = (read.u32()? != 0, read.u32()?);
                let argument = |_| {
                    let is_known = read.u32()? != 0;
                    let bytes = read.bytes()?.to_vec();
                    Some(is_known.then_some(bytes))
                };
                let arguments = (0..count).map(argument).collect::<Option<Vec<_>>>()?;
                let arguments = are_known.then_some(arguments);
                Record::CudaLaunch { launch, shared, arguments }
            }
            19 => Record::Freed { pointer: read.u64()? },
            _ => return None,
        })
    }
}

impl Launch {
    fn encode(&self, out: &mut Bytes) {
        out.u64(self.number);
        out.u64(self.kernel);
        out.u64(self.queue);
        out.u32(self.dimensions);
        out.u32(u32::from(self.local.is_some()));
        for sizes in [self.global, self.local.unwrap_or_default(), self.offset] {
            sizes.into_iter().for_each(|size| out.u64(size));
        }
        out.list(&self.frames);
    }

    fn decode(read: &mut Reader<'_>) -> Option<Launch> {
        let (number, kernel, queue) = (read.u64()?, read.u64()?, read.u64()?);
        let (dimensions, has_local) = (read.u32()?, read.u32()? != 0);
        let mut sizes = || Some([read.u64()?, read.u64()?, read.u64()?]);
        let (global, local, offset) = (sizes()?, sizes()?, sizes()?);
        let local = has_local.then_some(local);
        let frames = read.list()?;
        Some(Launch { number, kernel, queue, dimensions, global, local, offset, frames })
    }
}

/// The fields of a record that are still to be read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let count = self.u32()?;
        self.take(count as usize)
    }

    fn text(&mut self) -> Option<String> {
        self.bytes().map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    fn list(&mut self) -> Option<Vec<u64>> {
        let count = self.u32()?;
        (0..count).map(|_| self.u64()).collect()
    }
}

/// The records of one file's bytes. An error is the place of a record that is none.
fn entries(bytes: &[u8], out: &mut Vec<Entry>) -> Result<(), usize> {
    let mut at = 0;
    while let Some(head) = bytes.get(at..at + HEAD) {
        let mut read = Reader(head);
        let (length, kind, thread) =
            (read.u32().ok_or(at)? as usize, read.u32().ok_or(at)?, read.u64().ok_or(at)?);
        if length == 0 {
            break;
        }
        let body = bytes.get(at + HEAD..at + length).ok_or(at)?;
        let record = Record::decode(kind, &mut Reader(body)).ok_or(at)?;
        out.push(Entry { thread, record });
        at += length;
    }
    Ok(())
}

/// What was recorded in a folder: the records of each process, in the order in which they
/// were made.
///
/// # Errors
/// If a file cannot be read, or holds something else.
pub fn read_folder(folder: &Path) -> Result<Vec<Vec<Entry>>, TraceError> {
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        move |error| TraceError::File(path, error)
    };
    let mut processes: Vec<(u64, PathBuf)> = vec![];
    for item in std::fs::read_dir(folder).map_err(failed(folder))? {
        let path = item.map_err(failed(folder))?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let number = name.and_then(|name| name.strip_prefix("process-")?.parse().ok());
        processes.extend(number.map(|number| (number, path)));
    }
    processes.sort();
    processes.into_iter().map(|(_, path)| read_process(&path)).collect()
}

fn read_process(folder: &Path) -> Result<Vec<Entry>, TraceError> {
    let mut found = vec![];
    for number in 0.. {
        let path = folder.join(format!("{number}.records"));
        if !path.exists() {
            break;
        }
        let bytes = std::fs::read(&path).map_err(|error| TraceError::File(path.clone(), error))?;
        entries(&bytes, &mut found).map_err(|at| TraceError::Broken(path, at))?;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<Record> {
        let launch = Launch {
            number: 7,
            kernel: 1,
            queue: 2,
            dimensions: 2,
            global: [64, 8, 1],
            local: Some([8, 8, 1]),
            offset: [1, 0, 0],
            frames: vec![0x1000, 0x2000],
        };
        vec![
            Record::Process { id: 3, folder: "/tmp".into(), program: "a.out".into() },
            Record::Code { address: 1, file: "a".into(), base: 2, function: "main".into() },
            Record::Source { program: 5, text: b"kernel void k() {}".to_vec() },
            Record::Compiled { program: 5, what: "a binary".into() },
            Record::Build { program: 5, options: "-DN=4".into() },
            Record::Compile {
                program: 5,
                options: String::new(),
                headers: vec![("h.h".into(), 6)],
            },
            Record::Link { program: 5, inputs: vec![6, 7] },
            Record::Kernel { kernel: 1, program: 5, name: "k".into() },
            Record::Clone { kernel: 9, from: 1 },
            Record::Buffer { buffer: 11, bytes: 256, host: 0 },
            Record::SubBuffer { buffer: 12, of: 11, origin: 128, bytes: 64 },
            Record::Shared { pointer: 4096, bytes: 64 },
            Record::Argument { kernel: 1, index: 0, bytes: 3, value: Some(vec![1, 2, 3]) },
            Record::Argument { kernel: 1, index: 1, bytes: 64, value: None },
            Record::SharedArgument { kernel: 1, index: 2, pointer: 4100 },
            Record::Launch(Launch { local: None, ..launch.clone() }),
            Record::Launch(launch),
            Record::Refused { launch: 7, error: -54 },
        ]
    }

    fn written(records: &[Record]) -> Vec<u8> {
        let mut all = vec![];
        for record in records {
            let mut bytes = record.encode(42);
            let length = bytes.len() as u32;
            bytes[..4].copy_from_slice(&length.to_le_bytes());
            all.extend(bytes);
        }
        all
    }

    #[test]
    fn what_is_written_is_read() {
        let mut bytes = written(&samples());
        bytes.resize(bytes.len() + 100, 0);
        let mut read = vec![];
        entries(&bytes, &mut read).expect("records");
        assert!(read.iter().all(|entry| entry.thread == 42));
        let records: Vec<Record> = read.into_iter().map(|entry| entry.record).collect();
        assert_eq!(records, samples());
    }

    /// A process that was ended while it wrote leaves a record without a length.
    #[test]
    fn an_unfinished_record_is_the_end() {
        let mut bytes = written(&samples()[..3]);
        let whole = bytes.len();
        bytes.extend(samples()[3].encode(42));
        bytes.resize(whole + 4096, 0);
        let mut read = vec![];
        entries(&bytes, &mut read).expect("records");
        assert_eq!(read.len(), 3);
    }

    /// Bytes of any other kind are an error and no panic.
    #[test]
    fn other_bytes_are_refused() {
        let good = written(&samples());
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x41;
            let _ = entries(&bad, &mut vec![]);
        }
        let mut unknown = written(&samples()[..1]);
        unknown[4] = 99;
        assert_eq!(entries(&unknown, &mut vec![]), Err(0));
        assert!(entries(&good[..good.len() - 8], &mut vec![]).is_err());
    }
}
