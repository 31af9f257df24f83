//! Machine code of earlier runs (and what synthesis found), kept on disk: one file per key in a folder of the user's.
//!
//! The key is a hash of everything that the code depends on; whoever asks makes it (see [`Key`]). A file is written
//! whole under another name and then renamed, so that runs at the same time see all of it or nothing, and begins with
//! its key and a hash of its content: what is damaged is removed and made anew. When the folder gets larger than its
//! limit, what was not used for longest goes. Nothing here fails a run: without a folder there is just no cache.
//!
//! Code from here is executed: what others may have written is not used, see [`crate::trust`].

use crate::trust::{self, Refusal};
use etcetera::BaseStrategy;
use std::{
    collections::BTreeSet,
    fs,
    hash::Hash,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};
use tracing::{info, warn};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// Bytes that the files may have together.
const LIMIT: u64 = 256 << 20;

/// Bytes that single functions may have together.
const LIMIT_OF_FUNCTIONS: u64 = 128 << 20;

/// Bytes of the largest file that is read.
const LARGEST: u64 = 1 << 30;

/// Ending of the files.
const ENDING: &str = "code";

/// Ending of files that are being written; when this old, nobody writes them any more.
const UNFINISHED: &str = "unfinished";
const ABANDONED: Duration = Duration::from_secs(3600);

/// First bytes of a file; another format is another number.
const MAGIC: [u8; 8] = *b"wm-code1";

/// Magic, key, hash of the content.
const HEADER: usize = 8 + 16 + 16;

/// A hash of everything that a piece of code depends on.
#[derive(Clone, Default)]
pub struct Key(Xxh3);

impl Key {
    /// Together with this.
    pub fn with(mut self, thing: impl Hash) -> Self {
        // The hasher writes numbers as they lie in memory, which differs between machines; so does code.
        thing.hash(&mut self.0);
        self
    }

    /// The hash as a number.
    pub fn number(&self) -> u128 {
        self.0.digest128()
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.number())
    }
}

/// The user's folder for what can be made again; `None` when there is no place for it.
pub fn folder() -> Option<PathBuf> {
    Some(etcetera::choose_base_strategy().ok()?.cache_dir().join("warpmesh"))
}

/// A folder of files.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    limit: u64,
}

impl Cache {
    /// The user's; `None` when there is no place for it.
    pub fn of_user() -> Option<Self> {
        Self::at(folder()?.join("code"), LIMIT)
    }

    /// The user's for single functions: many small files.
    pub fn functions_of_user() -> Option<Self> {
        // Where that folder cannot be used, this is not: its reason is said once.
        Self::of_user()?;
        Self::at(folder()?.join("functions"), LIMIT_OF_FUNCTIONS)
    }

    /// In a folder, which is made if need be; one that other users may have written to is not used.
    pub fn at(folder: PathBuf, limit: u64) -> Option<Self> {
        match trust::folder(&folder) {
            Ok(folder) => Some(Self { folder, limit }),
            Err(Refusal::Unusable(error)) => {
                info!("nothing is kept in {}: {error}", folder.display());
                None
            }
            Err(untrusted) => {
                warn_once(format!("nothing is kept in {} or taken from there: {untrusted}", folder.display()));
                None
            }
        }
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.folder.join(format!("{key:?}.{ENDING}"))
    }

