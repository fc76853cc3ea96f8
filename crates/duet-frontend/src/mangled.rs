//! Reads the mangled names that clang gives to overloaded functions, into a base
//! name and the types of the parameters.
//!
//! Covers what clang emits for OpenCL built-ins, for `overloadable` functions and
//! for the plain, namespaced and templated C++ functions of the CUDA prelude,
//! substitutions (`S_`, `S0_`, `T_`) included. Leaves out operators,
//! constructors, lambdas and expressions in template arguments: such a name is
//! not read at all ([`Mangled::parse`] gives `None`), never half.

use std::fmt;

/// A function's name as the source knows it, with its parameter types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mangled {
    /// The name without its parameters; namespaces joined by `::`.
    pub base: String,
    /// The parameters' types; empty for a name that is not mangled, which tells
    /// nothing about them.
    pub params: Vec<ParamType>,
}

/// An arithmetic type of C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)] // named as in OpenCL C
pub enum Scalar {
    Bool,
    Char,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Half,
    Float,
    Double,
}

/// Where a pointer points, by the numbers of clang's spir target.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AddressSpace {
    /// Private in OpenCL 1.x; unqualified elsewhere.
    Default,
    /// `__global` (1).
    Global,
    /// `__constant` (2).
    Constant,
    /// `__local` (3).
    Local,
    /// Any of them but constant (4).
    Generic,
    /// Another number.
    Other(u32),
}

/// How an image may be accessed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ImageAccess {
    /// `read_only`.
    Read,
    /// `write_only`.
    Write,
    /// `read_write`.
    ReadWrite,
}

/// The shape of an image.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ImageShape {
    /// 1, 2 or 3.
    pub dims: u32,
    /// An array of such images.
    pub array: bool,
    /// Backed by a buffer.
    pub buffer: bool,
    /// Holds depth values: a texel is one float.
    pub depth: bool,
    /// Several samples per texel.
    pub multisample: bool,
}

/// The type of a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParamType {
    /// A number.
    Scalar(Scalar),
    /// Several numbers.
    Vector(Scalar, u32),
    /// A pointer (or, in C++, a reference).
    Pointer {
        /// Where it points.
        space: AddressSpace,
        /// The pointee is `const`.
        is_const: bool,
        /// The pointee is `volatile`.
        is_volatile: bool,
        /// What it points at.
        pointee: Box<ParamType>,
    },
    /// `_Atomic` of a type.
    Atomic(Box<ParamType>),
    /// An OpenCL image.
    Image(ImageShape, ImageAccess),
    /// An OpenCL sampler.
    Sampler,
    /// An OpenCL event.
    Event,
    /// No type: the pointee of `void *`.
    Void,
    /// The `...` of a variadic function.
    Ellipsis,
    /// A struct, class, enum or other opaque type, by its name.
    Named(String),
}

impl Scalar {
    /// A signed integer? `char` is one, as on every target used here.
    pub fn is_signed(self) -> bool {
        use Scalar::*;
        matches!(self, Char | Short | Int | Long | LongLong)
    }

    /// A floating-point type?
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::Half | Scalar::Float | Scalar::Double)
    }

    /// The name in OpenCL C.
    pub fn name(self) -> &'static str {
        use Scalar::*;
        match self {
            Bool => "bool",
            Char => "char",
            UChar => "uchar",
            Short => "short",
            UShort => "ushort",
            Int => "int",
            UInt => "uint",
            Long => "long",
            ULong => "ulong",
            LongLong => "longlong",
            ULongLong => "ulonglong",
            Half => "half",
            Float => "float",
            Double => "double",
        }
    }

    /// The type of this OpenCL C name.
    pub fn from_name(name: &str) -> Option<Scalar> {
        use Scalar::*;
        let all = [Bool, Char, UChar, Short, UShort, Int, UInt, Long, ULong, Half, Float, Double];
        all.into_iter().find(|scalar| scalar.name() == name)
    }
}

impl ParamType {
    /// The number type of a scalar or of a vector's lanes.
    pub fn element(&self) -> Option<Scalar> {
        match self {
            ParamType::Scalar(scalar) | ParamType::Vector(scalar, _) => Some(*scalar),
            ParamType::Atomic(inner) => inner.element(),
            _ => None,
        }
    }

