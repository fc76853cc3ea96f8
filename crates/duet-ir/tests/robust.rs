//! Reading never panics, whatever the text; what it accepts prints and reads
//! back to the same; and it is quick.

mod common;

use std::fmt::Write;
use std::time::{Duration, Instant};

use common::{files, parse};
use duet_ir::{
    Block, EntityRef, Func, Function, FunctionBuilder, FunctionKind, InstData, Language, Module,
    Param, ParamKind, Terminator, Type, ValueDef, well_formed_errors,
};

/// A small generator of repeatable numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// Printed texts of all test files, and the files as they are.
fn corpus() -> Vec<String> {
    let mut texts = Vec::new();
    for file in duet_filetest::find_files(&files(""), "duet") {
        texts.extend(Module::parse(&file.text).ok().map(|module| module.to_string()));
        texts.push(file.text);
    }
    texts
}

/// Reads a text that may be wrong. What is read must print and read back to the
/// very same module, and the check must cope with it. Says if it was read.
fn read_anything(text: &str) -> bool {
    match Module::parse(text) {
        Err(errors) => {
            assert!(!errors.is_empty());
            for error in errors {
                assert!(error.line >= 1 && error.column >= 1);
                assert!(error.line as usize <= text.lines().count() + 1, "{error}\n{text}");
            }
            false
        }
        Ok(module) => {
            let printed = module.to_string();
            let again = parse(&printed).unwrap_or_else(|error| panic!("{error}\nfrom\n{text}"));
            assert_eq!(again.to_string(), printed, "from\n{text}");
            assert!(again == module, "{printed}\nreads back to another module than\n{text}");
            let _ = well_formed_errors(&module);
            true
        }
    }
}

#[test]
fn mutated_bytes() {
    let (texts, mut random) = (corpus(), Random(0x5eed_0001));
    let mut read = 0;
    for _ in 0..3_000 {
        let mut bytes = texts[random.below(texts.len())].clone().into_bytes();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.below(256) as u8,
                1 => bytes[at] = b" 0123456789abvx@!\"\\;:,()[]{}-.=+\n"[random.below(33)],
                2 => {
                    bytes.remove(at);
                }
                _ => bytes.insert(at, b"0129-v@!\"(,"[random.below(11)]),
            }
        }
        read += usize::from(read_anything(&String::from_utf8_lossy(&bytes)));
    }
    assert!(read > 300, "only {read} mutated texts could be read: the test shows little");
}

#[test]
fn mutated_tokens() {
    let (texts, mut random) = (corpus(), Random(0x5eed_0002));
    let words: Vec<&str> = texts.iter().flat_map(|text| text.split([' ', '\n'])).collect();
    let mut read = 0;
    for _ in 0..3_000 {
        let text = &texts[random.below(texts.len())];
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        let at = random.below(lines.len());
        match random.below(3) {
            0 => {
                let mut parts: Vec<&str> = lines[at].split(' ').collect();
                let part = random.below(parts.len());
                parts[part] = words[random.below(words.len())];
                lines[at] = parts.join(" ");
            }
            1 => {
                lines.remove(at);
            }
            _ => {
                let other = random.below(lines.len());
                lines.swap(at, other);
            }
        }
        read += usize::from(read_anything(&lines.join("\n")));
    }
    assert!(read > 300, "only {read} mutated texts could be read: the test shows little");
}

#[test]
fn every_prefix() {
    for text in corpus() {
        for (end, _) in text.char_indices().step_by(37) {
            read_anything(&text[..end]);
        }
    }
}

#[test]
fn odd_texts() {
    let texts = [
        "",
        "\n",
        ";",
        "module",
        "module cuda",
        "module cuda 64",
        "module cuda 300",
        "\0",
        "é",
        "module cuda 64\n}",
        "module cuda 64\nkernel",
        "module cuda 64\nkernel k symbol k () {",
        "module cuda 64\nkernel k symbol k () {\nbb4294967295:\nreturn\n}",
        "module cuda 64\nkernel k symbol k () {\nbb2147483647:\nreturn\n}",
        "module cuda 64\n!4294967295 = file0:1:1",
        "module cuda 64\nfile4294967295 \"\"",
        "module cuda 64\n!0 = file4294967295:1:1",
        "module cuda 64\n!0 = file0:1:1 inlined !4294967295",
        "\"\\",
        "module cuda 64\narray @\"\\u{110000}\" global param granule 1",
    ];
    for text in texts {
        read_anything(text);
    }
    assert_eq!(
        Module::parse("").unwrap_err()[0].to_string(),
        "1:1: expected `module`, found the end of the line"
    );
    assert!(Module::parse("module cuda 64").is_ok());
}

