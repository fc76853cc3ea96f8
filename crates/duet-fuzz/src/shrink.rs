//! Smaller kernels with the same fault: one step at a time, as long as one works.

use crate::ast::{At, Cond, Expr, Kernel, Loop, Place, Stmt};

/// The smallest kernel found that `fails`, starting from one that does, trying at
/// most `attempts` others.
pub fn shrink(kernel: &Kernel, attempts: usize, mut fails: impl FnMut(&Kernel) -> bool) -> Kernel {
    let mut best = kernel.clone();
    let mut left = attempts;
    'again: loop {
        for body in of_list(&best.body, &of_stmt) {
            if left == 0 {
                return best;
            }
            left -= 1;
            let smaller = Kernel { body, ..best.clone() };
            if fails(&smaller) {
                best = smaller;
                continue 'again;
            }
        }
        return best;
    }
}

/// A list with one element replaced by others. Removals come first.
fn of_list(stmts: &[Stmt], variants: &dyn Fn(&Stmt) -> Vec<Vec<Stmt>>) -> Vec<Vec<Stmt>> {
    let mut lists = vec![];
    let replaced = |index: usize, by: Vec<Stmt>| {
        let mut list = stmts.to_vec();
        list.splice(index..=index, by);
        list
    };
    for index in 0..stmts.len() {
        lists.push(replaced(index, vec![]));
    }
    for (index, stmt) in stmts.iter().enumerate() {
        for variant in variants(stmt) {
            lists.push(replaced(index, variant));
        }
    }
    lists
}

/// What may take the place of a statement.
fn of_stmt(stmt: &Stmt) -> Vec<Vec<Stmt>> {
    let mut list: Vec<Vec<Stmt>> = vec![];
    match stmt {
        Stmt::If(cond, then, otherwise) => {
            list.push(then.clone());
            list.push(otherwise.clone());
            for arm in of_list(then, &of_stmt) {
                list.push(vec![Stmt::If(cond.clone(), arm, otherwise.clone())]);
            }
            for arm in of_list(otherwise, &of_stmt) {
                list.push(vec![Stmt::If(cond.clone(), then.clone(), arm)]);
            }
            for cond in of_cond(cond) {
                list.push(vec![Stmt::If(cond, then.clone(), otherwise.clone())]);
            }
        }
        Stmt::Watch { place, about, body } => {
            list.push(body.clone());
            let with = |place: &Place, body: Vec<Stmt>| {
                vec![Stmt::Watch { place: place.clone(), about: about.clone(), body }]
            };
            list.extend(of_list(body, &of_stmt).into_iter().map(|body| with(place, body)));
            list.extend(of_place(place).iter().map(|place| with(place, body.clone())));
        }
        Stmt::Loop(data) => {
            list.push(data.body.clone());
            list.extend(of_loop(data).into_iter().map(|data| vec![Stmt::Loop(Box::new(data))]));
        }
        _ => list.extend(of_leaf(stmt).into_iter().map(|stmt| vec![stmt])),
    }
    list
}

fn of_loop(data: &Loop) -> Vec<Loop> {
    let mut list = vec![];
    for body in of_list(&data.body, &of_stmt) {
        list.push(Loop { body, ..data.clone() });
    }
    for start in of_expr(&data.start) {
        list.push(Loop { start, ..data.clone() });
    }
    for bound in of_expr(&data.bound) {
        list.push(Loop { bound, ..data.clone() });
    }
    for step in of_expr(&data.step) {
        list.push(Loop { step, ..data.clone() });
    }
    list
}

fn of_leaf(stmt: &Stmt) -> Vec<Stmt> {
    match stmt {
        Stmt::Assign(var, value) => {
            of_expr(value).into_iter().map(|e| Stmt::Assign(*var, e)).collect()
        }
        Stmt::AssignSigned { var, op, is_signed, a, b } => {
            let make =
                |a, b| Stmt::AssignSigned { var: *var, op: *op, is_signed: *is_signed, a, b };
            let left = of_expr(a).into_iter().map(|a| make(a, b.clone()));
            left.chain(of_expr(b).into_iter().map(|b| make(a.clone(), b))).collect()
        }
        Stmt::Load { var, place } => {
            of_place(place).into_iter().map(|place| Stmt::Load { var: *var, place }).collect()
        }
        Stmt::GhostLoad { var, place } => {
            of_place(place).into_iter().map(|place| Stmt::GhostLoad { var: *var, place }).collect()
        }
        Stmt::Store { place, value } => {
            let places = of_place(place)
                .into_iter()
                .map(|place| Stmt::Store { place, value: value.clone() });
            let values =
                of_expr(value).into_iter().map(|value| Stmt::Store { place: place.clone(), value });
            places.chain(values).collect()
        }
        Stmt::Break(cond) => of_cond(cond).into_iter().map(Stmt::Break).collect(),
        Stmt::Continue(cond) => of_cond(cond).into_iter().map(Stmt::Continue).collect(),
        Stmt::Return(cond) => of_cond(cond).into_iter().map(Stmt::Return).collect(),
        Stmt::Assert(cond) => of_cond(cond).into_iter().map(Stmt::Assert).collect(),
        Stmt::Barrier(flags) if *flags != Expr::Const(3) => vec![Stmt::Barrier(Expr::Const(3))],
        _ => vec![],
    }
}

fn of_place(place: &Place) -> Vec<Place> {
    let mut list = vec![];
    if place.lanes > 1 {
        list.push(Place { lanes: 1, ..place.clone() });
    }
    if let At::Wide(index) | At::Signed(index) | At::Wrapping(index) = &place.at {
        if !matches!(place.at, At::Wide(_)) {
            list.push(Place { at: At::Wide(index.clone()), ..place.clone() });
        }
        for index in of_expr(index) {
            list.push(Place { at: At::Wide(index), ..place.clone() });
        }
    }
    list
}

fn of_cond(cond: &Cond) -> Vec<Cond> {
    let left = of_expr(&cond.a).into_iter().map(|a| Cond { a, ..cond.clone() });
    let right = of_expr(&cond.b).into_iter().map(|b| Cond { b, ..cond.clone() });
    left.chain(right).collect()
}

fn of_expr(expr: &Expr) -> Vec<Expr> {
    let mut list = vec![];
    match expr {
        Expr::Const(0) => {}
        Expr::Const(1) => list.push(Expr::Const(0)),
        Expr::Const(_) => list.extend([Expr::Const(0), Expr::Const(1)]),
        Expr::Binary(op, a, b) => {
            list.extend([Expr::Const(0), (**a).clone(), (**b).clone()]);
            let wrap = |a: Expr, b: Expr| Expr::Binary(*op, Box::new(a), Box::new(b));
            list.extend(of_expr(a).into_iter().map(|a| wrap(a, (**b).clone())));
            if !op.may_fail() {
                list.extend(of_expr(b).into_iter().map(|b| wrap((**a).clone(), b)));
            }
        }
        Expr::Select(_, a, b) => list.extend([(**a).clone(), (**b).clone()]),
        Expr::Cut(_, _, a) => list.push((**a).clone()),
        _ => list.push(Expr::Const(0)),
    }
    list
}
