//! What the engines say of two kernels, asked alone: no run finds a difference first, and no
//! check refuses a kernel.

use std::path::PathBuf;

use duet_engine::LaunchSizes;
use duet_engine::load::{LoadOptions, load};
use duet_equiv::engines_say;
use duet_equiv::pair::request::{Kernel, Request};

/// What the engines say of `a` and `b`: which one proved it, or nothing.
pub fn say(
    name: &str,
    sources: [&str; 2],
    block: Option<&str>,
    request: &Request,
) -> Option<String> {
    let folder = std::env::temp_dir().join(format!("duet-planted-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let sizes = || LaunchSizes {
        block: block.map(|sizes| sizes.parse().expect("sizes")),
        ..LaunchSizes::default()
    };
    let files = [0, 1].map(|side: usize| {
        let path: PathBuf = folder.join(["a.cu", "b.cu"][side]);
        std::fs::write(&path, sources[side]).expect("writes");
        let options =
            LoadOptions { sizes: sizes(), ..LoadOptions::plain(path, Default::default()) };
        match load(&options) {
            Ok(loaded) => loaded,
            Err(error) => panic!("{}: {error}", sources[side]),
        }
    });
    let kernels = [0, 1].map(|side: usize| Kernel {
        file: folder.join(["a.cu", "b.cu"][side]),
        module: &files[side].module,
        func: files[side].module.kernels().next().expect("a kernel").0,
        sizes: sizes(),
        reading: vec![],
    });
    let said = engines_say(&kernels, request);
    std::fs::remove_dir_all(&folder).expect("removes");
    match said {
        Ok(proof) => Some(proof.engine),
        Err(reasons) => {
            eprintln!("{name}: {reasons:?}");
            None
        }
    }
}

/// A kernel of these parameters.
pub fn kernel(params: &str, body: &str) -> String {
    format!("__global__ void k({params}) {{ {body} }}\n")
}

/// What the engines say of both orders, each asked in its own words.
pub fn both_orders(
    name: &str,
    params: &str,
    a: &str,
    b: &str,
    block: Option<&str>,
    requests: [&Request; 2],
) -> [Option<String>; 2] {
    let (a, b) = (kernel(params, a), kernel(params, b));
    let first = say(&format!("{name}-1"), [&a, &b], block, requests[0]);
    [first, say(&format!("{name}-2"), [&b, &a], block, requests[1])]
}
