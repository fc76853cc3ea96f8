//! What a shell is told about a kernel: the report of its check, and what was looked for
//! beside it.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use duet_check::KernelReport;
use duet_mend::Suggestion;

use crate::programs::{Original, SiteReport};
use crate::requires::Precondition;

/// What was found out about a kernel.
#[derive(Clone, Debug)]
pub struct Report {
    /// The report of its check.
    pub check: KernelReport,
    /// A precondition under which it is proved, if one was looked for and found.
    pub precondition: Option<Box<Precondition>>,
    /// Barriers that mend findings, if they were looked for.
    pub suggestions: Vec<Suggestion>,
    /// The launch of the host program that it is about, if it is about one.
    pub site: Option<SiteReport>,
    /// What a kernel that stands for that launch was made of.
    pub original: Option<Arc<Original>>,
}

impl From<KernelReport> for Report {
    fn from(check: KernelReport) -> Report {
        Report { check, precondition: None, suggestions: vec![], site: None, original: None }
    }
}

impl Deref for Report {
    type Target = KernelReport;

    fn deref(&self) -> &KernelReport {
        &self.check
    }
}

impl DerefMut for Report {
    fn deref_mut(&mut self) -> &mut KernelReport {
        &mut self.check
    }
}