    /// What was put there under this key.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let path = self.path(key);
        let file = match trust::open(&path) {
            Ok(file) => file,
            Err(Refusal::Unusable(_)) => return None,
            Err(untrusted) => {
                warn_once(format!("kept code is not used: {untrusted}"));
                return None;
            }
        };
        let mut bytes = vec![];
        (&file).take(LARGEST).read_to_end(&mut bytes).ok()?;
        let content = content(bytes, key);
        match content {
            // The time of the last use decides what goes when the folder is full; a folder that cannot be written stays
            // as it is.
            Some(_) => _ = file.set_modified(SystemTime::now()),
            None => {
                info!("{} is damaged: removed", path.display());
                _ = fs::remove_file(&path);
            }
        }
        content
    }

    /// Puts `content` there, and removes what has become too much.
    pub fn put(&self, key: &Key, content: &[u8]) {
        self.put_one_of_many(key, content);
        self.tidy_but(&self.path(key));
    }

    /// Puts `content` there, and says whether that could be done; whoever puts many calls [`tidy`](Self::tidy) in the end.
    pub fn put_one_of_many(&self, key: &Key, content: &[u8]) -> bool {
        let written = self.write(key, content);
        if let Err(error) = &written {
            info!("a result is not kept in {}: {error}", self.folder.display());
        }
        written.is_ok()
    }

    /// Removes what has become too much.
    pub fn tidy(&self) {
        self.tidy_but(Path::new(""));
    }

    fn write(&self, key: &Key, content: &[u8]) -> io::Result<()> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let unfinished = self.folder.join(format!("{key:?}.{}.{number}.{UNFINISHED}", std::process::id()));
        let write = || {
            let mut file = trust::create(&unfinished)?;
            file.write_all(&MAGIC)?;
            file.write_all(&key.number().to_le_bytes())?;
            file.write_all(&xxh3_128(content).to_le_bytes())?;
            file.write_all(content)?;
            drop(file);
            fs::rename(&unfinished, self.path(key))
        };
        write().inspect_err(|_| _ = fs::remove_file(&unfinished))
    }

    /// Removes abandoned files, and then the files that were not used for longest, as far as there are too many bytes; `kept` stays.
    fn tidy_but(&self, kept: &Path) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let mut files = vec![];
        for entry in entries.flatten() {
            let (path, Ok(about)) = (entry.path(), entry.metadata()) else { continue };
            let used = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            match path.extension().and_then(|ending| ending.to_str()) {
                Some(UNFINISHED) if used.elapsed().is_ok_and(|age| age > ABANDONED) => _ = fs::remove_file(&path),
                Some(ENDING) => files.push((used, about.len(), path)),
                _ => {}
            }
        }
        files.sort();
        let mut bytes: u64 = files.iter().map(|&(_, length, _)| length).sum();
        for (_, length, path) in files {
            if bytes > self.limit && path != kept && fs::remove_file(&path).is_ok() {
                bytes -= length;
            }
        }
    }
}

/// What the user's cache has under the key, as `read` understands it, or else what `make` makes, of which `stored` goes there; and
/// whether it was there. Without a key nothing is looked for or kept.
///
/// # Errors
/// Those of `make`.
pub fn found_or_made<T, E>(
    key: Option<Key>,
    read: impl FnOnce(&[u8]) -> Option<T>,
    make: impl FnOnce() -> Result<T, E>,
    stored: impl FnOnce(&T) -> Option<Vec<u8>>,
) -> Result<(T, bool), E> {
    let cache = key.and_then(|key| Some((Cache::of_user()?, key)));
    if let Some(found) = cache.as_ref().and_then(|(cache, key)| cache.get(key)).and_then(|bytes| read(&bytes)) {
        return Ok((found, true));
    }
    let made = make()?;
    if let Some((cache, key)) = cache
        && let Some(content) = stored(&made)
    {
        cache.put(&key, &content);
    }
    Ok((made, false))
}

/// The content of a file, if it is what was put there.
fn content(mut bytes: Vec<u8>, key: &Key) -> Option<Vec<u8>> {
    let header = bytes.get(..HEADER)?;
    let number = |from: usize| header.get(from..from + 16)?.try_into().ok().map(u128::from_le_bytes);
    let (magic, found, hash) = (header.get(..8)?, number(8)?, number(24)?);
    if magic != MAGIC || found != key.number() || hash != xxh3_128(&bytes[HEADER..]) {
        return None;
    }
    bytes.drain(..HEADER);
    Some(bytes)
}