    /// Lanes of a vector; 1 for everything else.
    pub fn lanes(&self) -> u32 {
        match self {
            ParamType::Vector(_, lanes) => *lanes,
            _ => 1,
        }
    }

    /// What a pointer points at.
    pub fn pointee(&self) -> Option<&ParamType> {
        match self {
            ParamType::Pointer { pointee, .. } => Some(pointee),
            _ => None,
        }
    }
}

impl Mangled {
    /// Reads a symbol. A symbol that is not mangled is its own base; `None` for a
    /// mangled one with parts that are not known here.
    pub fn parse(symbol: &str) -> Option<Mangled> {
        let Some(encoding) = symbol.strip_prefix("_Z") else {
            return Some(Mangled { base: symbol.to_owned(), params: vec![] });
        };
        Reader::new(encoding).encoding()
    }

    /// The number type of a parameter.
    pub fn element(&self, index: usize) -> Option<Scalar> {
        self.params.get(index)?.element()
    }
}

/// A type while it is read: qualifiers stand apart until a pointer takes them.
#[derive(Clone, Debug)]
struct Qualified {
    space: AddressSpace,
    is_const: bool,
    is_volatile: bool,
    ty: ParamType,
}

/// What a later `S_` may stand for.
#[derive(Clone, Debug)]
enum Component {
    /// A whole type.
    Type(Qualified),
    /// A name, or the start of a nested one.
    Name(String),
}

/// A name with what follows from it.
struct Name {
    text: String,
    /// Ends in template arguments: the encoding then starts with a result type.
    is_template: bool,
}

/// A position in a mangled name, with the substitutions so far.
struct Reader<'a> {
    rest: &'a str,
    components: Vec<Component>,
    /// Arguments of the innermost template, for `T_`.
    arguments: Vec<Option<Qualified>>,
}

impl<'a> Reader<'a> {
    fn new(rest: &'a str) -> Self {
        Reader { rest, components: vec![], arguments: vec![] }
    }

    /// A whole function name with its parameters.
    fn encoding(mut self) -> Option<Mangled> {
        let name = self.name()?;
        if name.is_template {
            self.ty()?;
        }
        let mut params = vec![];
        // A suffix such as `.kernel` or `.isra.0` is no part of the name.
        while !self.rest.is_empty() && !self.rest.starts_with('.') {
            params.push(self.ty()?.ty);
        }
        if params == [ParamType::Void] {
            params.clear();
        }
        Some(Mangled { base: name.text, params })
    }

    fn eat(&mut self, prefix: &str) -> bool {
        match self.rest.strip_prefix(prefix) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn peek(&self) -> Option<u8> {
        self.rest.bytes().next()
    }

    /// A decimal number.
    fn number(&mut self) -> Option<usize> {
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = self.rest[..digits].parse().ok()?;
        self.rest = &self.rest[digits..];
        Some(number)
    }

    /// `<length><identifier>`.
    fn source_name(&mut self) -> Option<&'a str> {
        let length = self.number()?;
        let name = self.rest.get(..length)?;
        self.rest = &self.rest[length..];
        Some(name)
    }

    /// The name of a function or a type.
    fn name(&mut self) -> Option<Name> {
        if self.eat("N") {
            return self.nested_name();
        }
        self.eat("L");
        let text = match self.peek()? {
            b'S' if self.rest.starts_with("St") => {
                self.eat("St");
                format!("std::{}", self.source_name()?)
            }
            b'S' => match self.substitution()? {
                Component::Name(text) => text,
                Component::Type(_) => return None,
            },
            _ => self.source_name()?.to_owned(),
        };
        if self.peek() == Some(b'I') {
            self.components.push(Component::Name(text.clone()));
            self.template_arguments()?;
            return Some(Name { text, is_template: true });
        }
        Some(Name { text, is_template: false })
    }

