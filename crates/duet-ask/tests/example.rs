//! The example of a question of one's own does what it says.

use duet_ask::{Answered, Doubt};

#[allow(dead_code, reason = "its `main` only prints")]
#[path = "../examples/custom_question.rs"]
mod custom_question;

#[test]
fn neighbours_are_written_unless_the_stride_is_two() {
    use custom_question::{KERNEL, ask};
    let Answered::Open(open) = ask(KERNEL) else { panic!("a stride of one was proved away") };
    let Doubt::Model(state) = open.doubt else { panic!("no state: {:?}", open.doubt) };
    assert_eq!(state.touched[0].offset + 4, state.touched[1].offset, "{state:?}");
    assert_ne!(state.threads[0], state.threads[1]);
    let even = KERNEL.replace("mul i32 v1, v9", "mul i32 v1, 2");
    assert_eq!(ask(&even), Answered::Proved);
}
