//! The cache folder: our headers unpacked, and preludes precompiled.
//!
//! Every entry is named by a hash of all that it depends on, is made under
//! another name and renamed into place, and is never changed afterwards; so
//! processes that fill the cache at once do no harm. Without a folder that can be
//! written, a temporary one serves for this process.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use crate::headers;

/// A cache folder with the headers in it.
pub struct Cache {
    root: PathBuf,
    /// Keeps a temporary folder alive.
    temporary: Option<tempfile::TempDir>,
}

impl Cache {
    /// Opens the cache at `root`, or at the user's own place for caches.
    pub fn open(root: Option<&Path>) -> io::Result<Cache> {
        let wanted = root.map(Path::to_path_buf).or_else(default_root);
        if let Some(root) = wanted {
            let cache = Cache { root, temporary: None };
            if cache.unpack_headers().is_ok() {
                return Ok(cache);
            }
        }
        let temporary = tempfile::tempdir()?;
        let cache = Cache { root: temporary.path().to_path_buf(), temporary: Some(temporary) };
        cache.unpack_headers()?;
        Ok(cache)
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Is it a folder of this process only, because no other can be written?
    pub fn is_temporary(&self) -> bool {
        self.temporary.is_some()
    }

    /// The folder of our headers.
    pub fn headers(&self) -> PathBuf {
        self.root.join(format!("{}-{:016x}", headers::FOLDER, hash_of(headers::FILES)))
    }

    fn unpack_headers(&self) -> io::Result<()> {
        let target = self.headers();
        if target.is_dir() {
            return Ok(());
        }
        std::fs::create_dir_all(&self.root)?;
        let temporary = tempfile::Builder::new().prefix("unpack-").tempdir_in(&self.root)?;
        for (name, contents) in headers::FILES {
            let path = temporary.path().join(name);
            std::fs::create_dir_all(path.parent().expect("below the folder"))?;
            std::fs::write(path, contents)?;
        }
        let made = temporary.keep();
        match std::fs::rename(&made, &target) {
            Ok(()) => Ok(()),
            // Another process was faster; its folder has the same contents.
            Err(_) if target.is_dir() => std::fs::remove_dir_all(&made),
            Err(error) => {
                let _ = std::fs::remove_dir_all(&made);
                Err(error)
            }
        }
    }

    /// The file for `key`, made by `make` at first use. `None` if it cannot be
    /// made.
    pub fn file(
        &self,
        key: &impl Hash,
        extension: &str,
        make: impl FnOnce(&Path) -> bool,
    ) -> Option<PathBuf> {
        let target = self.root.join(format!("{:016x}.{extension}", hash_of(key)));
        if target.is_file() {
            return Some(target);
        }
        let suffix = format!(".{extension}");
        let temporary = tempfile::Builder::new()
            .prefix("make-")
            .suffix(&suffix)
            .tempfile_in(&self.root)
            .ok()?
            .into_temp_path();
        if !make(&temporary) {
            return None;
        }
        temporary.persist(&target).ok()?;
        Some(target)
    }
}

/// `$DUET_CACHE_DIR`, or `duet` in the user's folder for caches.
fn default_root() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    set("DUET_CACHE_DIR")
        .map(PathBuf::from)
        .or_else(|| set("XDG_CACHE_HOME").map(|home| PathBuf::from(home).join("duet")))
        .or_else(|| set("HOME").map(|home| PathBuf::from(home).join(".cache/duet")))
}

fn hash_of(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