    /// The inside of `N … E`.
    fn nested_name(&mut self) -> Option<Name> {
        while matches!(self.peek()?, b'r' | b'V' | b'K') {
            self.rest = &self.rest[1..];
        }
        let mut text = String::new();
        let mut is_template = false;
        while !self.eat("E") {
            is_template = false;
            match self.peek()? {
                b'S' if self.eat("St") => text = "std".to_owned(),
                b'S' => match self.substitution()? {
                    Component::Name(name) => text = name,
                    Component::Type(_) => return None,
                },
                b'I' => {
                    self.template_arguments()?;
                    is_template = true;
                    self.components.push(Component::Name(text.clone()));
                }
                _ => {
                    self.eat("L");
                    let part = self.source_name()?;
                    if !text.is_empty() {
                        text.push_str("::");
                    }
                    text.push_str(part);
                    self.components.push(Component::Name(text.clone()));
                }
            }
        }
        // The whole name of a function is no candidate, unlike that of a type,
        // which `ty` adds itself.
        self.components.pop();
        Some(Name { text, is_template })
    }

    /// `I … E`: types, literals and packs.
    fn template_arguments(&mut self) -> Option<()> {
        self.eat("I").then_some(())?;
        let mut arguments = vec![];
        while !self.eat("E") {
            self.template_argument(&mut arguments)?;
        }
        self.arguments = arguments;
        Some(())
    }

    fn template_argument(&mut self, arguments: &mut Vec<Option<Qualified>>) -> Option<()> {
        if self.eat("L") {
            self.ty()?;
            let end = self.rest.find('E')?;
            self.rest = &self.rest[end + 1..];
            arguments.push(None);
        } else if self.eat("J") {
            while !self.eat("E") {
                self.template_argument(arguments)?;
            }
        } else {
            let ty = self.ty()?;
            arguments.push(Some(ty));
        }
        Some(())
    }

    /// `S_`, `S0_`, …: base 36, one less than the index.
    fn substitution(&mut self) -> Option<Component> {
        self.eat("S").then_some(())?;
        let index = self.sequence_id()?;
        self.components.get(index).cloned()
    }

    /// `_` is 0, `0_` is 1, `Z_` is 36.
    fn sequence_id(&mut self) -> Option<usize> {
        let end = self.rest.find('_')?;
        let digits = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        if digits.is_empty() {
            return Some(0);
        }
        usize::from_str_radix(digits, 36).ok()?.checked_add(1)
    }

    /// A type, with the qualifiers outside it.
    fn ty(&mut self) -> Option<Qualified> {
        let plain = |ty| Qualified {
            space: AddressSpace::Default,
            is_const: false,
            is_volatile: false,
            ty,
        };
        if let Some(scalar) = self.builtin() {
            return Some(plain(scalar));
        }
        if self.rest.starts_with('S') && !self.rest.starts_with("St") {
            return self.substituted_type();
        }
        if self.eat("T") {
            let index = self.sequence_id()?;
            let argument = self.arguments.get(index)?.clone()?;
            return Some(self.remember(argument));
        }
        let ty = if self.eat("A") {
            self.array()?
        } else {
            match self.qualified()? {
                Some(qualified) => qualified,
                None => plain(self.compound()?),
            }
        };
        Some(self.remember(ty))
    }

    /// The rest of `A <size> _ <element>`: what a reference to an array is to, as
    /// far as accesses go, is its element.
    fn array(&mut self) -> Option<Qualified> {
        self.number();
        self.eat("_").then_some(())?;
        self.ty()
    }

    fn remember(&mut self, ty: Qualified) -> Qualified {
        self.components.push(Component::Type(ty.clone()));
        ty
    }

    /// A type given by a substitution; a template's name may have arguments.
    fn substituted_type(&mut self) -> Option<Qualified> {
        match self.substitution()? {
            Component::Type(ty) => Some(ty),
            Component::Name(name) => {
                if self.peek() == Some(b'I') {
                    self.nested_arguments()?;
                }
                let ty = Qualified {
                    space: AddressSpace::Default,
                    is_const: false,
                    is_volatile: false,
                    ty: ParamType::Named(name),
                };
                Some(self.remember(ty))
            }
        }
    }

    /// Template arguments of a type: `T_` outside does not mean them.
    fn nested_arguments(&mut self) -> Option<()> {
        let outer = self.arguments.clone();
        self.template_arguments()?;
        self.arguments = outer;
        Some(())
    }

