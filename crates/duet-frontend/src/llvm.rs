//! A thin, copyable view of LLVM values and types, for reading.
//!
//! inkwell owns the context, the module and the pass pipeline. Its typed value
//! enums panic on what they do not list (target extension types, metadata
//! wrapped as values), and a reader of arbitrary bitcode must not; so reading
//! goes through these two newtypes over the C API.
//!
//! SAFETY: every block of this file calls a function of the C API that reads, with a
//! reference whose module is alive: [`crate::prepare::Prepared`] keeps it so, and
//! references do not leave this crate and `duet-host`, which keeps its module alive as
//! long as it looks at it. What a function asks of its argument beyond
//! that (an opcode, a kind of type) is checked before the call or said in the
//! method's comment.

// Handles of LLVM are pointers; who makes them promises what is said above.
#![allow(clippy::not_unsafe_ptr_arg_deref)]

use std::ffi::CStr;

use duet_ir::MemoryOrder;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind, LLVMValueKind};

/// May this `cmpxchg` fail without reason?
pub fn is_weak(inst: Val) -> bool {
    // SAFETY: the caller has looked at the opcode.
    unsafe { LLVMGetWeak(inst.0) != 0 }
}

/// How an `icmp` compares.
pub fn predicate(inst: Val) -> inkwell::llvm_sys::LLVMIntPredicate {
    // SAFETY: the caller has looked at the opcode.
    unsafe { LLVMGetICmpPredicate(inst.0) }
}

