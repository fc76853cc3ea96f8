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
    /// It is CUDA, else OpenCL.
    pub is_cuda: bool,
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
    /// What `duet cc` kept, with the symbols of the kernels.
    built: Vec<(Unit, Vec<String>)>,
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
            Record::Built { text, kernels, .. } => {
                let (text, folder) = (text.clone(), self.folder.clone());
                let unit = Unit { text, folder, is_cuda: true, ..Unit::default() };
                self.built.push((unit, kernels.clone()));
            }
            Record::CudaLaunch { launch, shared, arguments } => {
                return self.cuda_launch(launch, *shared, arguments.as_deref());
            }
            Record::Freed { pointer } => {
                self.shared.remove(pointer);
            }
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

    /// A launch of CUDA, with the arguments as they were then.
    fn cuda_launch(
        &self,
        launch: &Launch,
        shared: u64,
        arguments: Option<&[Option<Vec<u8>>]>,
    ) -> Option<(KernelText, RecordedLaunch)> {
        let (_, mut recorded) = self.launch(launch)?;
        recorded.dynamic = Some(shared);
        let Some(kernel) = self.kernels.get(&launch.kernel) else {
            return Some((Err("its kernel is not known".to_string()), recorded));
        };
        let text = self.cuda_text(&kernel.name);
        // SOUNDNESS: arguments of unknown size are unknown, and then nothing is judged (test
        // `a_kernel_without_a_source_is_not_judged`).
        let Some(arguments) = arguments else {
            let why = text.err().unwrap_or("the sizes of its arguments are not known".to_string());
            return Some((Err(why), recorded));
        };
        let argument = |value: &Option<Vec<u8>>| {
            let value = value.clone()?;
            let number = <[u8; 8]>::try_from(&value[..]).ok().map(u64::from_le_bytes);
            let memory = number.and_then(|pointer| self.shared_memory(pointer));
            Some(RecordedArgument { bytes: value.len() as u64, value: Some(value), memory })
        };
        recorded.arguments = arguments.iter().map(argument).collect();
        number_allocations(&mut recorded.arguments);
        Some((text, recorded))
    }

    /// The text that a kernel comes from: what `duet cc` kept, or a text of NVRTC that has its
    /// name.
    fn cuda_text(&self, name: &str) -> KernelText {
        let is_in = |kernels: &[String]| kernels.iter().any(|kernel| kernel == name);
        let built = self.built.iter().filter(|(_, kernels)| is_in(kernels)).map(|(unit, _)| unit);
        let own = self.programs.values().filter_map(|program| match program {
            Program::Text(unit) => has_word(&unit.text, identifier(name)).then_some(unit),
            Program::Other(_) => None,
        });
        let units: BTreeSet<Unit> = match built.clone().next() {
            Some(_) => built.cloned().collect(),
            None => own.map(|unit| Unit { is_cuda: true, ..unit.clone() }).collect(),
        };
        let mut units = units.into_iter();
        match (units.next(), units.next()) {
            (Some(unit), None) => Ok(unit),
            (None, _) => Err("its source is not known; build the program with `duet cc`".into()),
            // SOUNDNESS: which one runs is not known (test
            // `a_kernel_of_two_sources_is_not_judged`).
            (Some(_), Some(_)) => Err("several sources have a kernel of its name".to_string()),
        }
    }

    fn launch(&self, launch: &Launch) -> Option<(KernelText, RecordedLaunch)> {
        if self.refused.contains(&launch.number) {
            return None;
        }
        let kernel = self.kernels.get(&launch.kernel);
        let name = kernel.map_or("", |kernel| &kernel.name);
        let mut places = self.places.places(&launch.frames, name);
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
            dynamic: None,
        };
        let unknown = || Err("its kernel is not known".to_string());
        Some((kernel.map_or_else(unknown, |kernel| kernel.text.clone()), recorded))
    }
}

/// The name of a function in its symbol, as C++ writes it: `_Z5scalePfi` is of `scale`.
fn identifier(symbol: &str) -> &str {
    let Some(rest) = symbol.strip_prefix("_Z") else { return symbol };
    let mut rest = rest.trim_start_matches(['N', 'L', 'K']);
    let mut name = symbol;
    loop {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let Ok(length) = rest[..digits].parse::<usize>() else { return name };
        let Some(found) = rest.get(digits..digits + length) else { return name };
        (name, rest) = (found, &rest[digits + length..]);
    }
}

fn has_word(text: &[u8], word: &str) -> bool {
    let text = String::from_utf8_lossy(text);
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c: char| !is_letter(c)).any(|other| other == word)
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