    /// Qualifiers and the type they belong to; `Some(None)` if there are none.
    fn qualified(&mut self) -> Option<Option<Qualified>> {
        let mut space = AddressSpace::Default;
        let (mut is_const, mut is_volatile, mut any) = (false, false, false);
        loop {
            if self.rest.starts_with('U') && !self.rest.starts_with("U7_Atomic") {
                self.eat("U");
                space = address_space(self.source_name()?)?;
            } else if self.eat("K") {
                is_const = true;
            } else if self.eat("V") {
                is_volatile = true;
            } else if !self.eat("r") {
                break;
            }
            any = true;
        }
        if !any {
            return Some(None);
        }
        let inner = self.ty()?;
        Some(Some(Qualified {
            space: if space == AddressSpace::Default { inner.space } else { space },
            is_const: is_const || inner.is_const,
            is_volatile: is_volatile || inner.is_volatile,
            ty: inner.ty,
        }))
    }

    /// A type that is built from others or has a name.
    fn compound(&mut self) -> Option<ParamType> {
        if self.eat("P") || self.eat("R") || self.eat("O") {
            let inner = self.ty()?;
            return Some(ParamType::Pointer {
                space: inner.space,
                is_const: inner.is_const,
                is_volatile: inner.is_volatile,
                pointee: Box::new(inner.ty),
            });
        }
        if self.eat("Dv") {
            let lanes = self.number()?;
            self.eat("_").then_some(())?;
            let ParamType::Scalar(scalar) = self.ty()?.ty else { return None };
            return Some(ParamType::Vector(scalar, u32::try_from(lanes).ok()?));
        }
        if self.eat("U7_Atomic") {
            return Some(ParamType::Atomic(Box::new(self.ty()?.ty)));
        }
        if self.eat("F") {
            return self.function_type();
        }
        self.class_type()
    }

    /// The rest of `F <result> <parameters> E`.
    fn function_type(&mut self) -> Option<ParamType> {
        while !self.eat("E") {
            self.ty()?;
        }
        Some(ParamType::Named("function".to_owned()))
    }

    /// A struct, an enum or an OpenCL type.
    fn class_type(&mut self) -> Option<ParamType> {
        let outer = self.arguments.clone();
        let name = self.name()?;
        self.arguments = outer;
        Some(opencl_type(&name.text).unwrap_or(ParamType::Named(name.text)))
    }

    /// A type with a code of its own; these are never substituted.
    fn builtin(&mut self) -> Option<ParamType> {
        let (length, ty) = if self.rest.starts_with("Dh") {
            (2, ParamType::Scalar(Scalar::Half))
        } else if self.rest.starts_with("DF16_") {
            (5, ParamType::Scalar(Scalar::Half))
        } else {
            (1, single_letter(self.peek()?)?)
        };
        self.rest = &self.rest[length..];
        Some(ty)
    }
}

/// The builtin types of one letter.
fn single_letter(code: u8) -> Option<ParamType> {
    let scalar = match code {
        b'v' => return Some(ParamType::Void),
        b'z' => return Some(ParamType::Ellipsis),
        b'b' => Scalar::Bool,
        b'c' | b'a' => Scalar::Char,
        b'h' => Scalar::UChar,
        b's' => Scalar::Short,
        b't' => Scalar::UShort,
        b'i' => Scalar::Int,
        b'j' => Scalar::UInt,
        b'l' => Scalar::Long,
        b'm' => Scalar::ULong,
        b'x' => Scalar::LongLong,
        b'y' => Scalar::ULongLong,
        b'f' => Scalar::Float,
        b'd' => Scalar::Double,
        _ => return None,
    };
    Some(ParamType::Scalar(scalar))
}

/// The address space of a vendor qualifier: `AS1`, or `CLglobal` for targets
/// that do not number them.
fn address_space(name: &str) -> Option<AddressSpace> {
    Some(match name {
        "AS0" | "CLprivate" => AddressSpace::Default,
        "AS1" | "CLglobal" => AddressSpace::Global,
        "AS2" | "CLconstant" => AddressSpace::Constant,
        "AS3" | "CLlocal" => AddressSpace::Local,
        "AS4" | "CLgeneric" => AddressSpace::Generic,
        _ => AddressSpace::Other(name.strip_prefix("AS")?.parse().ok()?),
    })
}