/// A value: constant, argument, instruction, function, global.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Val(pub LLVMValueRef);

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ty(pub LLVMTypeRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bb(pub LLVMBasicBlockRef);

/// A metadata node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Md(pub LLVMMetadataRef);

/// `Some` if the pointer is not null.
fn non_null<T>(pointer: *mut T) -> Option<*mut T> {
    (!pointer.is_null()).then_some(pointer)
}

/// The text behind a pointer and a length.
unsafe fn text(pointer: *const libc_char, len: usize) -> String {
    if pointer.is_null() {
        return String::new();
    }
    let bytes = unsafe { std::slice::from_raw_parts(pointer.cast::<u8>(), len) };
    String::from_utf8_lossy(bytes).into_owned()
}

#[allow(non_camel_case_types)]
type libc_char = std::ffi::c_char;

/// Walks an intrusive list of the C API.
fn chain<T>(
    first: *mut T,
    next: unsafe extern "C" fn(*mut T) -> *mut T,
) -> impl Iterator<Item = *mut T> {
    std::iter::successors(non_null(first), move |&at| non_null(unsafe { next(at) }))
}

/// The functions of a module.
pub fn functions(module: LLVMModuleRef) -> Vec<Val> {
    chain(unsafe { LLVMGetFirstFunction(module) }, LLVMGetNextFunction).map(Val).collect()
}

/// The global variables of a module.
pub fn globals(module: LLVMModuleRef) -> Vec<Val> {
    chain(unsafe { LLVMGetFirstGlobal(module) }, LLVMGetNextGlobal).map(Val).collect()
}

/// What the source calls a global variable; the name in the module if it does not tell.
pub fn source_name(global: Val) -> String {
    let described = global_variable_description(global);
    let name = described
        .and_then(|variable| crate::llvm_to_ir::variable_name(variable.as_value(global.context())));
    name.unwrap_or_else(|| global.name())
}

/// The operands of a named metadata list of the module.
pub fn named_metadata(module: LLVMModuleRef, name: &CStr) -> Vec<Val> {
    unsafe {
        let count = LLVMGetNamedMetadataNumOperands(module, name.as_ptr());
        let mut nodes = vec![std::ptr::null_mut(); count as usize];
        LLVMGetNamedMetadataOperands(module, name.as_ptr(), nodes.as_mut_ptr());
        nodes.into_iter().map(Val).collect()
    }
}

impl Val {
    /// The type.
    pub fn ty(self) -> Ty {
        Ty(unsafe { LLVMTypeOf(self.0) })
    }

    /// What sort of value it is.
    pub fn kind(self) -> LLVMValueKind {
        unsafe { LLVMGetValueKind(self.0) }
    }

    /// The name in the IR; empty if it has none.
    pub fn name(self) -> String {
        let mut len = 0;
        unsafe {
            let pointer = LLVMGetValueName2(self.0, &mut len);
            text(pointer, len)
        }
    }

    /// How many operands.
    pub fn num_operands(self) -> u32 {
        unsafe { LLVMGetNumOperands(self.0).max(0) as u32 }
    }

    /// An operand.
    pub fn operand(self, index: u32) -> Val {
        Val(unsafe { LLVMGetOperand(self.0, index) })
    }

    /// All operands.
    pub fn operands(self) -> impl Iterator<Item = Val> {
        (0..self.num_operands()).map(move |index| self.operand(index))
    }

    /// Is it an instruction?
    pub fn is_instruction(self) -> bool {
        self.kind() == LLVMValueKind::LLVMInstructionValueKind
    }

    /// Is it a constant of any sort (globals and functions included)?
    pub fn is_constant(self) -> bool {
        unsafe { LLVMIsConstant(self.0) != 0 }
    }

    /// The opcode of an instruction.
    pub fn opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    /// The opcode of a constant expression.
    pub fn const_opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetConstOpcode(self.0) }
    }

    /// The parameters of a function.
    pub fn params(self) -> Vec<Val> {
        unsafe {
            let mut params = vec![std::ptr::null_mut(); LLVMCountParams(self.0) as usize];
            LLVMGetParams(self.0, params.as_mut_ptr());
            params.into_iter().map(Val).collect()
        }
    }

    /// The blocks of a function, entry first; none for a declaration.
    pub fn blocks(self) -> Vec<Bb> {
        chain(unsafe { LLVMGetFirstBasicBlock(self.0) }, LLVMGetNextBasicBlock).map(Bb).collect()
    }

    /// Is it a function or variable without a definition?
    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// Is it a function?
    pub fn is_function(self) -> bool {
        self.kind() == LLVMValueKind::LLVMFunctionValueKind
    }

    /// The callee of a call.
    pub fn callee(self) -> Val {
        Val(unsafe { LLVMGetCalledValue(self.0) })
    }

    /// The arguments of a call.
    pub fn arguments(self) -> Vec<Val> {
        let count = unsafe { LLVMGetNumArgOperands(self.0) };
        (0..count).map(|index| self.operand(index)).collect()
    }

    /// The arguments, if it is a call of the kind asked for.
    pub fn arguments_if(self, wanted: bool) -> Option<Vec<Val>> {
        wanted.then(|| self.arguments())
    }

    /// The type of a function, or of what a global variable or alloca holds.
    pub fn value_type(self) -> Ty {
        if unsafe { !LLVMIsAAllocaInst(self.0).is_null() } {
            return Ty(unsafe { LLVMGetAllocatedType(self.0) });
        }
        Ty(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    /// The initialiser of a global variable.
    pub fn initializer(self) -> Option<Val> {
        non_null(unsafe { LLVMGetInitializer(self.0) }).map(Val)
    }

    /// The section of a global.
    pub fn section(self) -> String {
        unsafe {
            let pointer = LLVMGetSection(self.0);
            if pointer.is_null() {
                return String::new();
            }
            CStr::from_ptr(pointer).to_string_lossy().into_owned()
        }
    }

    /// Alignment of a load, store, alloca or global.
    pub fn alignment(self) -> u32 {
        unsafe { LLVMGetAlignment(self.0) }
    }

    /// Is the load or store volatile?
    pub fn is_volatile(self) -> bool {
        unsafe { LLVMGetVolatile(self.0) != 0 }
    }

    /// May the compare-and-exchange fail although the values are equal?
    pub fn is_weak(self) -> bool {
        unsafe { LLVMGetWeak(self.0) != 0 }
    }

    /// The zero-extended value of a constant integer of at most 64 bits.
    pub fn const_u64(self) -> Option<u64> {
        let fits =
            self.kind() == LLVMValueKind::LLVMConstantIntValueKind && self.ty().int_width() <= 64;
        fits.then(|| unsafe { LLVMConstIntGetZExtValue(self.0) })
    }

    /// The bits of a constant integer of at most 128 bits.
    pub fn const_bits(self) -> Option<u128> {
        if let Some(bits) = self.const_u64() {
            return Some(u128::from(bits));
        }
        (self.kind() == LLVMValueKind::LLVMConstantIntValueKind && self.ty().int_width() <= 128)
            .then(|| wide_constant(self))
    }

    /// The element of a constant aggregate or vector.
    pub fn element(self, index: u32) -> Option<Val> {
        non_null(unsafe { LLVMGetAggregateElement(self.0, index) }).map(Val)
    }

    /// The value of a function's enum attribute.
    pub fn attribute_value(self, name: &str) -> Option<u64> {
        attribute(self, u32::MAX, name).map(|attr| unsafe { LLVMGetEnumAttributeValue(attr) })
    }

    /// Does the function's parameter have the enum attribute?
    pub fn param_has_attribute(self, param: u32, name: &str) -> bool {
        attribute(self, param + 1, name).is_some()
    }

    /// The type of the parameter's `byval` attribute.
    pub fn byval_type(self, param: u32) -> Option<Ty> {
        attribute(self, param + 1, "byval")
            .map(|attr| Ty(unsafe { LLVMGetTypeAttributeValue(attr) }))
    }

    /// The debug location of an instruction.
    pub fn debug_loc(self) -> Option<Md> {
        non_null(unsafe { LLVMInstructionGetDebugLoc(self.0) }).map(Md)
    }

    /// The debug description of a function.
    pub fn subprogram(self) -> Option<Md> {
        non_null(unsafe { LLVMGetSubprogram(self.0) }).map(Md)
    }

    /// The operands of a metadata node wrapped as a value; for a wrapped value,
    /// the value. Empty if it is neither.
    pub fn md_operands(self) -> Vec<Option<Val>> {
        unsafe {
            if LLVMIsAMDNode(self.0).is_null() {
                return vec![];
            }
            let mut nodes = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(self.0) as usize];
            LLVMGetMDNodeOperands(self.0, nodes.as_mut_ptr());
            nodes.into_iter().map(|node| non_null(node).map(Val)).collect()
        }
    }

    /// The text of a metadata string wrapped as a value.
    pub fn md_string(self) -> Option<String> {
        unsafe {
            if LLVMIsAMDString(self.0).is_null() {
                return None;
            }
            let mut len = 0;
            let pointer = LLVMGetMDString(self.0, &mut len);
            Some(text(pointer, len as usize))
        }
    }

    /// The operands of the named metadata attached to a function.
    pub fn attached_metadata(self, name: &str) -> Vec<Option<Val>> {
        let mut count = 0;
        unsafe {
            let entries = LLVMGlobalCopyAllMetadata(self.0, &mut count);
            let wanted = LLVMGetMDKindIDInContext(
                LLVMGetTypeContext(LLVMTypeOf(self.0)),
                name.as_ptr().cast(),
                name.len() as u32,
            );
            let found = (0..count as u32)
                .find(|&index| LLVMValueMetadataEntriesGetKind(entries, index) == wanted)
                .map(|index| Md(LLVMValueMetadataEntriesGetMetadata(entries, index)));
            LLVMDisposeValueMetadataEntries(entries);
            found.map_or(vec![], |node| node.operands(self.context()))
        }
    }

    /// The LLVM context.
    pub fn context(self) -> LLVMContextRef {
        unsafe { LLVMGetTypeContext(LLVMTypeOf(self.0)) }
    }
}

