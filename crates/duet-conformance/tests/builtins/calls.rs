//! Calls of OpenCL's built-ins as lines of a kernel.
//!
//! Each work-item has a slot of memory for each call. Argument `a` of lane `l` is an
//! element of the buffer of its type, another one for each item, argument and lane.

use std::fmt::Write;

use crate::header::{Overload, Param, Ty};
use crate::tables;

/// Bytes that a call leaves: at most two vectors of 128 bytes.
pub const SLOT: usize = 256;

/// Which elements the arguments are taken from.
pub const AT: &str = "#define AT(a, l) \
    ((i * 5 + (i >> 6) * ((a) * 11 + 1) + (a) * 23 + (l) * 7) & 63)\n";

/// The statement that calls `overload` and leaves its results in slot `slot`; `None`
/// if an argument is of a kind that is not made up here.
pub fn statement(overload: &Overload, slot: &str) -> Option<String> {
    let place = |offset: usize| format!("(out + {slot} * {SLOT} + {offset})");
    if overload.name.starts_with("vload") || overload.name.starts_with("vstore") {
        return vector_access(overload, &place);
    }
    if overload.name.starts_with("atom") {
        return atomic(overload, &place);
    }
    let mut text = String::new();
    let mut args = vec![];
    let mut pointee = None;
    for (index, param) in overload.params.iter().enumerate() {
        match param {
            Param::Value(ty) => {
                let value = argument(overload, index, ty);
                writeln!(text, "    {} a{index} = {value};", ty.text()).ok()?;
                args.push(format!("a{index}"));
            }
            Param::Pointer { space, pointee: ty } if space == "private" => {
                writeln!(text, "    {} p = {};", ty.text(), zero(ty)).ok()?;
                args.push("&p".into());
                pointee = Some(ty);
            }
            Param::Pointer { .. } | Param::Other(_) => return None,
        }
    }
    let call = format!("{}({})", overload.name, args.join(", "));
    writeln!(text, "    {} r = {call};", overload.result.text()).ok()?;
    text += &store("r", &overload.result, &place(0));
    if let Some(ty) = pointee {
        text += &store("p", ty, &place(SLOT / 2));
    }
    Some(format!("  {{\n{text}  }}\n"))
}

/// The same for the lanes of a vector function one by one, through the scalar one.
pub fn lane_by_lane(overload: &Overload, slot: &str) -> Option<String> {
    let scalar_name = tables::scalar_name(&overload.name, overload.result.lanes);
    let mut text = String::new();
    for lane in 0..overload.result.lanes {
        let mut args = vec![];
        for (index, param) in overload.params.iter().enumerate() {
            let Param::Value(ty) = param else { return None };
            let lane = if ty.lanes == 1 { 0 } else { lane };
            args.push(element(overload, index, ty, lane));
        }
        let ty = Ty { lanes: 1, ..overload.result.clone() };
        let place = format!("(out + {slot} * {SLOT})");
        let at = format!("((global {} *){place})[{lane}]", ty.element);
        writeln!(text, "  {at} = {scalar_name}({});", args.join(", ")).ok()?;
    }
    Some(text)
}

/// Is a lane of the result the scalar function of the same lane of the arguments?
pub fn is_lane_wise(overload: &Overload) -> bool {
    let lanes = overload.result.lanes;
    // True is 1 as a scalar and -1 in a vector; a condition counts by its sign there.
    let name = overload.name.as_str();
    let differs = name.starts_with("is") || tables::NOT_LANE_WISE.contains(&name);
    let fits = |param: &Param| matches!(param, Param::Value(ty) if [1, lanes].contains(&ty.lanes));
    lanes > 1 && !differs && overload.params.iter().all(fits)
}

/// An argument: one element for each lane.
fn argument(overload: &Overload, index: usize, ty: &Ty) -> String {
    let lanes: Vec<String> = (0..ty.lanes).map(|lane| element(overload, index, ty, lane)).collect();
    match ty.lanes {
        1 => lanes[0].clone(),
        _ => format!("({})({})", ty.text(), lanes.join(", ")),
    }
}