/// Says it, but not again for every piece of code.
fn warn_once(message: String) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if SAID.lock().unwrap_or_else(PoisonError::into_inner).insert(message.clone()) {
        warn!("{message}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> Key {
        Key::default().with(name)
    }

    fn cache(limit: u64) -> (tempfile::TempDir, Cache) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let cache = Cache::at(folder.path().join("a").join("b"), limit).expect("may be written");
        (folder, cache)
    }

    fn names(cache: &Cache) -> Vec<String> {
        let entries = fs::read_dir(&cache.folder).expect("is there").flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_is_put_is_found_under_its_key_only() {
        let (_folder, cache) = cache(LIMIT);
        assert_eq!(cache.get(&key("one")), None);
        cache.put(&key("one"), b"code of one");
        cache.put(&key("two"), b"");
        assert_eq!(cache.get(&key("one")).as_deref(), Some(&b"code of one"[..]));
        assert_eq!(cache.get(&key("two")).as_deref(), Some(&b""[..]));
        assert_eq!(cache.get(&key("three")), None);
        cache.put(&key("one"), b"again");
        assert_eq!(cache.get(&key("one")).as_deref(), Some(&b"again"[..]));
        assert_eq!(names(&cache).len(), 2);
    }

    #[test]
    fn a_damaged_file_is_removed() {
        let (_folder, cache) = cache(LIMIT);
        let one = key("one");
        cache.put(&one, b"code of one");
        let path = cache.path(&one);
        let good = fs::read(&path).expect("written");
        let damaged = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("written");
            assert_eq!(cache.get(&one), None);
            assert!(!path.exists());
        };
        for length in 0..good.len() {
            damaged(&good[..length]);
        }
        for at in 0..good.len() {
            let mut bytes = good.clone();
            bytes[at] ^= 4;
            damaged(&bytes);
        }
        damaged(&[&good[..], b"x"].concat());
        // A file of another key under this name.
        cache.put(&key("two"), b"code of two");
        fs::rename(cache.path(&key("two")), &path).expect("renamed");
        assert_eq!(cache.get(&one), None);
        fs::write(&path, &good).expect("written");
        assert_eq!(cache.get(&one).as_deref(), Some(&b"code of one"[..]));
    }

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let (_folder, cache) = cache(4 * 1100);
        let long_ago = |name: &str, hours: u64| {
            let file = fs::File::options().append(true).open(cache.path(&key(name))).expect("is there");
            file.set_modified(SystemTime::now() - Duration::from_secs(3600 * hours)).expect("may be changed");
        };
        for (name, hours) in [("a", 4), ("b", 3), ("c", 2), ("d", 1)] {
            cache.put(&key(name), &[7; 1000]);
            long_ago(name, hours);
        }
        assert!(cache.get(&key("a")).is_some(), "all have room; now the first one was used last");
        cache.put(&key("e"), &[7; 1000]);
        let there = |name: &str| cache.path(&key(name)).exists();
        assert_eq!(["a", "b", "c", "d", "e"].map(there), [true, false, true, true, true]);
        // One that is larger than everything stays alone.
        cache.put(&key("f"), &[7; 10_000]);
        assert_eq!(names(&cache).len(), 1);
        assert!(cache.get(&key("f")).is_some());
        // Remains of a run that was killed go after a while, those of one that is writing stay.
        for (name, hours) in [("old", 2), ("new", 0)] {
            let file = fs::File::create(cache.folder.join(format!("{name}.{UNFINISHED}"))).expect("written");
            file.set_modified(SystemTime::now() - Duration::from_secs(3600 * hours)).expect("may be changed");
        }
        cache.put(&key("f"), b"");
        assert_eq!(names(&cache).len(), 2);
    }

    #[test]
    fn runs_at_the_same_time_see_all_or_nothing() {
        let (_folder, cache) = cache(20_000);
        let content = |i: u8| vec![i; 5000 + usize::from(i)];
        std::thread::scope(|scope| {
            for thread in 0..4u8 {
                let cache = &cache;
                scope.spawn(move || {
                    for round in 0..100u8 {
                        let i = round % 10 * 7 % 10 + thread;
                        match cache.get(&key(&i.to_string())) {
                            Some(found) => assert!(found == content(i)),
                            None => cache.put(&key(&i.to_string()), &content(i)),
                        }
                    }
                });
            }
        });
        assert!(names(&cache).iter().all(|name| name.ends_with(ENDING)), "{:?}", names(&cache));
    }

    #[cfg(unix)]
    #[test]
    fn what_others_may_have_written_is_not_used() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let (folder, cache) = cache(LIMIT);
        let one = key("one");
        cache.put(&one, b"code of one");
        let path = cache.path(&one);
        let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("is ours");
        mode(&path, 0o666);
        assert_eq!(cache.get(&one), None);
        // The next run writes it anew, whatever is there, and leaves alone what a link leads to.
        cache.put(&one, b"new code");
        assert_eq!(cache.get(&one).as_deref(), Some(&b"new code"[..]));
        let elsewhere = folder.path().join("elsewhere");
        fs::rename(&path, &elsewhere).expect("renamed");
        symlink(&elsewhere, &path).expect("made");
        assert_eq!(cache.get(&one), None);
        let before = fs::read(&elsewhere).expect("is there");
        cache.put(&one, b"newer code");
        assert_eq!(cache.get(&one).as_deref(), Some(&b"newer code"[..]));
        assert_eq!(fs::read(&elsewhere).expect("is there"), before);
        mode(&cache.folder, 0o777);
        assert!(Cache::at(cache.folder.clone(), LIMIT).is_none());
        mode(&cache.folder, 0o700);
        assert!(Cache::at(cache.folder.clone(), LIMIT).is_some());
        // No folder.
        assert!(Cache::at(cache.path(&one), LIMIT).is_none());
    }
}
