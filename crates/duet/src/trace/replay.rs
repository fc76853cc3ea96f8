//! From records to launches: what each handle meant when a launch was made.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use duet_engine::programs::{HostPlace, Memory, RecordedArgument, RecordedLaunch};
use duet_layer::record::{Entry, Handle, Launch, Record};

use super::places::{Code, Places};

/// What a program did.
#[derive(Default)]
pub struct Traced {
    /// Its programs for the device, with their launches.
    pub programs: Vec<TracedProgram>,
    /// Launches of kernels whose text is not known, with the reason.
    pub not_judged: Vec<(RecordedLaunch, String)>,
    /// How many launches were made.
    pub launches: u64,
}

/// A text, as it was built.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Unit {
    /// The source text.
    pub text: Vec<u8>,
    /// The options of the build.
    pub options: String,
    /// Headers by name.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The folder in which the program ran.
    pub folder: PathBuf,
}

/// A text and its launches, each once.
pub struct TracedProgram {
    /// The text.
    pub unit: Unit,
    /// The launches in the order in which they were first made.
    pub launches: Vec<RecordedLaunch>,
}

/// What records say.
pub fn replay(processes: &[Vec<Entry>]) -> Traced {
    let mut traced = Traced::default();
    let mut by_unit: BTreeMap<Unit, usize> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for entries in processes {
        let mut process = Process::default();
        process.read_ahead(entries);
        for entry in entries {
            let Some((origin, launch)) = process.step(&entry.record) else { continue };
            traced.launches += 1;
            match origin {
                Ok(unit) => {
                    let next = traced.programs.len();
                    let at = *by_unit.entry(unit.clone()).or_insert(next);
                    if at == next {
                        traced.programs.push(TracedProgram { unit, launches: vec![] });
                    }
                    if seen.insert((at, launch.clone())) {
                        traced.programs[at].launches.push(launch);
                    }
                }
                Err(why) => {
                    let known = (launch, why);
                    if !traced.not_judged.contains(&known) {
                        traced.not_judged.push(known);
                    }
                }
            }
        }
    }
    traced
}

/// The text of a kernel, or why it is not known.
type KernelText = Result<Unit, String>;

/// A program object.
#[derive(Clone)]
enum Program {
    Text(Unit),
    Other(String),
}

/// A kernel object.
#[derive(Clone)]
struct Kernel {
    name: String,
    text: KernelText,
    arguments: BTreeMap<u32, RecordedArgument>,
}

/// A buffer: its memory, and where the host's memory that it uses lies.
#[derive(Clone, Copy)]
struct Buffer {
    memory: Memory,
    host: (u64, u64),
}

/// What the handles of a process mean.
#[derive(Default)]
struct Process {
    folder: PathBuf,
    programs: HashMap<Handle, Program>,
    kernels: HashMap<Handle, Kernel>,
    buffers: HashMap<Handle, Buffer>,
    /// Shared virtual memory by its address: bytes and allocation.
    shared: BTreeMap<u64, (u64, u64)>,
    allocations: u64,
    refused: BTreeSet<u64>,
    places: Places,
}

impl Process {
    /// Which launches were refused, and where the places are.
    fn read_ahead(&mut self, entries: &[Entry]) {
        for entry in entries {
            match &entry.record {
                Record::Refused { launch, .. } => {
                    self.refused.insert(*launch);
                }
                Record::Code { address, file, base, .. } => {
                    self.places.note(*address, Code { file: file.into(), base: *base });
                }
                _ => {}
            }
        }
        self.places.look_up();
    }

    /// Follows one record. Returns the launch that it is, if it is one.
    fn step(&mut self, record: &Record) -> Option<(KernelText, RecordedLaunch)> {
        match record {
            Record::Process { folder, .. } => self.folder = folder.into(),
            Record::Code { .. } | Record::Refused { .. } => {}
            Record::Source { program, text } => {
                let folder = self.folder.clone();
                let unit = Unit { text: text.clone(), folder, ..Unit::default() };
                self.programs.insert(*program, Program::Text(unit));
            }
            Record::Compiled { program, what } => {
                let what = format!("its program is {what}");
                self.programs.insert(*program, Program::Other(what));
            }
            Record::Build { program, options } => self.built(*program, options, vec![]),
            Record::Compile { program, options, headers } => {
                let text = |(name, header): &(String, Handle)| {
                    let Some(Program::Text(unit)) = self.programs.get(header) else { return None };
                    Some((name.clone(), unit.text.clone()))
                };
                let headers = headers.iter().filter_map(text).collect();
                self.built(*program, options, headers);
            }
            Record::Link { program, inputs } => {
                let linked = match &inputs[..] {
                    [one] => self.programs.get(one).cloned(),
                    _ => Some(Program::Other("its program is linked of several".to_string())),
                };
                let unknown = || Program::Other("its program is not known".to_string());
                self.programs.insert(*program, linked.unwrap_or_else(unknown));
            }
            Record::Kernel { kernel, program, name } => {
                let text = match self.programs.get(program) {
                    Some(Program::Text(unit)) => Ok(unit.clone()),
                    Some(Program::Other(what)) => Err(what.clone()),
                    None => Err("its program is not known".to_string()),
                };
                let (name, arguments) = (name.clone(), BTreeMap::new());
                self.kernels.insert(*kernel, Kernel { name, text, arguments });
            }
            Record::Clone { kernel, from } => {
                if let Some(copy) = self.kernels.get(from).cloned() {
                    self.kernels.insert(*kernel, copy);
                }
            }
            Record::Buffer { buffer, bytes, host } => self.buffer(*buffer, *bytes, *host),
            Record::SubBuffer { buffer, of, origin, bytes } => {
                if let Some(of) = self.buffers.get(of).copied() {
                    let start = of.memory.start + origin;
                    let memory = Memory { start, bytes: *bytes, ..of.memory };
                    self.buffers.insert(*buffer, Buffer { memory, ..of });
                } else {
                    self.buffers.remove(buffer);
                }
            }
            Record::Shared { pointer, bytes } => {
                self.allocations += 1;
                self.shared.insert(*pointer, (*bytes, self.allocations));
            }
            Record::Argument { kernel, index, bytes, value } => {
                let argument = self.argument(*bytes, value.as_deref());
                self.set(*kernel, *index, argument);
            }
            Record::SharedArgument { kernel, index, pointer } => {
                let memory = self.shared_memory(*pointer);
                self.set(*kernel, *index, RecordedArgument { value: None, bytes: 8, memory });
            }
            Record::Launch(launch) => return self.launch(launch),
        }
        None
    }

