//! Launches that a program made, recorded while it ran, as the host code would say them: a
//! relation whose sizes, arguments and allocations are numbers.
//!
//! What was recorded is judged as it was. Two arguments of one buffer share their memory;
//! parts of a buffer that don't overlap are allocations of their own, with bounds of their
//! own. What a number cannot say (a struct with padding, an image) may have any value.

use duet_host::{Argument, BaseData, Host, HostPlace, Relation, Site, Term, Terms, WorkItems};
use duet_ir::{Func, Function, FunctionKind, Module, ParamKind, Space, Type};

use super::bind::groups;
use crate::sizes::{LaunchSizes, Size, Sizes};

/// Work-items that a group of a launch that is judged may have.
const MOST_THREADS: u64 = 1024;

/// A launch.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RecordedLaunch {
    /// The kernel's name.
    pub kernel: String,
    /// Where the program makes it.
    pub place: HostPlace,
    /// The calls that it was reached through, innermost first.
    pub through: Vec<HostPlace>,
    /// How many of the three dimensions there are.
    pub dimensions: u32,
    /// Work-items along each.
    pub global: [u64; 3],
    /// Work-items of a group, if the program says.
    pub local: Option<[u64; 3]>,
    /// Added to global ids.
    pub offset: [u64; 3],
    /// The arguments in the order of the parameters; none where nothing is known.
    pub arguments: Vec<Option<RecordedArgument>>,
    /// Bytes of dynamic shared memory, which launches of CUDA have.
    pub dynamic: Option<u64>,
}

/// An argument of a launch. Which of these it is depends on the parameter too.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RecordedArgument {
    /// Its bytes; none for local memory.
    pub value: Option<Vec<u8>>,
    /// How many bytes, of the value or of local memory.
    pub bytes: u64,
    /// The memory, if the value is a handle of memory or a pointer into it.
    pub memory: Option<Memory>,
}

/// Memory of a device that an argument points into.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Memory {
    /// The allocation, by a number that only it has.
    pub allocation: u64,
    /// Where the part that may be accessed begins, in bytes from the allocation's start.
    pub start: u64,
    /// The bytes of that part.
    pub bytes: u64,
    /// Where the argument points, in bytes from the start of the part.
    pub offset: u64,
    /// Other allocations may share its memory.
    pub may_be_shared: bool,
}

impl Memory {
    fn part(&self) -> (u64, u64) {
        (self.start, self.start + self.bytes)
    }
}

/// Can a launch with these sizes be judged? If not, why.
///
/// # Errors
/// Why not, in words.
pub fn is_judged(launch: &RecordedLaunch) -> Result<(), String> {
    let fits = |sizes: &[u64; 3]| sizes.iter().all(|&size| size < 1 << 31);
    let rank = launch.dimensions as usize;
    if !(1..=3).contains(&rank) || !fits(&launch.global) || !fits(&launch.offset) {
        return Err("its sizes are too large".to_string());
    }
    if launch.global[..rank].contains(&0) {
        return Err("it has no work-items".to_string());
    }
    let Some(local) = launch.local else { return Ok(()) };
    let product = local[..rank].iter().try_fold(1, |all: u64, &one| all.checked_mul(one));
    let group = product.unwrap_or(u64::MAX);
    if group > MOST_THREADS {
        return Err(format!("a group has {group} work-items, more than {MOST_THREADS}"));
    }
    // SOUNDNESS: rounded up or down, work-items would be added or left out (test
    // `launches_that_cannot_be_judged_are_refused`).
    let divides = |(&all, &one): (&u64, &u64)| one > 0 && all % one == 0;
    match launch.global[..rank].iter().zip(&local[..rank]).all(divides) {
        true => Ok(()),
        false => Err("its groups are not all of one size".to_string()),
    }
}

/// The launches as what a host program says. Also those that cannot be judged, with the
/// reason.
pub fn host_of_launches(
    module: &Module,
    launches: &[RecordedLaunch],
) -> (Host, Vec<(RecordedLaunch, String)>) {
    let mut host = Host {
        is_whole: true,
        uses_driver: false,
        kernels_launch: false,
        used: None,
        sites: vec![],
        escaped: Default::default(),
        is_closed: false,
        dead: Default::default(),
        missing: Default::default(),
        files: vec![],
        timings: Default::default(),
    };
    let mut refused = vec![];
    for launch in launches {
        let kernel = module.kernels().find(|(_, func)| func.symbol == launch.kernel);
        let site = is_judged(launch).and_then(|()| {
            let (kernel, _) =
                kernel.ok_or_else(|| "the kernel is not in the program's text".to_string())?;
            site(module, kernel, launch)
        });
        match site {
            Ok(site) => host.sites.push(site),
            Err(why) => refused.push((launch.clone(), why)),
        }
    }
    (host, refused)
}