/// Ids stay what they are, constants in between or not, and what is not part of
/// the function is not printed.
#[test]
fn ids_are_kept() {
    let mut module = Module::new(Language::Cuda, 64);
    let kind = FunctionKind::Kernel { required_block: None, max_threads: None };
    let mut builder = FunctionBuilder::new(&mut module, Function::new("k", "k", kind));
    let param = builder.func.make_value(ValueDef::FunctionParam(0), Type::I32);
    builder.func.params.push(Param { name: "n".to_string(), kind: ParamKind::Scalar(param) });
    let unused = builder.make_block();
    let (entry, exit) = (builder.make_block(), builder.make_block());
    builder.switch_to(entry);
    let five = builder.int(5, Type::I32);
    let sum = builder.add(param, five);
    builder.func.names[sum] = Some("sum".to_string());
    let dropped = builder.value(InstData::Fresh { cause: "gone".into(), ty: Type::I32 });
    builder.func.blocks[entry].insts.pop();
    let seven = builder.int(7, Type::I64);
    let product = builder.mul(sum, five);
    builder.jump(exit, vec![]);
    builder.switch_to(exit);
    builder.terminate(Terminator::Return(vec![]));
    let func = builder.finish();
    module.functions.push(func);

    let text = module.to_string();
    assert_eq!(
        text,
        "module cuda 64\n\nkernel k symbol k (n: i32 v0) {\nbb1:\n  v2 \"sum\" = add i32 v0, 5\n  \
         v5 = mul i32 v2, 5\n  jump bb2\nbb2:\n  return\n}\n"
    );
    let read = parse(&text).unwrap();
    let func = &read.functions[Func::new(0)];
    assert_eq!(func.layout, [entry, exit]);
    assert_eq!(func.const_bits(five), Some(5));
    assert_eq!(func.names[sum].as_deref(), Some("sum"));
    assert!(matches!(func.values[product], ValueDef::Result(_, 0)));
    assert!(matches!(func.values[dropped], ValueDef::Const(_)), "a gap is an unused constant");
    assert!(matches!(func.values[seven], ValueDef::Const(_)));
    assert_eq!(func.blocks[unused], Default::default());
    assert_eq!(well_formed_errors(&read), []);
}

/// About a megabyte of ordinary code.
fn large_text() -> String {
    let mut text = "module cuda 64\nfile0 \"k.cu\"\narray @a global param granule 4\n".to_string();
    text.push_str("kernel k symbol k (n: i32 v0, o: i64 v1, a: @a) {\nbb0:\n  jump bb1(i32 0)\n");
    let mut value = 2;
    for block in 1.. {
        let _ = writeln!(text, "bb{block}(i32 v{value} \"i\"):");
        for _ in 0..10 {
            let next = value + 1;
            let _ = writeln!(text, "  v{next} = add nsw i32 v{value}, {block} !0");
            let _ = writeln!(text, "  store i32 @a[v1], v{next} align 4 volatile !0");
            value = next;
        }
        if text.len() > 1 << 20 {
            break;
        }
        let _ = writeln!(text, "  jump bb{}(v{value}) !0", block + 1);
        value += 1;
    }
    text.push_str("  return !0\n}\n\n!0 = file0:1:1\n");
    text
}

#[test]
fn a_megabyte_is_read_printed_and_checked_quickly() {
    let text = large_text();
    let start = Instant::now();
    let module = parse(&text).unwrap();
    let read = start.elapsed();
    assert_eq!(well_formed_errors(&module), []);
    let checked = start.elapsed();
    let printed = module.to_string();
    let all = start.elapsed();
    println!(
        "{} bytes: read {read:?}, checked {:?}, printed {:?}",
        text.len(),
        checked - read,
        all - checked
    );
    assert!(module.functions[Func::new(0)].blocks.is_valid(Block::new(1000)));
    assert_eq!(printed.replacen("granule 4\n\n", "granule 4\n", 1), text);
    // Debug builds on a busy machine; optimised it takes a tenth of this.
    assert!(all < Duration::from_secs(10), "{all:?}");
}
