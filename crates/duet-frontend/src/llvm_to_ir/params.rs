//! The parameters of a function, and what the source says about it as a whole.

use std::collections::HashMap;

use duet_ir::{Const, Diagnostic, FunctionKind, Param, ParamKind, Type, Value, ValueDef};
use inkwell::llvm_sys::prelude::LLVMModuleRef;

use super::values::{Leaf, Pointer, Values};
use super::{Home, ParamPlace};
use crate::layout::{self, LeafKind};
use crate::llvm::{self, Bb, Ty, Val};

/// Declares the parameters of `function`.
pub(super) struct Params<'v, 't> {
    pub values: &'v mut Values<'t>,
    pub function: Val,
}

impl Params<'_, '_> {
    /// Gives the function its parameters and results.
    pub fn declare(&mut self) -> Result<(), Diagnostic> {
        for (index, param) in self.function.params().into_iter().enumerate() {
            let index = index as u32;
            if self.values.builder.func.is_kernel() {
                self.declare_kernel_param(index, param)?;
            } else {
                self.declare_device_param(index, param)?;
            }
        }
        if !self.values.builder.func.is_kernel() {
            let result = self.function.value_type().result();
            for kind in self.values.leaf_kinds(result)? {
                let pointer = self.values.builder.module.pointer_type();
                self.values.builder.func.results.extend(match kind {
                    LeafKind::Scalar(ty) => vec![ty],
                    LeafKind::Pointer(_) => vec![Type::Ref, pointer],
                });
            }
        }
        Ok(())
    }

    fn declare_kernel_param(&mut self, index: u32, param: Val) -> Result<(), Diagnostic> {
        let place = ParamPlace { kernel: self.function, index, offset: 0 };
        if let Some(ty) = self.function.byval_type(index) {
            return self.declare_struct_param(place, ty);
        }
        let name = self.values.shared.arrays.param_names.get(&place).cloned().unwrap_or_default();
        let mut leaves = vec![];
        let kinds = self.values.leaf_kinds(param.ty())?;
        for (number, &kind) in kinds.iter().enumerate() {
            let name = if kinds.len() == 1 { name.clone() } else { format!("{name}.{number}") };
            leaves.push(self.kernel_param_leaf(place, name, kind));
        }
        self.values.known.insert(param, leaves);
        Ok(())
    }

    /// Declares the leaves of a struct passed by value; they are used by the calls
    /// that [`crate::prepare`] made.
    fn declare_struct_param(&mut self, place: ParamPlace, ty: Ty) -> Result<(), Diagnostic> {
        let leaves = layout::leaves(self.values.llvm(), ty)
            .map_err(|what| self.values.unsupported(what, "pass the fields separately"))?;
        let mut declared = HashMap::new();
        for leaf in leaves {
            let place = ParamPlace { offset: leaf.offset, ..place };
            let name =
                self.values.shared.arrays.param_names.get(&place).cloned().unwrap_or_default();
            declared.insert(place, self.kernel_param_leaf(place, name, leaf.kind));
        }
        for call in self.function.blocks().into_iter().flat_map(Bb::instructions) {
            let leaf =
                super::pointers::arrays::leaf_place(call).and_then(|place| declared.get(&place));
            if let Some(&leaf) = leaf {
                self.values.known.insert(call, vec![leaf]);
            }
        }
        Ok(())
    }

    fn kernel_param_leaf(&mut self, place: ParamPlace, name: String, kind: LeafKind) -> Leaf {
        let array = self.values.shared.arrays.at(Home::Param(place));
        match (kind, array) {
            (LeafKind::Pointer(_), Some(array)) => {
                self.add_param(name, ParamKind::Array(array));
                Leaf::Pointer(Pointer {
                    reference: self.values.builder.func.constant(Const::Array(array), Type::Ref),
                    offset: self.values.builder.offset(0),
                })
            }
            (LeafKind::Scalar(ty), _) => Leaf::Scalar(self.add_scalar_param(name, ty)),
            (LeafKind::Pointer(_), None) => {
                let number = self.add_scalar_param(name, self.values.builder.module.pointer_type());
                Leaf::Pointer(self.values.pointer_from_int(number))
            }
        }
    }

    fn add_scalar_param(&mut self, name: String, ty: Type) -> Value {
        let number = self.values.builder.func.params.len() as u32;
        let value = self.values.builder.func.make_value(ValueDef::FunctionParam(number), ty);
        self.values.builder.func.names[value] = Some(name.clone());
        self.add_param(name, ParamKind::Scalar(value));
        value
    }

    fn add_param(&mut self, name: String, kind: ParamKind) {
        self.values.builder.func.params.push(Param { name, kind });
    }

    fn declare_device_param(&mut self, index: u32, param: Val) -> Result<(), Diagnostic> {
        let mut leaves = vec![];
        for kind in self.values.leaf_kinds(param.ty())? {
            let name = match param.name() {
                name if name.is_empty() => format!("arg{index}"),
                name => name,
            };
            let number = self.values.builder.func.params.len() as u32;
            let pointer_type = self.values.builder.module.pointer_type();
            let mut make =
                |ty| self.values.builder.func.make_value(ValueDef::FunctionParam(number), ty);
            leaves.push(match kind {
                LeafKind::Scalar(ty) => {
                    let value = make(ty);
                    self.add_param(name, ParamKind::Scalar(value));
                    Leaf::Scalar(value)
                }
                LeafKind::Pointer(_) => {
                    let (reference, offset) = (make(Type::Ref), make(pointer_type));
                    self.add_param(name, ParamKind::Pointer(reference, offset));
                    Leaf::Pointer(Pointer { reference, offset })
                }
            });
        }
        self.values.known.insert(param, leaves);
        Ok(())
    }
}

/// What the source says about a function.
pub(super) fn kind_of(llvm: LLVMModuleRef, function: Val, is_kernel: bool) -> FunctionKind {
    if !is_kernel {
        return FunctionKind::Device;
    }
    let required: Vec<u32> = function
        .attached_metadata("reqd_work_group_size")
        .into_iter()
        .flatten()
        .filter_map(|size| size.const_u64().map(|size| size as u32))
        .collect();
    FunctionKind::Kernel {
        required_block: <[u32; 3]>::try_from(required).ok(),
        max_threads: launch_bounds(llvm, function),
    }
}

/// The first argument of `__launch_bounds__`.
fn launch_bounds(llvm: LLVMModuleRef, function: Val) -> Option<u32> {
    llvm::named_metadata(llvm, c"nvvm.annotations").into_iter().find_map(|node| {
        let operands = node.md_operands();
        let is_bound = operands.first().copied().flatten() == Some(function)
            && operands.get(1).copied().flatten().and_then(Val::md_string).as_deref()
                == Some("maxntidx");
        let bound = operands.get(2).copied().flatten()?.const_u64()?;
        is_bound.then_some(bound as u32)
    })
}
