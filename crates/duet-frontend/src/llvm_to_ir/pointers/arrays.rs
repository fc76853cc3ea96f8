//! The arrays of a module: every global variable, alloca, pointer parameter,
//! image and texture that its functions can touch.

use std::collections::{HashMap, HashSet};

use duet_ir::{Array, ArrayData, ArrayOrigin, Found, Loc, Module, Space};
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::llvm_sys::{LLVMOpcode, LLVMValueKind};

use crate::layout::{self, LeafKind};
use crate::llvm::{self, Bb, Ty, Val};
use crate::llvm_to_ir::locations::{Locations, field_path, variable_name};
use crate::llvm_to_ir::{Home, ParamPlace, constants};
use crate::prepare::{PARAM_LEAF, size_of, underlying};

/// The arrays by where they come from.
#[derive(Default)]
pub struct Arrays {
    by_home: HashMap<Home, Array>,
    /// Names of parameters, struct leaves included.
    pub param_names: HashMap<ParamPlace, String>,
    names: HashSet<String>,
    /// The handle of some surface is computed: it may be any of the parameters.
    has_computed_surface: bool,
}

/// Section of texture and surface references.
const IMAGE_SECTION: &str = ".duet.image";

impl Arrays {
    /// The array at `home`.
    pub fn at(&self, home: Home) -> Option<Array> {
        self.by_home.get(&home).copied()
    }

    /// Finds all arrays of these functions and adds them to `module`.
    pub fn collect(
        llvm: LLVMModuleRef,
        functions: &[Val],
        kernels: &[Val],
        module: &mut Module,
        locations: &mut Locations,
    ) -> Arrays {
        let mut arrays = Arrays::default();
        for &kernel in kernels {
            arrays.add_params(llvm, kernel, module, locations);
        }
        for global in llvm::globals(llvm) {
            arrays.add_global(llvm, global, module, locations);
        }
        for function in llvm::functions(llvm) {
            arrays.add_function_address(function, module, locations);
        }
        let insts = functions.iter().flat_map(|function| function.blocks());
        arrays.has_computed_surface = insts.flat_map(Bb::instructions).any(is_computed_surface);
        for &function in functions {
            arrays.add_locals(llvm, function, module, locations);
        }
        let nowhere = Home::Handle(Val(std::ptr::null_mut()));
        arrays.add(module, nowhere, "heap", fresh_array(None));
        arrays
    }

    /// Adds one array under a name that is made unique.
    fn add(&mut self, module: &mut Module, home: Home, name: &str, data: ArrayData) -> Array {
        let mut unique = name.to_string();
        let mut attempt = 1;
        while !self.names.insert(unique.clone()) {
            attempt += 1;
            unique = format!("{name}#{attempt}");
        }
        let array = module.arrays.push(ArrayData { name: unique, ..data });
        self.by_home.insert(home, array);
        array
    }

    fn add_params(
        &mut self,
        llvm: LLVMModuleRef,
        kernel: Val,
        module: &mut Module,
        locations: &mut Locations,
    ) {
        let loc = locations.of_function(module, kernel);
        for (index, param) in kernel.params().into_iter().enumerate() {
            let index = index as u32;
            let place = ParamPlace { kernel, index, offset: 0 };
            if let Some(ty) = kernel.byval_type(index) {
                self.add_struct_param(llvm, place, ty, module, loc);
                continue;
            }
            let name = param_name(param, index);
            self.param_names.insert(place, name.clone());
            if is_compared_with_function(param) {
                continue;
            }
            if let Ok(LeafKind::Pointer(address_space)) = layout::leaf_kind(param.ty()) {
                let restrict = kernel.param_has_attribute(index, "noalias");
                let data = param_array(param.ty(), address_space, restrict, loc);
                self.add(module, Home::Param(place), &name, data);
            }
        }
    }

    /// Adds the pointers in a struct that is passed by value.
    fn add_struct_param(
        &mut self,
        llvm: LLVMModuleRef,
        place: ParamPlace,
        ty: Ty,
        module: &mut Module,
        loc: Option<Loc>,
    ) {
        let param = place.kernel.params()[place.index as usize];
        let name = param_name(param, place.index);
        let described = declared_type(place.kernel, &name);
        for (number, leaf) in layout::leaves(llvm, ty).unwrap_or_default().iter().enumerate() {
            let place = ParamPlace { offset: leaf.offset, ..place };
            let field = described
                .and_then(|ty| field_path(ty, leaf.offset))
                .unwrap_or_else(|| number.to_string());
            let name = format!("{name}.{field}");
            self.param_names.insert(place, name.clone());
            if let LeafKind::Pointer(address_space) = leaf.kind {
                let data = param_array(leaf.ty, address_space, false, loc);
                self.add(module, Home::Param(place), &name, data);
            }
        }
    }