    fn built(&mut self, program: Handle, options: &str, headers: Vec<(String, Vec<u8>)>) {
        if let Some(Program::Text(unit)) = self.programs.get_mut(&program) {
            unit.options = options.to_string();
            unit.headers = headers;
        }
    }

    /// Buffers over the same memory of the host may share theirs.
    fn buffer(&mut self, buffer: Handle, bytes: u64, host: u64) {
        self.allocations += 1;
        let range = (host, host.saturating_add(bytes));
        let overlaps = |other: &Buffer| {
            host != 0 && other.host.0 != 0 && range.0 < other.host.1 && other.host.0 < range.1
        };
        let may_be_shared = self.buffers.values().any(overlaps);
        for other in self.buffers.values_mut().filter(|other| overlaps(other)) {
            other.memory.may_be_shared = true;
        }
        let allocation = self.allocations;
        let memory = Memory { allocation, start: 0, bytes, offset: 0, may_be_shared };
        self.buffers.insert(buffer, Buffer { memory, host: range });
    }

    /// A value that is the handle of a buffer is the buffer: a number that happens to be the
    /// same may then be any.
    fn argument(&self, bytes: u64, value: Option<&[u8]>) -> RecordedArgument {
        let handle = value.and_then(|value| Some(u64::from_le_bytes(value.try_into().ok()?)));
        let memory =
            handle.and_then(|handle| self.buffers.get(&handle)).map(|buffer| buffer.memory);
        let value = value.filter(|_| memory.is_none()).map(<[u8]>::to_vec);
        RecordedArgument { value, bytes, memory }
    }

    fn shared_memory(&self, pointer: u64) -> Option<Memory> {
        let (&start, &(bytes, allocation)) = self.shared.range(..=pointer).next_back()?;
        let offset = pointer - start;
        let memory = Memory { allocation, start: 0, bytes, offset, may_be_shared: false };
        (offset <= bytes).then_some(memory)
    }

    fn set(&mut self, kernel: Handle, index: u32, argument: RecordedArgument) {
        if let Some(kernel) = self.kernels.get_mut(&kernel) {
            kernel.arguments.insert(index, argument);
        }
    }

    fn launch(&self, launch: &Launch) -> Option<(KernelText, RecordedLaunch)> {
        if self.refused.contains(&launch.number) {
            return None;
        }
        let kernel = self.kernels.get(&launch.kernel);
        let mut places = self.places.places(&launch.frames);
        let through: Vec<HostPlace> = places.split_off(1);
        let count = kernel.and_then(|kernel| kernel.arguments.keys().last()).map_or(0, |at| at + 1);
        let argument = |at: u32| kernel.and_then(|kernel| kernel.arguments.get(&at).cloned());
        let mut arguments: Vec<_> = (0..count).map(argument).collect();
        number_allocations(&mut arguments);
        let recorded = RecordedLaunch {
            kernel: kernel.map_or("unknown".to_string(), |kernel| kernel.name.clone()),
            place: places.remove(0),
            through,
            dimensions: launch.dimensions,
            global: launch.global,
            local: launch.local,
            offset: launch.offset,
            arguments,
        };
        let unknown = || Err("its kernel is not known".to_string());
        Some((kernel.map_or_else(unknown, |kernel| kernel.text.clone()), recorded))
    }
}

/// Allocations by the order in which they occur: which ones they are makes no difference.
fn number_allocations(arguments: &mut [Option<RecordedArgument>]) {
    let mut numbers: HashMap<u64, u64> = HashMap::new();
    for argument in arguments.iter_mut().flatten() {
        if let Some(memory) = &mut argument.memory {
            let next = numbers.len() as u64;
            memory.allocation = *numbers.entry(memory.allocation).or_insert(next);
        }
    }
}
