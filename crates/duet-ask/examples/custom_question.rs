//! A question of one's own about a kernel, with no check around it: can two threads of a
//! block write neighbouring elements? Prints the answer and a state in which they do.

use duet_ask::{Answered, AskOptions, Asker, Budget, Doubt, Patience, Question, Session};
use duet_ir::{Module, check_well_formed};
use duet_product::{FactsOptions, KernelFacts, Scope};
use duet_vc::{InRange, LaunchSpec, Premises, Walker};

/// Thread number times stride, in elements.
pub const KERNEL: &str = r#"module cuda 64
array @a global param granule 4
kernel k symbol k (a: @a, stride: i32 v9 "stride") {
bb0:
  v1 = thread_id.x
  v2 = mul i32 v1, v9
  v3 = sext v2 to i64
  v4 = mul i64 v3, 4
  store i32 @a[v4], v1 align 4
  return
}
"#;

/// Can two threads of a block write neighbouring elements before its first barrier?
pub fn ask(text: &str) -> Answered {
    let module = check_well_formed(Module::parse(text).expect("a module")).expect("well-formed");
    let (kernel, _) = module.kernels().next().expect("a kernel");
    let launch = LaunchSpec::known([4, 1, 1], [64, 1, 1]);
    let (arguments, may_alias, warp_sync) = (Default::default(), false, None);
    let options = FactsOptions { launch: launch.clone(), arguments, may_alias, warp_sync };
    let facts = KernelFacts::new(&module, kernel, &options);
    let (global_size, scalar_args, private_arrays) = ([None; 3], vec![], true);
    let premises = Premises { launch, global_size, scalar_args, private_arrays };
    let mut walker = Walker::new(&facts, premises, InRange::new());
    let row = facts.program.rows.iter().find(|row| row.scope == Scope::Block).expect("a row");
    let family = row.families.iter().find(|family| family.aligned).expect("a family");
    let pair = walker.walk_pair(row, family, &family.intervals[0], family);
    let (first, second) = (&pair.first.sites[0], &pair.second.sites[0]);
    let distance = walker.pool.bits().sub(second.offset, first.offset);
    let four = walker.pool.bv(64, 4);
    let (when, goal) = (vec![first.guard, second.guard], vec![walker.pool.eq(distance, four)]);
    let (given, sites) = (pair.facts, vec![first, second]);
    let question = Question { given, when, goal, sites, ..Question::about("neighbours") };
    let (budget, likely) = (Budget::new(Patience::Full, None), None);
    let options =
        AskOptions { budget, explain: false, is_size_free: false, adds_cells: false, likely };
    let mut session = Session::new().expect("a solver");
    Asker::new(&mut session, options).ask(&mut walker, &question).expect("an answer")
}

fn main() {
    match ask(KERNEL) {
        Answered::Proved => println!("no two threads write neighbouring elements"),
        Answered::Open(open) => match open.doubt {
            Doubt::Unknown(reason) => println!("not known: {}", duet_ask::reason_in_words(reason)),
            Doubt::Model(state) => println!("they may: {:?} {:?}", state.threads, state.arguments),
        },
    }
}