    fn add_global(
        &mut self,
        llvm: LLVMModuleRef,
        global: Val,
        module: &mut Module,
        locations: &mut Locations,
    ) {
        if global.name().starts_with("llvm.") {
            return;
        }
        let address_space = global.ty().address_space();
        let is_shared = address_space == 3;
        let ty = global.value_type();
        let is_image = global.section() == IMAGE_SECTION;
        let is_dynamic = is_shared && global.is_declaration();
        if is_dynamic && let Some(array) = self.dynamic_shared(module) {
            self.by_home.insert(Home::Variable(global), array);
            return;
        }
        let size = size_of(llvm, ty);
        let origin = match () {
            () if is_image => ArrayOrigin::Image,
            () if is_dynamic => ArrayOrigin::DynamicShared,
            () => ArrayOrigin::Variable,
        };
        let (name, loc) = describe_global(module, locations, global);
        let data = ArrayData {
            name: String::new(),
            space: global_space(module, global),
            granule: 1,
            size: (!is_image && !is_dynamic && !global.is_declaration()).then_some(size),
            origin,
            restrict: false,
            init: constant_contents(llvm, global),
            declared: declared_contents(llvm, global),
            found: Found::Unknown,
            loc,
        };
        self.add(module, Home::Variable(global), &name, data);
    }

    /// A function whose address is compared or passed around is an array of no
    /// bytes: all that can be done with its address is to compare it.
    fn add_function_address(
        &mut self,
        function: Val,
        module: &mut Module,
        locations: &mut Locations,
    ) {
        if function.is_declaration() {
            return;
        }
        let data = ArrayData {
            space: Space::Constant,
            size: Some(0),
            origin: ArrayOrigin::Variable,
            ..fresh_array(locations.of_function(module, function))
        };
        let name = format!("&{}", crate::llvm_to_ir::function_name(function));
        self.add(module, Home::Variable(function), &name, data);
    }

    /// The array of all `extern __shared__` names, if one was seen.
    fn dynamic_shared(&self, module: &Module) -> Option<Array> {
        let mut arrays = module.arrays.iter();
        arrays.find(|(_, data)| data.origin == ArrayOrigin::DynamicShared).map(|(array, _)| array)
    }

    fn add_locals(
        &mut self,
        llvm: LLVMModuleRef,
        function: Val,
        module: &mut Module,
        locations: &mut Locations,
    ) {
        for inst in function.blocks().into_iter().flat_map(Bb::instructions) {
            match inst.opcode() {
                LLVMOpcode::LLVMAlloca => self.add_local(llvm, inst, module, locations),
                LLVMOpcode::LLVMCall => self.add_handle(inst, module, locations),
                _ => {}
            }
        }
    }

    fn add_local(
        &mut self,
        llvm: LLVMModuleRef,
        alloca: Val,
        module: &mut Module,
        locations: &mut Locations,
    ) {
        let name = alloca.name();
        let name = name.split(".i").next().filter(|name| !name.is_empty()).unwrap_or("local");
        let count = alloca.operand(0).const_u64();
        let data = ArrayData {
            name: String::new(),
            space: Space::Private,
            granule: 1,
            size: count.map(|count| count * size_of(llvm, alloca.value_type())),
            origin: ArrayOrigin::Local,
            restrict: false,
            init: None,
            declared: None,
            found: Found::Unknown,
            loc: locations.of_inst(module, alloca),
        };
        self.add(module, Home::Variable(alloca), name, data);
    }

    /// Where the image comes from whose handle a call is given.
    ///
    /// SOUNDNESS: a computed handle may be that of any parameter, so the surfaces are one
    /// (kernels/soundness/56-one-of-two-surfaces). No thread writes textures.
    pub fn image_home(&self, call: Val) -> Home {
        let home = handle_home(call.operand(0));
        let is_surface = call.callee().name() == SURFACE_OBJECT;
        match home {
            Home::Param(_) if is_surface && self.has_computed_surface => COMPUTED,
            _ => home,
        }
    }