/// A constant integer of 65 to 128 bits. The C API gives no access to the upper
/// words, so the printed form is read.
fn wide_constant(value: Val) -> u128 {
    let printed = printed(value);
    let digits = printed.rsplit(' ').next().unwrap_or("0");
    let bits = match digits.strip_prefix('-') {
        Some(magnitude) => magnitude.parse::<u128>().unwrap_or(0).wrapping_neg(),
        None => digits.parse::<u128>().unwrap_or(0),
    };
    let width = value.ty().int_width();
    if width >= 128 { bits } else { bits & ((1 << width) - 1) }
}

/// The name of an atomic instruction's synchronisation scope; empty for the whole
/// system. The C API of LLVM 19 has no access to it, so the printed form is read:
/// names of values are printed with their quotation marks escaped, and cannot be
/// mistaken for it.
pub fn sync_scope(inst: Val) -> String {
    const MARK: &str = " syncscope(\"";
    let printed = printed(inst);
    let Some((_, rest)) = printed.split_once(MARK) else { return String::new() };
    rest.split('"').next().unwrap_or(rest).to_string()
}

/// The order of an atomic instruction or a fence; that of success, if there are two.
pub fn memory_order(inst: Val) -> MemoryOrder {
    use inkwell::llvm_sys::LLVMAtomicOrdering::*;
    use inkwell::llvm_sys::LLVMOpcode::*;
    // SAFETY: the opcode is looked at, and each has the order that is asked for.
    let order = unsafe {
        match inst.opcode() {
            LLVMAtomicCmpXchg => LLVMGetCmpXchgSuccessOrdering(inst.0),
            LLVMLoad | LLVMStore | LLVMAtomicRMW | LLVMFence => LLVMGetOrdering(inst.0),
            _ => return MemoryOrder::Relaxed,
        }
    };
    match order {
        LLVMAtomicOrderingNotAtomic | LLVMAtomicOrderingUnordered | LLVMAtomicOrderingMonotonic => {
            MemoryOrder::Relaxed
        }
        LLVMAtomicOrderingAcquire => MemoryOrder::Acquire,
        LLVMAtomicOrderingRelease => MemoryOrder::Release,
        LLVMAtomicOrderingAcquireRelease | LLVMAtomicOrderingSequentiallyConsistent => {
            MemoryOrder::AcquireRelease
        }
    }
}

