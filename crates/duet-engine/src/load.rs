//! A file as the commands want it: read, with the kernels that were asked for, the sizes
//! of the launch settled, and the annotations that count.
//!
//! What a command adds is its options as plain data ([`LoadOptions`]); what becomes of
//! messages is its business too. The steps hang together, so they are one call: the
//! settled sizes decide which macros the source is compiled with, and where sizes are
//! forgotten, so are the preconditions that fix them.

use std::path::PathBuf;

use duet_frontend::{Options, Timings};
use duet_ir::{Diagnostic, Func, Language, Rule, WellFormed};
use duet_transform::{AnnotationFilter, AnnotationOptions, forget_fixed_sizes, select_annotations};

use crate::sizes::{LaunchError, LaunchSizes};

/// Which file is read, and how.
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// The file.
    pub file: PathBuf,
    /// How the front end reads it, and which kernels; the macros of the launch come
    /// before its own.
    pub reading: Options,
    /// The sizes of the launch, as far as they are given.
    pub sizes: LaunchSizes,
    /// Whether sizes that make no launch are refused. Who needs every size as a number
    /// sees to it himself.
    pub check_sizes: bool,
    /// Forget the sizes given, and the preconditions that fix sizes.
    pub forget_sizes: bool,
    /// The size of a warp that the source is told.
    pub warp_size: Option<u32>,
    /// No contracts and no invariants count.
    pub no_annotations: bool,
    /// Of them only preconditions count; the source is told.
    pub only_requires: bool,
    /// Loop invariants are candidates: dropped if they don't hold.
    pub invariants_as_candidates: bool,
}

/// A file that was loaded.
pub struct LoadedFile {
    /// The kernels that were asked for, with the annotations that count.
    pub module: WellFormed,
    /// The sizes of the launch.
    pub sizes: LaunchSizes,
    /// The macros by which the source was told the launch.
    pub macros: Vec<String>,
    /// Kernels that could not be read, and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// How long each stage of reading took.
    pub timings: Timings,
}

/// Why a file was not loaded.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LoadError {
    /// The sizes make no launch.
    #[error(transparent)]
    Sizes(#[from] LaunchError),
    /// Nothing of the file could be used.
    #[error("the file cannot be read")]
    Unreadable(Vec<Diagnostic>),
}

/// Loads a file.
///
/// # Errors
/// If the sizes make no launch, or nothing of the file can be used. Kernels that alone
/// cannot be read are in [`LoadedFile::diagnostics`].
pub fn load(options: &LoadOptions) -> Result<LoadedFile, LoadError> {
    let sizes = options.settled_sizes()?;
    let macros = options.macros(&sizes);
    let mut reading = options.reading.clone();
    reading.defines = macros.iter().cloned().chain(reading.defines).collect();
    let read = duet_frontend::load(&options.file, &reading).map_err(LoadError::Unreadable)?;
    let mut module = select_annotations(read.module, options.annotations());
    if options.forget_sizes {
        module = forget_fixed_sizes(module);
    }
    let (diagnostics, timings) = (read.diagnostics, read.timings);
    Ok(LoadedFile { module, sizes, macros, diagnostics, timings })
}

impl LoadOptions {
    /// The file as it is, for no launch in particular.
    pub fn plain(file: PathBuf, reading: Options) -> LoadOptions {
        LoadOptions {
            file,
            reading,
            sizes: LaunchSizes::default(),
            check_sizes: false,
            forget_sizes: false,
            warp_size: None,
            no_annotations: false,
            only_requires: false,
            invariants_as_candidates: false,
        }
    }

    /// The sizes that count: none if they are to be forgotten.
    ///
    /// # Errors
    /// If they are to be checked and make no launch, even if they are forgotten then.
    pub fn settled_sizes(&self) -> Result<LaunchSizes, LaunchError> {
        if self.check_sizes {
            self.sizes.check(self.language())?;
        }
        Ok(if self.forget_sizes { LaunchSizes::default() } else { self.sizes.clone() })
    }