/// The sizes of a launch for the check.
pub(super) fn sizes(func: &Function, items: &WorkItems) -> LaunchSizes {
    let rank = items.dimensions as usize;
    let numbers =
        |sizes: &[u32; 3]| Sizes(sizes[..rank].iter().map(|&size| Size::Number(size)).collect());
    let required = match func.kind {
        FunctionKind::Kernel { required_block, .. } => required_block,
        FunctionKind::Device => None,
    };
    // SOUNDNESS: whatever size of group OpenCL chooses, the verdict holds (test
    // `a_group_that_opencl_chooses_may_have_any_size`).
    let open = Sizes(vec![Size::Any; rank]);
    LaunchSizes {
        block: Some(items.local.or(required).map_or(open, |local| numbers(&local))),
        grid: None,
        global: Some(numbers(&items.global)),
        offset: Some(numbers(&items.offset)),
    }
}

fn site(module: &Module, kernel: Func, launch: &RecordedLaunch) -> Result<Site, String> {
    let func = &module.functions[kernel];
    let params = groups(func);
    if params.len() != launch.arguments.len() {
        return Err(format!(
            "it has {} arguments, but the kernel has {} parameters",
            launch.arguments.len(),
            params.len()
        ));
    }
    let mut maker = Maker { module, func, terms: Terms::default(), bases: vec![], parts: vec![] };
    let memories: Vec<Memory> =
        launch.arguments.iter().flatten().filter_map(|argument| argument.memory).collect();
    let mut arguments = vec![];
    let mut shown = vec![];
    for ((name, members), given) in params.iter().zip(&launch.arguments) {
        let argument = match given {
            Some(given) => maker.argument(members, given, &memories),
            None => Argument::Opaque,
        };
        if let Argument::Scalar(term) = &argument {
            shown.push(format!("{name} = {}", maker.show(*term)));
        }
        arguments.push(argument);
    }
    let items = items(launch, &shown);
    let Maker { mut terms, bases, .. } = maker;
    let mut unknowns = vec![];
    let mut size = |number: Option<u32>| match number {
        Some(number) => terms.constant(number.into(), Type::I32),
        None => {
            let name = "groups".to_string();
            let origin = duet_host::Origin::Input;
            unknowns.push(duet_host::UnknownData { name, origin, ty: Type::I32 });
            terms.unknown(duet_host::Unknown(unknowns.len() as u32 - 1), Type::I32)
        }
    };
    let groups_along = |at: usize| items.local.map(|local| items.global[at] / local[at]);
    let grid = [0, 1, 2].map(|at| size(groups_along(at)));
    let block = [0, 1, 2].map(|at| size(items.local.map(|local| local[at])));
    let shared = size(Some(launch.dynamic.unwrap_or(0) as u32));
    // CUDA has blocks and a grid, which are among the sizes.
    let items = Some(items).filter(|_| launch.dynamic.is_none());
    let arguments = Some(arguments);
    let relation =
        Relation { terms, unknowns, grid, block, shared, arguments, bases, facts: vec![], items };
    let (place, through) = (launch.place.clone(), launch.through.clone());
    let kernel = func.symbol.clone();
    Ok(Site { kernel, place, through, relation, tables: vec![], is_once: false })
}

/// `(global 1024, local 64, n = 1000)`.
fn items(launch: &RecordedLaunch, scalars: &[String]) -> WorkItems {
    let rank = launch.dimensions as usize;
    let text = |sizes: &[u64; 3]| {
        let words: Vec<String> = sizes[..rank].iter().map(u64::to_string).collect();
        words.join("x")
    };
    let local = launch.local.as_ref().map_or("any".to_string(), &text);
    let mut words = vec![format!("global {}, local {local}", text(&launch.global))];
    if launch.offset[..rank].iter().any(|&offset| offset != 0) {
        words.push(format!("offset {}", text(&launch.offset)));
    }
    words.extend(scalars.iter().cloned());
    // `is_judged` has seen that the sizes fit; along dimensions that are not there nothing is.
    let numbers = |sizes: &[u64; 3], other: u32| {
        let mut found = [other; 3];
        let given = sizes[..rank].iter().map(|&size| size as u32);
        found.iter_mut().zip(given).for_each(|(slot, size)| *slot = size);
        found
    };
    WorkItems {
        dimensions: launch.dimensions,
        global: numbers(&launch.global, 1),
        local: launch.local.as_ref().map(|local| numbers(local, 1)),
        offset: numbers(&launch.offset, 0),
        shown: format!(" ({})", words.join(", ")),
    }
}

/// An allocation and where a part of it begins and ends; no part where parts overlap.
type Part = (u64, Option<(u64, u64)>);

/// Makes the arguments of one launch.
struct Maker<'m> {
    module: &'m Module,
    func: &'m Function,
    terms: Terms,
    bases: Vec<BaseData>,
    /// What each base is; none for local memory.
    parts: Vec<Option<Part>>,
}