/// The text form of a value.
fn printed(value: Val) -> String {
    unsafe {
        let pointer = LLVMPrintValueToString(value.0);
        let printed = CStr::from_ptr(pointer).to_string_lossy().into_owned();
        LLVMDisposeMessage(pointer);
        printed
    }
}

/// An enum or type attribute at an index (0: result, 1…: parameters, MAX: the
/// function).
fn attribute(function: Val, index: u32, name: &str) -> Option<LLVMAttributeRef> {
    unsafe {
        let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
        non_null(LLVMGetEnumAttributeAtIndex(function.0, index, kind))
    }
}

impl Bb {
    /// The instructions, in order.
    pub fn instructions(self) -> Vec<Val> {
        chain(unsafe { LLVMGetFirstInstruction(self.0) }, LLVMGetNextInstruction).map(Val).collect()
    }

    /// The last instruction.
    pub fn terminator(self) -> Val {
        Val(unsafe { LLVMGetBasicBlockTerminator(self.0) })
    }

    /// Successors in edge order.
    pub fn successors(self) -> Vec<Bb> {
        let terminator = self.terminator();
        let count = unsafe { LLVMGetNumSuccessors(terminator.0) };
        (0..count).map(|index| Bb(unsafe { LLVMGetSuccessor(terminator.0, index) })).collect()
    }
}