    /// The language of the file, as far as its name and the options tell.
    fn language(&self) -> Language {
        let by_name = match self.file.extension().is_some_and(|extension| extension == "cl") {
            true => Language::OpenCl,
            false => Language::Cuda,
        };
        self.reading.language.unwrap_or(by_name)
    }

    /// The macros that tell the source its launch.
    fn macros(&self, sizes: &LaunchSizes) -> Vec<String> {
        let mut macros = sizes.macros(self.language());
        macros.extend(self.warp_size.map(|size| format!("__WARP_SIZE={size}")));
        macros.extend(self.only_requires.then(|| "ONLY_REQUIRES".to_string()));
        macros
    }

    fn annotations(&self) -> AnnotationOptions {
        let filter = match (self.no_annotations, self.only_requires) {
            (true, _) => AnnotationFilter::None,
            (false, true) => AnnotationFilter::OnlyRequires,
            (false, false) => AnnotationFilter::All,
        };
        AnnotationOptions { filter, invariants_as_candidates: self.invariants_as_candidates }
    }
}

/// What a verdict about a file takes for granted that was read without some header.
const MISSING: &str = "headers that were not found change nothing about the kernels";

impl LoadedFile {
    /// What every verdict about the file takes for granted, whatever is asked.
    ///
    /// SOUNDNESS: a header that was not found may define a macro that a kernel tests
    /// (test `a_missing_header_is_an_assumption`).
    pub fn beliefs(&self) -> Vec<String> {
        let is_missing = |one: &Diagnostic| one.rule == Rule::MissingHeader;
        self.diagnostics.iter().any(is_missing).then(|| MISSING.to_string()).into_iter().collect()
    }

    /// The kernels, in source order.
    pub fn kernels(&self) -> Vec<Func> {
        self.module.kernels().map(|(kernel, _)| kernel).collect()
    }
}

#[cfg(test)]
mod tests {
    use duet_frontend::Options;
    use duet_ir::Language;

    use super::LoadOptions;
    use crate::sizes::{LaunchSizes, Size, SizeError, SizeName, Sizes};

    fn options(file: &str, words: &str) -> LoadOptions {
        let words: Vec<String> = words.split_whitespace().map(str::to_string).collect();
        let sizes = LaunchSizes::from_options(&words).expect("sizes");
        let plain = LoadOptions::plain(file.into(), Options::default());
        LoadOptions { sizes, check_sizes: true, ..plain }
    }

    #[test]
    fn macros_follow_from_the_settled_sizes() {
        let mut options = options("k.cu", "--blockDim=64");
        (options.warp_size, options.only_requires) = (Some(16), true);
        let told = |options: &LoadOptions| {
            options.macros(&options.settled_sizes().expect("sizes")).join(" ")
        };
        let rest = "__WARP_SIZE=16 ONLY_REQUIRES";
        assert_eq!(told(&options), format!("__1D_THREAD_BLOCK __BLOCK_DIM_0=64 {rest}"));
        options.forget_sizes = true;
        assert_eq!(told(&options), rest);
    }

    #[test]
    fn an_option_says_more_than_a_name_about_the_language() {
        let mut options = options("k.cl", "--global_offset=1");
        assert_eq!(
            options.settled_sizes().expect("sizes").offset,
            Some(Sizes(vec![Size::Number(1)]))
        );
        options.reading.language = Some(Language::Cuda);
        let error = options.settled_sizes().expect_err("CUDA has no offset");
        assert_eq!((error.name, error.error), (SizeName::Offset, SizeError::OffsetInCuda));
    }

    #[test]
    fn sizes_are_checked_before_they_are_forgotten() {
        let options = LoadOptions { forget_sizes: true, ..options("k.cu", "--blockDim=0") };
        let error = options.settled_sizes().expect_err("no threads");
        assert_eq!((error.name, error.error), (SizeName::Block, SizeError::Zero));
        let unchecked = LoadOptions { check_sizes: false, ..options };
        assert_eq!(unchecked.settled_sizes(), Ok(LaunchSizes::default()));
    }
}