impl Maker<'_> {
    fn show(&self, term: Term) -> String {
        let bits = self.terms.bits(term).unwrap_or_default();
        match self.terms.ty(term) {
            Type::F32 => f32::from_bits(bits as u32).to_string(),
            Type::F64 => f64::from_bits(bits as u64).to_string(),
            Type::Int(width) => duet_analysis::bits::signed(bits, width).to_string(),
            Type::Float(_) | Type::Ref => format!("{bits:#x}"),
        }
    }

    fn argument(
        &mut self,
        members: &[usize],
        given: &RecordedArgument,
        memories: &[Memory],
    ) -> Argument {
        let first = &self.func.params[members[0]];
        let is_struct = members.len() > 1 || first.name.contains('.');
        match first.kind {
            _ if is_struct => self.parts_of_struct(members, given),
            ParamKind::Scalar(value) => {
                let ty = self.func.type_of(value);
                given.value.as_deref().map_or(Argument::Opaque, |bytes| self.scalar(bytes, ty))
            }
            ParamKind::Array(array) => match (self.module.arrays[array].space, &given.memory) {
                (Space::Shared, _) => self.local_memory(&first.name, given),
                (_, Some(memory)) => self.memory(&first.name, memory, memories),
                (_, None) => Argument::Opaque,
            },
            ParamKind::Pointer(..) => Argument::Opaque,
        }
    }

    fn scalar(&mut self, bytes: &[u8], ty: Type) -> Argument {
        if ty.bits() != Some(bytes.len() as u32 * 8) || bytes.len() > 16 {
            return Argument::Opaque;
        }
        let bits = bytes.iter().rev().fold(0u128, |bits, &byte| bits << 8 | u128::from(byte));
        Argument::Scalar(self.terms.constant(bits, ty))
    }

    /// A struct or a vector whose parts follow each other without a gap.
    ///
    /// SOUNDNESS: where parts don't fill the bytes, nobody knows where they lie, and they may
    /// have any value (test `a_struct_with_padding_may_be_anything`).
    fn parts_of_struct(&mut self, members: &[usize], given: &RecordedArgument) -> Argument {
        let Some(bytes) = &given.value else { return Argument::Opaque };
        let ty = |&member: &usize| match self.func.params[member].kind {
            ParamKind::Scalar(value) => Some(self.func.type_of(value)),
            ParamKind::Array(_) | ParamKind::Pointer(..) => None,
        };
        let Some(types) = members.iter().map(ty).collect::<Option<Vec<Type>>>() else {
            return Argument::Opaque;
        };
        let widths: Vec<usize> =
            types.iter().map(|ty| ty.bytes().unwrap_or_default() as usize).collect();
        if widths.contains(&0) || widths.iter().sum::<usize>() != bytes.len() {
            return Argument::Opaque;
        }
        let mut at = 0;
        let mut parts = vec![];
        for (ty, width) in types.into_iter().zip(widths) {
            parts.push((at as u64, self.scalar(&bytes[at..at + width], ty)));
            at += width;
        }
        Argument::Struct(parts)
    }

    fn local_memory(&mut self, name: &str, given: &RecordedArgument) -> Argument {
        let is_local = given.value.is_none();
        if !is_local {
            return Argument::Opaque;
        }
        let size = Some(self.terms.constant(given.bytes.into(), Type::I64));
        self.base(name, size, true, None)
    }

    /// A pointer into memory of the device.
    ///
    /// SOUNDNESS: where parts of an allocation overlap they are one array, so that accesses
    /// through both meet; bounds are not claimed then (tests
    /// `parts_that_overlap_share_their_memory` and `parts_have_bounds_of_their_own`).
    fn memory(&mut self, name: &str, memory: &Memory, all: &[Memory]) -> Argument {
        // One pair that overlaps makes all parts of the allocation one.
        let own = || all.iter().filter(|one| one.allocation == memory.allocation);
        let overlap = |one: &Memory, other: &Memory| {
            let ((a, b), (c, d)) = (one.part(), other.part());
            (a, b) != (c, d) && a < d && c < b
        };
        let is_mixed = own().any(|one| own().any(|other| overlap(one, other)));
        let (part, offset) = match is_mixed {
            true => (None, memory.start + memory.offset),
            false => (Some(memory.part()), memory.offset),
        };
        let key = Some((memory.allocation, part));
        let known = self.parts.iter().position(|other| *other == key);
        let offset = self.terms.constant(offset.into(), Type::I64);
        if let Some(base) = known {
            return Argument::Pointer { base, offset };
        }
        let size = part.map(|_| self.terms.constant(memory.bytes.into(), Type::I64));
        match self.base(name, size, !memory.may_be_shared, key) {
            Argument::Pointer { base, .. } => Argument::Pointer { base, offset },
            other => other,
        }
    }

    fn base(
        &mut self,
        name: &str,
        size: Option<Term>,
        distinct: bool,
        key: Option<Part>,
    ) -> Argument {
        let name = name.to_string();
        self.bases.push(BaseData { size, distinct, ..BaseData::unknown(name) });
        self.parts.push(key);
        let offset = self.terms.constant(0, Type::I64);
        Argument::Pointer { base: self.bases.len() - 1, offset }
    }
}