impl Ty {
    /// What sort of type.
    pub fn kind(self) -> LLVMTypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }

    /// Width of an integer type.
    pub fn int_width(self) -> u32 {
        unsafe { LLVMGetIntTypeWidth(self.0) }
    }

    /// Address space of a pointer type.
    pub fn address_space(self) -> u32 {
        unsafe { LLVMGetPointerAddressSpace(self.0) }
    }

    /// Element type of an array or vector.
    pub fn element(self) -> Ty {
        Ty(unsafe { LLVMGetElementType(self.0) })
    }

    /// Length of an array or vector.
    #[allow(clippy::len_without_is_empty)] // LLVM has no empty vectors
    pub fn len(self) -> u64 {
        match self.kind() {
            LLVMTypeKind::LLVMArrayTypeKind => unsafe { LLVMGetArrayLength2(self.0) },
            _ => u64::from(unsafe { LLVMGetVectorSize(self.0) }),
        }
    }

    /// Field types of a struct.
    pub fn fields(self) -> Vec<Ty> {
        let count = unsafe { LLVMCountStructElementTypes(self.0) };
        (0..count).map(|index| Ty(unsafe { LLVMStructGetTypeAtIndex(self.0, index) })).collect()
    }

    /// Result type of a function type.
    pub fn result(self) -> Ty {
        Ty(unsafe { LLVMGetReturnType(self.0) })
    }

    /// Name of a target extension type (`spirv.Image`).
    pub fn target_ext_name(self) -> String {
        unsafe { CStr::from_ptr(LLVMGetTargetExtTypeName(self.0)).to_string_lossy().into_owned() }
    }

    /// Is this the type of pointers?
    pub fn is_pointer(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMPointerTypeKind
    }
}

/// Directory and name of a file node.
unsafe fn file_name(file: LLVMMetadataRef) -> (String, String) {
    unsafe {
        let mut len = 0;
        let directory = LLVMDIFileGetDirectory(file, &mut len);
        let directory = text(directory, len as usize);
        let name = LLVMDIFileGetFilename(file, &mut len);
        (directory, text(name, len as usize))
    }
}

impl Md {
    /// Wraps the node as a value, to look inside it.
    pub fn as_value(self, context: LLVMContextRef) -> Val {
        Val(unsafe { LLVMMetadataAsValue(context, self.0) })
    }

    /// The operands of the node.
    pub fn operands(self, context: LLVMContextRef) -> Vec<Option<Val>> {
        self.as_value(context).md_operands()
    }

    /// Line and column of a debug location.
    pub fn line_column(self) -> (u32, u32) {
        unsafe { (LLVMDILocationGetLine(self.0), LLVMDILocationGetColumn(self.0)) }
    }

    /// The call that a debug location was inlined at.
    pub fn inlined_at(self) -> Option<Md> {
        non_null(unsafe { LLVMDILocationGetInlinedAt(self.0) }).map(Md)
    }

    /// The file of a debug location's scope, as directory and name.
    pub fn location_file(self) -> Option<(String, String)> {
        Md(unsafe { LLVMDILocationGetScope(self.0) }).scope_file()
    }

    /// The file of a scope (a function, a block), as directory and name.
    pub fn scope_file(self) -> Option<(String, String)> {
        unsafe { non_null(LLVMDIScopeGetFile(self.0)).map(|file| file_name(file)) }
    }

    /// File and line of a variable's declaration.
    pub fn variable_file(self) -> Option<((String, String), u32)> {
        unsafe {
            let file = non_null(LLVMDIVariableGetFile(self.0))?;
            let line = LLVMDIVariableGetLine(self.0);
            Some((file_name(file), line))
        }
    }

    /// Line on which a function is defined.
    pub fn subprogram_line(self) -> u32 {
        unsafe { LLVMDISubprogramGetLine(self.0) }
    }
}