/// The OpenCL type of a mangled name such as `ocl_image2d_array_depth_ro`.
fn opencl_type(name: &str) -> Option<ParamType> {
    let name = name.strip_prefix("ocl_")?;
    match name {
        "sampler" => return Some(ParamType::Sampler),
        "event" => return Some(ParamType::Event),
        _ => {}
    }
    let (shape, access) = name.strip_prefix("image")?.rsplit_once('_')?;
    let access = match access {
        "ro" => ImageAccess::Read,
        "wo" => ImageAccess::Write,
        "rw" => ImageAccess::ReadWrite,
        _ => return None,
    };
    let dims = shape.get(..1)?.parse().ok()?;
    let parts = shape.strip_prefix(&shape[..1])?.strip_prefix('d')?;
    let has = |part: &str| parts.split('_').any(|p| p == part);
    let shape = ImageShape {
        dims,
        array: has("array"),
        buffer: has("buffer"),
        depth: has("depth"),
        multisample: has("msaa"),
    };
    Some(ParamType::Image(shape, access))
}

impl fmt::Display for ParamType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamType::Scalar(scalar) => f.write_str(scalar.name()),
            ParamType::Vector(scalar, lanes) => write!(f, "{}{lanes}", scalar.name()),
            ParamType::Pointer { space, is_const, is_volatile, pointee } => {
                if *is_const {
                    f.write_str("const ")?;
                }
                if *is_volatile {
                    f.write_str("volatile ")?;
                }
                write!(f, "{space}{pointee}*")
            }
            ParamType::Atomic(inner) => write!(f, "atomic {inner}"),
            ParamType::Image(shape, access) => write!(f, "{shape} {access}"),
            ParamType::Sampler => f.write_str("sampler"),
            ParamType::Event => f.write_str("event"),
            ParamType::Void => f.write_str("void"),
            ParamType::Ellipsis => f.write_str("..."),
            ParamType::Named(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for AddressSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AddressSpace::Default => Ok(()),
            AddressSpace::Global => f.write_str("global "),
            AddressSpace::Constant => f.write_str("constant "),
            AddressSpace::Local => f.write_str("local "),
            AddressSpace::Generic => f.write_str("generic "),
            AddressSpace::Other(number) => write!(f, "space{number} "),
        }
    }
}

impl fmt::Display for ImageShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "image{}d", self.dims)?;
        for (holds, part) in [
            (self.array, "_array"),
            (self.buffer, "_buffer"),
            (self.multisample, "_msaa"),
            (self.depth, "_depth"),
        ] {
            if holds {
                f.write_str(part)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for ImageAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ImageAccess::Read => "read_only",
            ImageAccess::Write => "write_only",
            ImageAccess::ReadWrite => "read_write",
        })
    }
}

