//! Types of the source that names in contracts have. The IR's own types have no sign, so
//! what clang knew of a captured name goes along with it, as a number among the operands of
//! its annotation.

/// A scalar type of C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum ScalarType {
    Bool,
    Char,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    Half,
    Float,
    Double,
}

/// What a captured name is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Captured {
    /// A number.
    Scalar(ScalarType),
    /// A pointer to numbers, or an array of them.
    Pointer(ScalarType),
}

const ALL: [ScalarType; 12] = [
    ScalarType::Bool,
    ScalarType::Char,
    ScalarType::UChar,
    ScalarType::Short,
    ScalarType::UShort,
    ScalarType::Int,
    ScalarType::UInt,
    ScalarType::Long,
    ScalarType::ULong,
    ScalarType::Half,
    ScalarType::Float,
    ScalarType::Double,
];

/// Added to the number of a scalar type for a pointer to it.
const POINTER: u128 = 0x100;

impl Captured {
    /// As a number.
    pub fn code(self) -> u128 {
        match self {
            Captured::Scalar(ty) => ty as u128,
            Captured::Pointer(ty) => POINTER + ty as u128,
        }
    }

    /// The inverse of [`Captured::code`].
    pub fn from_code(code: u128) -> Option<Captured> {
        let ty = |code: u128| ALL.get(usize::try_from(code).ok()?).copied();
        match code.checked_sub(POINTER) {
            Some(code) => ty(code).map(Captured::Pointer),
            None => ty(code).map(Captured::Scalar),
        }
    }
}

impl ScalarType {
    /// Bytes of a value in memory.
    pub fn bytes(self) -> u32 {
        match self {
            ScalarType::Bool | ScalarType::Char | ScalarType::UChar => 1,
            ScalarType::Short | ScalarType::UShort | ScalarType::Half => 2,
            ScalarType::Int | ScalarType::UInt | ScalarType::Float => 4,
            ScalarType::Long | ScalarType::ULong | ScalarType::Double => 8,
        }
    }

    /// Are there negative values?
    pub fn is_signed(self) -> bool {
        match self {
            ScalarType::Bool
            | ScalarType::UChar
            | ScalarType::UShort
            | ScalarType::UInt
            | ScalarType::ULong => false,
            ScalarType::Char
            | ScalarType::Short
            | ScalarType::Int
            | ScalarType::Long
            | ScalarType::Half
            | ScalarType::Float
            | ScalarType::Double => true,
        }
    }

    /// Is it a floating-point type?
    pub fn is_float(self) -> bool {
        matches!(self, ScalarType::Half | ScalarType::Float | ScalarType::Double)
    }

    /// Its usual name.
    pub fn name(self) -> &'static str {
        match self {
            ScalarType::Bool => "bool",
            ScalarType::Char => "char",
            ScalarType::UChar => "unsigned char",
            ScalarType::Short => "short",
            ScalarType::UShort => "unsigned short",
            ScalarType::Int => "int",
            ScalarType::UInt => "unsigned",
            ScalarType::Long => "long long",
            ScalarType::ULong => "unsigned long long",
            ScalarType::Half => "half",
            ScalarType::Float => "float",
            ScalarType::Double => "double",
        }
    }

    /// May the word be part of the name of a type?
    pub fn is_part(word: &str) -> bool {
        const WORDS: [&str; 19] = [
            "bool", "char", "short", "int", "long", "signed", "unsigned", "half", "float",
            "double", "uchar", "ushort", "uint", "ulong", "size_t", "int32_t", "uint32_t",
            "int64_t", "uint64_t",
        ];
        WORDS.contains(&word)
    }

    /// The type of these words, in any order that C allows.
    pub fn from_words(words: &[&str]) -> Option<ScalarType> {
        let has = |word: &str| words.contains(&word);
        let (signed, unsigned) = match words {
            [] => return None,
            ["uchar"] => return Some(ScalarType::UChar),
            ["ushort"] => return Some(ScalarType::UShort),
            ["uint" | "uint32_t"] => return Some(ScalarType::UInt),
            ["int32_t"] => return Some(ScalarType::Int),
            ["int64_t"] => return Some(ScalarType::Long),
            ["ulong" | "size_t" | "uint64_t"] => return Some(ScalarType::ULong),
            ["bool"] => return Some(ScalarType::Bool),
            ["half"] => return Some(ScalarType::Half),
            ["float"] => return Some(ScalarType::Float),
            ["double"] => return Some(ScalarType::Double),
            _ => (has("signed"), has("unsigned")),
        };
        const INTEGERS: [&str; 6] = ["char", "short", "int", "long", "signed", "unsigned"];
        if (signed && unsigned) || !words.iter().all(|word| INTEGERS.contains(word)) {
            return None;
        }
        let pick = |own: ScalarType, other: ScalarType| if unsigned { other } else { own };
        Some(match (has("char"), has("short"), has("long")) {
            (true, false, false) if !has("int") => pick(ScalarType::Char, ScalarType::UChar),
            (false, true, false) => pick(ScalarType::Short, ScalarType::UShort),
            (false, false, true) => pick(ScalarType::Long, ScalarType::ULong),
            (false, false, false) => pick(ScalarType::Int, ScalarType::UInt),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, Captured, ScalarType};

    #[test]
    fn codes_are_read_back() {
        for ty in ALL {
            for captured in [Captured::Scalar(ty), Captured::Pointer(ty)] {
                assert_eq!(Captured::from_code(captured.code()), Some(captured));
            }
        }
        assert_eq!(Captured::from_code(12), None);
        assert_eq!(Captured::from_code(0x10c), None);
    }

    #[test]
    fn names_of_types() {
        let read = |text: &str| ScalarType::from_words(&text.split(' ').collect::<Vec<_>>());
        assert_eq!(read("unsigned long long int"), Some(ScalarType::ULong));
        assert_eq!(read("unsigned"), Some(ScalarType::UInt));
        assert_eq!(read("long"), Some(ScalarType::Long));
        assert_eq!(read("signed unsigned"), None);
        assert_eq!(read("float int"), None);
    }
}
