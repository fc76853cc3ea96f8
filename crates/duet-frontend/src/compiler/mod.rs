//! clang as a program: how it is run, on what, and what is kept of it.
//!
//! | file | holds |
//! |---|---|
//! | `clang` | the process, its options and its messages |
//! | `build_files` | folders for headers that `CMakeLists.txt` and makefiles name |
//! | `headers`, `cache` | our headers, unpacked; preludes, precompiled |
//! | `repair` | copies of files for what clang rejects |
//! | `unknown` | headers that are not there, and names that nothing declares |
//! | `device_launch` | launches in code of the device |
//! | `host_code` | host functions that don't compile |
//! | `templates` | kernel templates of a source |

pub mod build_files;
pub mod cache;
pub mod clang;
pub mod device_launch;
pub mod headers;
pub mod host_code;
pub mod repair;
pub mod templates;
pub mod unknown;