impl fmt::Display for Mangled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let params: Vec<String> = self.params.iter().map(ParamType::to_string).collect();
        write!(f, "{}({})", self.base, params.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Symbols that clang emits, with what they say.
    const SYMBOLS: [(&str, &str); 42] = [
        ("barrier_free_name", "barrier_free_name()"),
        ("_Z12get_work_dimv", "get_work_dim()"),
        ("_Z13get_global_idj", "get_global_id(uint)"),
        ("_Z3absc", "abs(char)"),
        ("_Z3absa", "abs(char)"),
        ("_Z5clampDv4_fff", "clamp(float4, float, float)"),
        ("_Z7mad_satDv4_iS_S_", "mad_sat(int4, int4, int4)"),
        ("_Z3powDv3_DhS_", "pow(half3, half3)"),
        ("_Z8upsampleDv3_sDv3_t", "upsample(short3, ushort3)"),
        ("_Z8shuffle2Dv4_fS_Dv4_j", "shuffle2(float4, float4, uint4)"),
        ("_Z6vload4mPU3AS1Kf", "vload4(ulong, const global float*)"),
        ("_Z6vload4jPU3AS2Kf", "vload4(uint, const constant float*)"),
        ("_Z5fractDv4_fPS_", "fract(float4, float4*)"),
        ("_Z6remquoDv4_fS_PDv4_i", "remquo(float4, float4, int4*)"),
        ("_Z10atomic_addPU3AS1Vii", "atomic_add(volatile global int*, int)"),
        ("_Z10atomic_incPU3AS3Vj", "atomic_inc(volatile local uint*)"),
        (
            "_Z29async_work_group_strided_copyPU3AS3Dv8_DhPU3AS1KS_mm9ocl_event",
            "async_work_group_strided_copy(local half8*, const global half8*, ulong, ulong, event)",
        ),
        ("_Z17wait_group_eventsiPU3AS49ocl_event", "wait_group_events(int, generic event*)"),
        (
            "_Z39atomic_compare_exchange_strong_explicitPU3AS4VU7_AtomicdPU3AS4dd12memory_orderS4_12memory_scope",
            "atomic_compare_exchange_strong_explicit(volatile generic atomic double*, generic double*, double, memory_order, memory_order, memory_scope)",
        ),
        (
            "_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_",
            "enqueue_marker(ocl_queue, uint, const generic ocl_clkevent*, generic ocl_clkevent*)",
        ),
        (
            "_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i",
            "read_imagef(image2d read_only, sampler, int2)",
        ),
        (
            "_Z12write_imagef20ocl_image2d_array_rwDv4_iDv4_f",
            "write_imagef(image2d_array read_write, int4, float4)",
        ),
        (
            "_Z11read_imagef31ocl_image2d_array_msaa_depth_roDv4_ii",
            "read_imagef(image2d_array_msaa_depth read_only, int4, int)",
        ),
        (
            "_Z15get_image_width21ocl_image1d_buffer_wo",
            "get_image_width(image1d_buffer write_only)",
        ),
        ("_Z7__writePU3AS1VKv", "__write(const volatile global void*)"),
        ("_Z7__writePU8CLglobalVKv", "__write(const volatile global void*)"),
        (
            "_Z22__requires_fresh_arrayPU3AS3VKvPv",
            "__requires_fresh_array(const volatile local void*, void*)",
        ),
        ("_Z5__itebii", "__ite(bool, int, int)"),
        ("_Z6printfPU3AS2Kcz", "printf(const constant char*, ...)"),
        // C++, as for CUDA
        ("_Z6__readPVKv", "__read(const volatile void*)"),
        ("_ZL9my_helperPfS_i", "my_helper(float*, float*, int)"),
        ("_Z5__iteIiET_bS0_S0_", "__ite(bool, int, int)"),
        ("_Z3addIfLi4EEvPT_S1_", "add(float*, float*)"),
        ("_ZN18cooperative_groups4syncEi", "cooperative_groups::sync(int)"),
        (
            "_ZN18cooperative_groups4syncERKNS_12thread_blockE",
            "cooperative_groups::sync(const cooperative_groups::thread_block*)",
        ),
        (
            "_ZNK18cooperative_groups12thread_block4syncEv",
            "cooperative_groups::thread_block::sync()",
        ),
        ("_Z5tex2DIfET_7textureIS0_Li2EEff", "tex2D(texture, float, float)"),
        ("_Z9atomicAddPyy", "atomicAdd(ulonglong*, ulonglong)"),
        ("_Z4swap6float4S_S_", "swap(float4, float4, float4)"),
        ("_Z5applyPFffEf", "apply(function*, float)"),
        ("_Z4copyRA16_Kf", "copy(const float*)"),
        ("_Zpl6float4S_", "?"),
    ];

    fn read(symbol: &str) -> String {
        Mangled::parse(symbol).map_or("?".to_owned(), |name| name.to_string())
    }

    #[test]
    fn names_and_parameters() {
        for (symbol, expected) in SYMBOLS {
            assert_eq!(read(symbol), expected, "{symbol}");
        }
    }

    #[test]
    fn no_input_panics() {
        for (symbol, _) in SYMBOLS {
            for end in 0..symbol.len() {
                read(&symbol[..end]);
                read(&format!("_Z{}", &symbol[end..]));
            }
        }
        for symbol in
            ["_Z", "_ZN", "_ZNE", "_Z1", "_Z99x", "_Z1fS_", "_Z1fT_", "_Z1fDv4_P", "_Z1f\u{e9}"]
        {
            read(symbol);
        }
        assert_eq!(Mangled::parse("_Z1fS_"), None);
    }
}