/// The bit offset of a struct member, given its debug description; `None` if it
/// describes no type.
pub fn di_offset_bits(member: Val) -> Option<u64> {
    unsafe {
        let node = LLVMValueAsMetadata(member.0);
        let is_type =
            matches!(LLVMGetMetadataKind(node), LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind);
        is_type.then(|| LLVMDITypeGetOffsetInBits(node))
    }
}

/// The function that an argument belongs to.
pub fn argument_parent(argument: Val) -> Val {
    Val(unsafe { LLVMGetParamParent(argument.0) })
}

/// The block of an instruction.
pub fn instruction_block(inst: Val) -> Bb {
    Bb(unsafe { LLVMGetInstructionParent(inst.0) })
}

/// The function that an instruction is in.
pub fn instruction_function(inst: Val) -> Val {
    Val(unsafe { LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst.0)) })
}

/// Is the global variable never written?
pub fn is_constant_global(global: Val) -> bool {
    unsafe { LLVMIsGlobalConstant(global.0) != 0 }
}

/// May the host give the global variable another first value?
pub fn is_externally_initialized(global: Val) -> bool {
    unsafe { LLVMIsExternallyInitialized(global.0) != 0 }
}

/// The debug description of a global variable.
pub fn global_variable_description(global: Val) -> Option<Md> {
    let mut count = 0;
    unsafe {
        let entries = LLVMGlobalCopyAllMetadata(global.0, &mut count);
        // Kind 0 is `!dbg`.
        let found = (0..count as u32)
            .find(|&index| LLVMValueMetadataEntriesGetKind(entries, index) == 0)
            .map(|index| LLVMValueMetadataEntriesGetMetadata(entries, index));
        LLVMDisposeValueMetadataEntries(entries);
        non_null(LLVMDIGlobalVariableExpressionGetVariable(found?)).map(Md)
    }
}

/// The bits of a constant float of at most 64 bits.
pub fn float_bits(value: Val) -> Option<u128> {
    if value.kind() != LLVMValueKind::LLVMConstantFPValueKind {
        return None;
    }
    let mut lossy = 0;
    let double = unsafe { LLVMConstRealGetDouble(value.0, &mut lossy) };
    match value.ty().kind() {
        LLVMTypeKind::LLVMDoubleTypeKind => Some(u128::from(double.to_bits())),
        LLVMTypeKind::LLVMFloatTypeKind => Some(u128::from((double as f32).to_bits())),
        LLVMTypeKind::LLVMBFloatTypeKind => Some(u128::from((double as f32).to_bits() >> 16)),
        LLVMTypeKind::LLVMHalfTypeKind => Some(u128::from(half_bits(double))),
        _ => None,
    }
}

/// The half-precision bits of a double that is one exactly.
fn half_bits(value: f64) -> u16 {
    let bits = value.to_bits();
    let sign = ((bits >> 48) & 0x8000) as u16;
    let exponent = ((bits >> 52) & 0x7ff) as i32 - 1023;
    let fraction = bits & ((1 << 52) - 1);
    match exponent {
        1024 => sign | 0x7c00 | (fraction >> 42) as u16,
        -14..=15 => sign | ((exponent + 15) as u16) << 10 | (fraction >> 42) as u16,
        -24..=-15 => {
            let significand = (1 << 52) | fraction;
            sign | (significand >> (42 + (-14 - exponent))) as u16
        }
        _ => sign,
    }
}

/// The operand of a phi for control coming from `from`.
pub fn incoming(phi: Val, from: Bb) -> Val {
    unsafe {
        let count = LLVMCountIncoming(phi.0);
        let index = (0..count)
            .find(|&index| LLVMGetIncomingBlock(phi.0, index) == from.0)
            .expect("a phi has an operand for every predecessor");
        Val(LLVMGetIncomingValue(phi.0, index))
    }
}

/// The constant indices of `extractvalue` and `insertvalue`.
pub fn indices(inst: Val) -> Vec<u32> {
    unsafe {
        let count = LLVMGetNumIndices(inst.0) as usize;
        std::slice::from_raw_parts(LLVMGetIndices(inst.0), count).to_vec()
    }
}

