//! Lock files that show which instances of the program are running. The system releases a lock when its process ends,
//! however it ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

const PREFIX: &str = "window-";
const SUFFIX: &str = ".lock";
/// Longer than an instance takes between creating its lock file and locking it.
const MIN_STALE_AGE: Duration = Duration::from_mins(1);

/// The lock of this instance in its state directory.
#[derive(Debug)]
pub(super) struct InstanceLock {
    /// A random name, unique to this instance.
    pub name: String,
    path: PathBuf,
    _lock: File,
}

impl InstanceLock {
    /// Locks a new file in an existing directory.
    pub(super) fn open(folder: &Path) -> std::io::Result<Self> {
        let mut bits = [0_u8; 8];
        getrandom::fill(&mut bits).map_err(std::io::Error::other)?;
        let name = format!("{:016x}", u64::from_le_bytes(bits));
        remove_stale_locks(folder);
        let path = path(folder, &name);
        let lock = OpenOptions::new().write(true).create_new(true).open(&path)?;
        lock.try_lock()?;
        Ok(Self { name, path, _lock: lock })
    }

    /// Whether the instance with that name is running. Removes the lock file of one that is not.
    pub(super) fn is_open(folder: &Path, name: &str) -> bool {
        let path = path(folder, name);
        let Ok(file) = OpenOptions::new().write(true).open(&path) else { return false };
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => true,
            // The lock is free, or locking is not supported. In both cases the instance's runs are offered again.
            Ok(()) | Err(TryLockError::Error(_)) => {
                let _ = std::fs::remove_file(path);
                false
            }
        }
    }
}

/// Removes the lock files of crashed instances. A recent file may belong to an instance that has not locked it yet.
fn remove_stale_locks(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let file = entry.file_name();
        let name = file.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
        let age = entry.metadata().and_then(|data| data.modified()).map(|at| at.elapsed().unwrap_or_default());
        if let (Some(name), true) = (name, age.is_ok_and(|age| age >= MIN_STALE_AGE)) {
            InstanceLock::is_open(folder, name);
        }
    }
}

impl Drop for InstanceLock {
    fn drop(&mut self) {
        // A lock file without a lock has no effect, so a failure does not matter.
        let _ = std::fs::remove_file(&self.path);
    }
}

fn path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{PREFIX}{name}{SUFFIX}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stale_lock_files_are_removed_and_held_ones_stay() {
        let folder = tempfile::tempdir().unwrap();
        let open = InstanceLock::open(folder.path()).unwrap();
        for name in ["old", "young"] {
            std::fs::write(path(folder.path(), name), "").unwrap();
        }
        let long_ago = std::time::SystemTime::now() - Duration::from_hours(1);
        for name in ["old", &open.name] {
            let file = OpenOptions::new().write(true).open(path(folder.path(), name)).unwrap();
            file.set_modified(long_ago).unwrap();
        }
        let next = InstanceLock::open(folder.path()).unwrap();
        let exists = |name: &str| path(folder.path(), name).exists();
        assert_eq!([exists("old"), exists("young"), exists(&open.name), exists(&next.name)], [false, true, true, true]);
    }

    #[test]
    fn an_instance_is_running_until_its_lock_is_released() {
        let folder = tempfile::tempdir().unwrap();
        let lock = InstanceLock::open(folder.path()).unwrap();
        assert!(InstanceLock::is_open(folder.path(), &lock.name));
        assert!(!InstanceLock::is_open(folder.path(), "0000"));
        let name = lock.name.clone();
        drop(lock);
        assert!(!InstanceLock::is_open(folder.path(), &name));
        std::fs::write(path(folder.path(), "left"), "").unwrap();
        assert!(!InstanceLock::is_open(folder.path(), "left"), "the lock file of a crashed instance counts as free");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