    /// Adds the image behind a texture or surface handle, one per handle that is
    /// a kernel's parameter and one for all others; and arrays that an annotation
    /// declares fresh.
    fn add_handle(&mut self, call: Val, module: &mut Module, locations: &mut Locations) {
        let name = call.callee().name();
        let kind = match name.as_str() {
            "__duet_texture_object" => "texture",
            SURFACE_OBJECT => "surface",
            _ if declares_fresh_array(&name) => {
                return self.add_fresh(call, module, locations);
            }
            _ => return,
        };
        let home = self.image_home(call);
        if let Some(array) = self.at(home) {
            // The variable of a texture reference stands for its image.
            module.arrays[array].origin = ArrayOrigin::Image;
            module.arrays[array].size = None;
            module.arrays[array].init = None;
            module.arrays[array].declared = None;
            return;
        }
        let name = match home {
            Home::Param(place) => {
                let place = ParamPlace { offset: place.offset & !HANDLE, ..place };
                self.param_names.get(&place).cloned()
            }
            _ => None,
        };
        let name = name.map_or(format!("{kind}s"), |name| format!("{name}:{kind}"));
        let loc = locations.of_inst(module, call);
        let data = ArrayData { origin: ArrayOrigin::Image, ..fresh_array(loc) };
        self.add(module, home, &name, data);
    }

    /// Adds the array that an annotation declares fresh, at that call.
    fn add_fresh(&mut self, call: Val, module: &mut Module, locations: &mut Locations) {
        let loc = locations.of_inst(module, call);
        let data = fresh_array(loc);
        self.add(module, Home::Variable(call), "fresh", ArrayData { restrict: true, ..data });
    }
}

/// Does a function of this name give a pointer variable an array of its own? (The
/// name may be mangled.)
pub fn declares_fresh_array(name: &str) -> bool {
    name.contains("__requires_fresh_array") || name.contains("__duet_requires_fresh_array")
}

/// Global memory that no name of the source stands for.
fn fresh_array(loc: Option<Loc>) -> ArrayData {
    ArrayData {
        name: String::new(),
        space: Space::Global,
        granule: 1,
        size: None,
        origin: ArrayOrigin::Fresh,
        restrict: false,
        init: None,
        declared: None,
        found: Found::Unknown,
        loc,
    }
}

/// Where the image behind a handle lives. SOUNDNESS: a handle that is not known
/// to be a parameter shares one array with every other such handle
/// (kernels/soundness/56-one-of-two-surfaces).
fn handle_home(handle: Val) -> Home {
    if handle.kind() == LLVMValueKind::LLVMArgumentValueKind {
        let kernel = llvm::argument_parent(handle);
        let index = kernel.params().iter().position(|&param| param == handle).unwrap_or(0);
        return Home::Param(ParamPlace { kernel, index: index as u32, offset: HANDLE });
    }
    if let Some(place) = leaf_place(handle) {
        return Home::Param(ParamPlace { offset: place.offset | HANDLE, ..place });
    }
    if let Some(variable) = referenced_variable(handle) {
        return Home::Variable(variable);
    }
    COMPUTED
}

/// The images whose handles are not simply parameters.
const COMPUTED: Home = Home::Handle(Val(std::ptr::dangling_mut()));

/// The call that takes the handle of a surface.
const SURFACE_OBJECT: &str = "__duet_surface_object";

fn is_computed_surface(inst: Val) -> bool {
    inst.opcode() == LLVMOpcode::LLVMCall
        && inst.callee().name() == SURFACE_OBJECT
        && handle_home(inst.operand(0)) == COMPUTED
}

/// Tells the image behind a parameter from the parameter itself.
const HANDLE: u64 = 1 << 63;

/// The texture or surface reference whose handle is taken.
fn referenced_variable(handle: Val) -> Option<Val> {
    let is_call = handle.is_instruction() && handle.opcode() == LLVMOpcode::LLVMCall;
    let takes = is_call && handle.callee().name().starts_with(TAKE_HANDLE);
    let variable = underlying(handle.arguments_if(takes)?.first().copied()?);
    (variable.kind() == LLVMValueKind::LLVMGlobalVariableValueKind).then_some(variable)
}

/// LLVM's intrinsic for the handle of a texture or surface reference.
pub const TAKE_HANDLE: &str = "llvm.nvvm.texsurf.handle.internal";

/// The struct leaf of a kernel's parameter that an opaque call stands for.
pub fn leaf_place(call: Val) -> Option<ParamPlace> {
    if !call.is_instruction() || call.opcode() != LLVMOpcode::LLVMCall {
        return None;
    }
    let name = call.callee().name();
    let rest = name.strip_prefix(PARAM_LEAF)?;
    let rest = rest.split('~').next()?;
    let (index, offset) = rest.split_once('.')?;
    Some(ParamPlace {
        kernel: llvm::instruction_function(call),
        index: index.parse().ok()?,
        offset: offset.parse().ok()?,
    })
}