/// The element of a lane, brought into the domain in which the result is specified.
fn element(overload: &Overload, index: usize, ty: &Ty, lane: usize) -> String {
    let at = |argument: usize| format!("in_{}[AT({argument}, {lane})]", ty.element);
    format!("({})({})", ty.element, tables::in_domain(overload, index, ty, &at))
}

fn zero(ty: &Ty) -> String {
    format!("({})(0)", ty.text())
}

/// Stores a value lane by lane.
fn store(value: &str, ty: &Ty, place: &str) -> String {
    let mut text = format!("    global {0} *o_{value} = (global {0} *){place};\n", ty.element);
    for lane in 0..ty.lanes {
        let lane_of = if ty.lanes == 1 { String::new() } else { format!(".s{lane:x}") };
        writeln!(text, "    o_{value}[{lane}] = {value}{lane_of};").expect("a string");
    }
    text
}

/// `vload` and `vstore`: several offsets from an element that is not the first.
fn vector_access(overload: &Overload, place: &dyn Fn(usize) -> String) -> Option<String> {
    let pointer = overload.params.iter().find_map(|param| match param {
        Param::Pointer { space, pointee } if space == "global" => Some(pointee),
        _ => None,
    })?;
    let name = &overload.name;
    if name.starts_with("vload") {
        let aligned = name.starts_with("vloada");
        let stride = overload.result.lanes.next_power_of_two();
        let (offset, from) = (format!("i % {}", 60 / stride), if aligned { 0 } else { 1 });
        let call = format!("{name}({offset}, in_{} + {from})", pointer.element);
        let ty = overload.result.text();
        let stored = store("r", &overload.result, &place(0));
        return Some(format!("  {{\n    {ty} r = {call};\n{stored}  }}\n"));
    }
    let Param::Value(ty) = &overload.params[0] else { return None };
    let value = argument(overload, 0, ty);
    let to = format!("(global {} *){}", pointer.element, place(0));
    Some(format!("  {{\n    {0} v = {value};\n    {name}(v, i & 1, {to});\n  }}\n", ty.text()))
}

/// An atomic operation on a cell of the item's own: the result, and the cell after it.
fn atomic(overload: &Overload, place: &dyn Fn(usize) -> String) -> Option<String> {
    let Param::Pointer { space, pointee } = overload.params.first()? else { return None };
    // An operand of another type than the cell is there for types that are others' names.
    let other = |param: &Param| matches!(param, Param::Value(ty) if ty != pointee);
    if space != "global" || pointee.lanes != 1 || overload.params.iter().any(other) {
        return None;
    }
    let cell = format!("((volatile global {} *){})", pointee.element, place(SLOT / 2));
    let atomic = if tables::is_c11(&overload.name) { "atomic_" } else { "" };
    let mut args = vec![format!("((volatile global {atomic}{} *){cell})", pointee.element)];
    let mut text = format!("    *{cell} = {};\n", element(overload, 0, pointee, 0));
    for (index, param) in overload.params.iter().enumerate().skip(1) {
        args.push(match param {
            Param::Value(ty) => element(overload, index, ty, 0),
            Param::Pointer { space, .. } if space == "private" => {
                // Half of the items expect what is there.
                let ty = &pointee.element;
                let other = element(overload, index, pointee, 0);
                writeln!(text, "    {ty} expected = i & 1 ? *{cell} : {other};").ok()?;
                "&expected".into()
            }
            Param::Other(name) if name == "memory_order" => "memory_order_relaxed".into(),
            Param::Other(name) if name == "memory_scope" => "memory_scope_device".into(),
            Param::Pointer { .. } | Param::Other(_) => return None,
        });
    }
    let call = format!("{}({})", overload.name, args.join(", "));
    if overload.result.element == "void" {
        writeln!(text, "    {call};").ok()?;
    } else {
        writeln!(text, "    {} r = {call};", overload.result.element).ok()?;
        text += &store("r", &overload.result, &place(0));
    }
    if text.contains("expected") {
        text += &store("expected", pointee, &place(64));
    }
    Some(format!("  {{\n{text}  }}\n"))
}