/// The targets of a terminator.
pub fn successors(terminator: Val) -> Vec<Bb> {
    let count = unsafe { LLVMGetNumSuccessors(terminator.0) };
    (0..count).map(|index| Bb(unsafe { LLVMGetSuccessor(terminator.0, index) })).collect()
}

impl Val {
    /// Is it an alloca?
    pub fn opcode_is_alloca(self) -> bool {
        self.is_instruction() && self.opcode() == LLVMOpcode::LLVMAlloca
    }
}

/// The alignment that a call promises for an argument; 1 if none.
pub fn argument_align(call: Val, argument: u32) -> u32 {
    unsafe {
        let kind = LLVMGetEnumAttributeKindForName(c"align".as_ptr(), 5);
        let attribute = LLVMGetCallSiteEnumAttribute(call.0, argument + 1, kind);
        non_null(attribute).map_or(1, |attribute| LLVMGetEnumAttributeValue(attribute) as u32)
    }
}

/// LLVM's name of an intrinsic, without the types of an overload; `None` if LLVM
/// knows no such intrinsic.
pub fn intrinsic_name(function: Val) -> Option<String> {
    unsafe {
        let id = LLVMGetIntrinsicID(function.0);
        let mut len = 0;
        if id == 0 {
            return None;
        }
        let pointer = LLVMIntrinsicGetName(id, &mut len);
        Some(text(pointer, len))
    }
}

/// The text of inline assembly.
pub fn assembly_text(assembly: Val) -> String {
    let mut len = 0;
    unsafe {
        let pointer = LLVMGetInlineAsmAsmString(assembly.0, &mut len);
        text(pointer, len)
    }
}

/// The constraints of inline assembly: outputs, inputs, clobbers.
pub fn assembly_constraints(assembly: Val) -> String {
    let mut len = 0;
    unsafe {
        let pointer = LLVMGetInlineAsmConstraintString(assembly.0, &mut len);
        text(pointer, len)
    }
}

/// The assembly that stands in the module outside of functions.
pub fn module_assembly(module: LLVMModuleRef) -> String {
    let mut len = 0;
    unsafe {
        let pointer = LLVMGetModuleInlineAsm(module, &mut len);
        text(pointer, len)
    }
}

/// The values that use a value.
pub fn users(value: Val) -> Vec<Val> {
    unsafe {
        chain(LLVMGetFirstUse(value.0), LLVMGetNextUse)
            .map(|usage| Val(LLVMGetUser(usage)))
            .collect()
    }
}

/// The parameter types of a function type.
pub fn param_types(ty: Ty) -> Vec<Ty> {
    unsafe {
        let mut params = vec![std::ptr::null_mut(); LLVMCountParamTypes(ty.0) as usize];
        LLVMGetParamTypes(ty.0, params.as_mut_ptr());
        params.into_iter().map(Ty).collect()
    }
}

impl Ty {
    /// Is this `void`?
    pub fn is_void(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMVoidTypeKind
    }
}

/// The type that a pointer most likely points at: what an alloca or a global
/// holds, or what address arithmetic arrives at.
pub fn pointee_hint(pointer: Val) -> Option<Ty> {
    if pointer.opcode_is_alloca() || pointer.kind() == LLVMValueKind::LLVMGlobalVariableValueKind {
        return Some(pointer.value_type());
    }
    if !pointer.is_instruction() || pointer.opcode() != LLVMOpcode::LLVMGetElementPtr {
        return None;
    }
    let mut ty = Ty(unsafe { LLVMGetGEPSourceElementType(pointer.0) });
    for index in pointer.operands().skip(2) {
        ty = match ty.kind() {
            LLVMTypeKind::LLVMStructTypeKind => ty.fields()[index.const_u64()? as usize],
            _ => ty.element(),
        };
    }
    Some(ty)
}