/// The source name of a parameter.
fn param_name(param: Val, index: u32) -> String {
    let name = param.name();
    let name = name.strip_suffix(".coerce").unwrap_or(&name).to_string();
    if !name.is_empty() {
        return name;
    }
    debug_name(param).unwrap_or_else(|| format!("arg{index}"))
}

/// The name that debug information has for a parameter, in bitcode whose values
/// have no names.
fn debug_name(param: Val) -> Option<String> {
    let of_param =
        |call: &Val| call.operand(0).md_operands().first().copied().flatten() == Some(param);
    debug_calls(llvm::argument_parent(param))
        .find(of_param)
        .and_then(|call| variable_name(call.operand(1)))
}

/// The calls that say which variable a value belongs to.
fn debug_calls(kernel: Val) -> impl Iterator<Item = Val> {
    kernel.blocks().into_iter().flat_map(Bb::instructions).filter(|inst| {
        inst.opcode() == LLVMOpcode::LLVMCall && inst.callee().name().starts_with("llvm.dbg.")
    })
}

/// Is the parameter a pointer to a function? [`crate::prepare`] has turned calls
/// through it into comparisons.
fn is_compared_with_function(param: Val) -> bool {
    llvm::users(param).into_iter().any(|user| {
        user.is_instruction()
            && user.opcode() == LLVMOpcode::LLVMICmp
            && user.operands().any(Val::is_function)
    })
}

/// The array of a pointer parameter.
fn param_array(ty: Ty, address_space: u32, restrict: bool, loc: Option<Loc>) -> ArrayData {
    let is_image = !ty.is_pointer();
    ArrayData {
        name: String::new(),
        // OpenCL: 2 is constant, 3 local; CUDA parameters are generic.
        space: match address_space {
            2 => Space::Constant,
            3 => Space::Shared,
            _ => Space::Global,
        },
        granule: 1,
        size: None,
        origin: if is_image { ArrayOrigin::Image } else { ArrayOrigin::Param },
        restrict,
        init: None,
        declared: None,
        found: Found::Unknown,
        loc,
    }
}

/// The memory space of a global variable.
fn global_space(module: &Module, global: Val) -> Space {
    use duet_ir::Language;
    match (module.language, global.ty().address_space()) {
        (_, 3) => Space::Shared,
        (Language::Cuda, 4) | (Language::OpenCl, 2) => Space::Constant,
        _ if llvm::is_constant_global(global) => Space::Constant,
        _ => Space::Global,
    }
}

/// The contents that the source guarantees. What a CUDA program may overwrite
/// from the host (`__device__`, `__constant__`) has none.
fn constant_contents(llvm: LLVMModuleRef, global: Val) -> Option<Vec<u8>> {
    if !llvm::is_constant_global(global) || llvm::is_externally_initialized(global) {
        return None;
    }
    constants::bytes(llvm, global.initializer()?)
}

/// The contents that the source gives to what the host may overwrite, unless all are zero;
/// no bytes if they hold addresses or are too many to keep.
fn declared_contents(llvm: LLVMModuleRef, global: Val) -> Option<Vec<u8>> {
    let is_fixed = llvm::is_constant_global(global) && !llvm::is_externally_initialized(global);
    if is_fixed || global.ty().address_space() == 3 || global.is_declaration() {
        return None;
    }
    let bytes = constants::bytes(llvm, global.initializer()?);
    let Some(bytes) = bytes else { return Some(vec![]) };
    bytes.iter().any(|byte| *byte != 0).then_some(bytes)
}

/// Name and place of a global variable.
fn describe_global(
    module: &mut Module,
    locations: &mut Locations,
    global: Val,
) -> (String, Option<Loc>) {
    let described = llvm::global_variable_description(global);
    let Some(variable) = described else { return (global.name(), None) };
    let name = variable_name(variable.as_value(global.context()));
    let loc =
        variable.variable_file().and_then(|(file, line)| locations.of_line(module, file, line));
    (name.unwrap_or_else(|| global.name()), loc)
}

/// The debug description of the type of a kernel's parameter.
pub fn declared_type(kernel: Val, name: &str) -> Option<Val> {
    debug_calls(kernel)
        .map(|inst| inst.operand(1))
        .find(|variable| variable_name(*variable).as_deref() == Some(name))
        .and_then(|variable| variable.md_operands().get(3).copied().flatten())
}
