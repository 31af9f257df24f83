//! Which worker does which run, where workers on several machines share a folder.
//!
//! ```text
//!  claims/HOST-PROCESS-XXXXXX.worker   one a worker: its host and process, and a count that rises while it lives
//!  claims/DIGEST.json.0                a claim of a run: a hard link to the file of its worker
//!  claims/DIGEST.json.1                the claim of who took the run over, as the worker of claim 0 no longer counted
//!  claims/DIGEST.json.failed           why the run failed: nobody tries it again unasked
//! ```
//!
//! The highest claim of a run is in force. A hard link to a name that is taken is an error on every file system, NFS too, so one of several
//! that take the same claim gets it. Locks of the system (`flock`, `fcntl`) would be shorter; on many clusters they hold within one machine
//! only. A claim is never renamed or replaced: who is slow to find that a worker is dead cannot hit the claim of its successor.
//!
//! No clock is compared with another. Each worker looks at the counts of others and waits by its own clock: a claim whose count stood still
//! for the time given is dead. A worker that was only stopped, and goes on, writes the result that its successor also writes.

use common::{output::unfinished, program_file};
use std::{
    collections::HashMap,
    fmt,
    fs::{self, File},
    io::{self, Error, ErrorKind, Seek, Write},
    path::{Path, PathBuf},
    process,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};
use tempfile::Builder;
use tracing::warn;

/// The most between two counts.
const SLOWEST_COUNT: Duration = Duration::from_secs(30);
/// Counts in the time after which a claim is dead.
const COUNTS_A_LIFE: u32 = 10;
/// More claims of one run, each of a worker that died, are a mistake of ours.
const MOST_CLAIMS: u32 = 10_000;

/// A worker's own claims, and its view of those of others.
pub struct Claims {
    folder: PathBuf,
    own: Arc<OwnFile>,
    dead_after: Duration,
    seen: Mutex<HashMap<String, Seen>>,
    counting: Option<(Sender<()>, JoinHandle<()>)>,
}

/// What came of the wish to do a run.
pub enum Taken {
    /// Nobody else does it while this lives.
    Mine(Claim),
    /// Another worker does it, or did until it died.
    Other {
        /// It lives: its count has risen a short time ago.
        lives: bool,
        /// Who it is.
        who: String,
    },
    /// It failed before, with this reason.
    Failed(String),
}

/// A run that this worker does.
pub struct Claim {
    folder: PathBuf,
    run: String,
    number: u32,
}

/// Of another's claim: its content, since when, and whether it ever changed.
struct Seen {
    content: Vec<u8>,
    since: Instant,
    lives: bool,
}

/// The file of a worker.
struct OwnFile {
    path: PathBuf,
    /// What stands before the count.
    who: String,
    file: Mutex<(File, u64)>,
}

impl Claims {
    /// Of a new worker on this folder of results.
    pub fn new(out: &Path, dead_after: Duration) -> io::Result<Self> {
        let folder = out.join("claims");
        fs::create_dir_all(&folder)?;
        let own = Arc::new(OwnFile::new(&folder)?);
        let mut claims =
            Self { folder: folder.clone(), own: own.clone(), dead_after, seen: Mutex::default(), counting: None };
        let (stop, stopped) = mpsc::channel();
        let between = claims.between_counts();
        let others = OtherBuilds::of(&folder, &own)?;
        let counting = thread::spawn(move || {
            let (mut failing, mut others, mut counts) = (false, Some(others), 0);
            while stopped.recv_timeout(between) == Err(RecvTimeoutError::Timeout) {
                match own.count() {
                    Err(error) if !failing => {
                        warn!(
                            "cannot write {}: {error}; others may do the runs of this worker again",
                            own.path.display()
                        );
                        failing = true;
                    }
                    Err(_) => {}
                    Ok(()) => failing = false,
                }
                counts += 1;
                // By now whoever lives has counted.
                if counts == 2 {
                    others.take().iter().for_each(OtherBuilds::warn);
                }
            }
        });
        claims.counting = Some((stop, counting));
        Ok(claims)
    }

    /// From one count of this worker to the next.
    pub fn between_counts(&self) -> Duration {
        (self.dead_after / COUNTS_A_LIFE).min(SLOWEST_COUNT)
    }

    /// This worker, for people.
    pub fn who(&self) -> String {
        shown(self.own.who.as_bytes())
    }

    /// Tries to become who does `run`. The result of the run has to be looked for again afterwards: who had the claim before may have ended.
    pub fn take(&self, run: &str) -> io::Result<Taken> {
        if let Some(reason) = self.failure(run)? {
            return Ok(Taken::Failed(reason));
        }
        let (mut number, mut held) = (0, None);
        while let Some(content) = self.read(run, number)? {
            (number, held) = (number + 1, Some(content));
            if number > MOST_CLAIMS {
                let folder = self.folder.display();
                return Err(Error::other(format!("{run} has more than {MOST_CLAIMS} claims in {folder}: remove them")));
            }
        }
        let other = |content: &[u8], lives| Ok(Taken::Other { lives, who: shown(content) });
        if let Some(content) = &held {
            let (dead, lives) = self.look(&name(run, number - 1), content);
            if !dead {
                return other(content, lives);
            }
        }
        if !self.link(&name(run, number))? {
            return other(&self.read(run, number)?.unwrap_or_default(), false);
        }
        let claim = Claim { folder: self.folder.clone(), run: run.into(), number };
        // The one before may have been given up and taken anew meanwhile, and the one after taken from who was thought dead.
        let before = if number == 0 { None } else { self.read(run, number - 1)? };
        let after = self.read(run, number + 1)?;
        if before != held || after.is_some() {
            claim.give_back();
            return other(&after.or(before).unwrap_or_default(), false);
        }
        if let Some(content) = held {
            warn!("taken over from {}, which no longer answers: {run}", shown(&content));
        }
        Ok(Taken::Mine(claim))
    }

    /// Nobody tries this run again unasked.
    pub fn fail(&self, run: &str, reason: &str) -> io::Result<()> {
        let mut file = unfinished(0o666).tempfile_in(&self.folder)?;
        file.write_all(reason.as_bytes())?;
        file.persist(failure_file(&self.folder, run))?;
        Ok(())
    }

    /// Why it failed, when it did.
    fn failure(&self, run: &str) -> io::Result<Option<String>> {
        let content = found(fs::read(failure_file(&self.folder, run)))?;
        Ok(content.map(|content| String::from_utf8_lossy(&content).into_owned()))
    }

    fn read(&self, run: &str, number: u32) -> io::Result<Option<Vec<u8>>> {
        found(fs::read(self.folder.join(name(run, number))))
    }

    /// Makes a claim; false: it is somebody else's.
    fn link(&self, name: &str) -> io::Result<bool> {
        let claim = self.folder.join(name);
        let mut made = fs::hard_link(&self.own.path, &claim);
        if made.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            // Somebody has cleaned up.
            self.own.restore()?;
            made = fs::hard_link(&self.own.path, &claim);
        }
        match made {
            Ok(()) => Ok(true),
            // The answer to a request that was sent twice may be that of the second.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                Ok(found(fs::read(&claim))?.is_some_and(|content| content.starts_with(self.own.who.as_bytes())))
            }
            Err(error) => Err(Error::new(
                error.kind(),
                format!("{error}: claims of runs are hard links, which the file system of the folder has to allow"),
            )),
        }
    }

    /// Whether a claim is dead, and whether it was seen to live.
    fn look(&self, name: &str, content: &[u8]) -> (bool, bool) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        match seen.get_mut(name) {
            Some(seen) if seen.content == content => {
                let still = seen.since.elapsed();
                // Three counts that fail to come are a bad sign, and not yet a reason.
                (still >= self.dead_after, seen.lives && still < 3 * self.between_counts())
            }
            Some(seen) => {
                // Another worker's may stand there by now.
                let lives = who_of(&seen.content) == who_of(content);
                *seen = Seen { content: content.into(), since: now, lives };
                (false, lives)
            }
            None => {
                seen.insert(name.into(), Seen { content: content.into(), since: now, lives: false });
                (false, false)
            }
        }
    }
}

impl Drop for Claims {
    fn drop(&mut self) {
        if let Some((stop, counting)) = self.counting.take() {
            drop(stop);
            _ = counting.join();
        }
        _ = fs::remove_file(&self.own.path);
    }
}

impl Claim {
    /// Its name: that of the file of its result.
    pub fn run(&self) -> &str {
        &self.run
    }

    /// This claim alone, the earlier ones stay.
    fn give_back(mut self) {
        _ = fs::remove_file(self.folder.join(name(&self.run, self.number)));
        self.run.clear();
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // A successor clears what was before it.
        if self.run.is_empty() || self.folder.join(name(&self.run, self.number + 1)).exists() {
            return;
        }
        // The one in force is the last to go: as long as it is there nobody takes the run.
        for number in 0..=self.number {
            _ = fs::remove_file(self.folder.join(name(&self.run, number)));
        }
    }
}

impl OwnFile {
    fn new(folder: &Path) -> io::Result<Self> {
        let host = host();
        let plain: String = host.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let mut named = Builder::new();
        let prefix = format!("{plain}-{}-", process::id());
        named.prefix(&prefix).suffix(".worker");
        #[cfg(unix)]
        named.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let (file, path) = named.tempfile_in(folder)?.keep().map_err(|error| error.error)?;
        let since = humantime::format_rfc3339_seconds(std::time::SystemTime::now());
        let id = path.file_name().unwrap_or_default().to_string_lossy();
        let program = program_file::digest()?;
        let who = format!("host {host}\nprocess {}\nsince {since}\nprogram {program:032x}\nfile {id}\n", process::id());
        let own = Self { path, who, file: Mutex::new((file, 0)) };
        own.count()?;
        Ok(own)
    }

    /// Tells others that this worker lives.
    fn count(&self) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.1 += 1;
        // As long as before: what is written over what was there needs no room on the disk.
        let content = format!("{}count {:010}\n", self.who, file.1);
        file.0.rewind()?;
        file.0.write_all(content.as_bytes())?;
        file.0.sync_data()
    }

    /// Writes it anew under its name.
    fn restore(&self) -> io::Result<()> {
        let anew = File::create(&self.path)?;
        self.file.lock().unwrap_or_else(PoisonError::into_inner).0 = anew;
        self.count()
    }
}

/// Workers of other builds of the program, each with its content when this worker began.
struct OtherBuilds(Vec<(PathBuf, Vec<u8>)>);

impl OtherBuilds {
    fn of(folder: &Path, own: &OwnFile) -> io::Result<Self> {
        let build = line_of(own.who.as_bytes(), "program ");
        let entries = fs::read_dir(folder)?.filter_map(Result::ok).map(|entry| entry.path());
        let workers = entries.filter(|path| path.extension().is_some_and(|ending| ending == "worker"));
        let others = workers.filter_map(|path| fs::read(&path).ok().map(|content| (path, content)));
        Ok(Self(others.filter(|(_, content)| line_of(content, "program ") != build).collect()))
    }

    /// Says which of them live.
    fn warn(&self) {
        for (path, before) in &self.0 {
            if let Some(now) = fs::read(path).ok().filter(|now| now != before) {
                warn!(
                    "{} works in this folder with another build of the program: neither uses results of the other",
                    shown(&now)
                );
            }
        }
    }
}

/// Removes what workers have noted of the failure of a run.
pub fn forget_failure(out: &Path, run: &str) -> io::Result<()> {
    found(fs::remove_file(failure_file(&out.join("claims"), run))).map(|_| ())
}

/// Somebody has claimed it, dead or alive.
pub fn is_claimed(out: &Path, run: &str) -> bool {
    out.join("claims").join(name(run, 0)).exists()
}

/// What workers have noted of the failure of a run.
pub fn noted_failure(out: &Path, run: &str) -> Option<String> {
    fs::read(failure_file(&out.join("claims"), run)).ok().map(|text| String::from_utf8_lossy(&text).into_owned())
}

fn failure_file(folder: &Path, run: &str) -> PathBuf {
    folder.join(format!("{run}.failed"))
}

fn name(run: &str, number: u32) -> String {
    format!("{run}.{number}")
}

/// What is not there is no error.
fn found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}

/// Name of this machine.
pub fn host() -> String {
    #[cfg(unix)]
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let host = std::env::var("COMPUTERNAME").unwrap_or_default();
    host
}

/// The content of a claim without its count.
fn who_of(content: &[u8]) -> &[u8] {
    let end = content.windows(6).position(|part| part == b"count ").unwrap_or(content.len());
    &content[..end]
}

fn line_of<'a>(content: &'a [u8], start: &str) -> Option<&'a str> {
    std::str::from_utf8(content).ok()?.lines().find_map(|line| line.strip_prefix(start))
}

/// A worker for people.
fn shown(content: &[u8]) -> String {
    match (line_of(content, "host "), line_of(content, "process "), line_of(content, "since ")) {
        (Some(host), Some(process), Some(since)) => format!("process {process} on {host} (since {since})"),
        _ => "an unknown worker".into(),
    }
}

impl fmt::Debug for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", name(&self.run, self.number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    const LONG: Duration = Duration::from_secs(600);

    fn is_mine(taken: &io::Result<Taken>) -> bool {
        matches!(taken, Ok(Taken::Mine(_)))
    }

    fn claim_names(out: &Path) -> Vec<String> {
        let entries = fs::read_dir(out.join("claims")).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
        let mut names: Vec<_> = names.filter(|name| name.starts_with("run")).collect();
        names.sort();
        names
    }

    /// A worker that no longer counts.
    fn dead(out: &Path) -> Claims {
        let mut claims = Claims::new(out, LONG).expect("a worker");
        claims.counting.take().into_iter().for_each(|(stop, counting)| {
            drop(stop);
            counting.join().expect("ends");
        });
        claims
    }

    #[test]
    fn of_many_workers_one_gets_a_run() {
        let out = tempfile::tempdir().expect("a folder");
        let workers: Vec<_> = (0..8).map(|_| Claims::new(out.path(), LONG).expect("a worker")).collect();
        for turn in 0..50 {
            let (run, start) = (format!("run{turn}"), Barrier::new(workers.len()));
            let take = |worker: &Claims| {
                start.wait();
                worker.take(&run)
            };
            let taken: Vec<_> = thread::scope(|scope| {
                let take = &take;
                let threads: Vec<_> = workers.iter().map(|worker| scope.spawn(move || take(worker))).collect();
                threads.into_iter().map(|thread| thread.join().expect("ends")).collect()
            });
            assert_eq!(taken.iter().filter(|taken| is_mine(taken)).count(), 1, "turn {turn}");
            assert_eq!(claim_names(out.path()), [format!("{run}.0")]);
        }
        assert!(claim_names(out.path()).is_empty());
    }

    #[test]
    fn of_many_workers_one_takes_over_from_a_dead_one() {
        let out = tempfile::tempdir().expect("a folder");
        let short = Duration::from_secs(1);
        let dead = dead(out.path());
        let held = dead.take("run").expect("taken");
        let alive = Claims::new(out.path(), LONG).expect("a worker");
        let workers: Vec<_> = (0..8).map(|_| Claims::new(out.path(), short).expect("a worker")).collect();
        let start = Barrier::new(workers.len());
        // All of them want it again and again, for longer than its new owner could live without a sign.
        let take = |worker: &Claims| {
            start.wait();
            let (begun, mut kept) = (Instant::now(), vec![]);
            while begun.elapsed() < 5 * short / 2 {
                match worker.take("run").expect("no error") {
                    Taken::Mine(claim) => {
                        assert!(begun.elapsed() >= short, "taken over too early");
                        kept.push(claim);
                    }
                    Taken::Other { who, .. } => assert!(who.starts_with("process "), "{who}"),
                    Taken::Failed(reason) => panic!("{reason}"),
                }
                thread::sleep(Duration::from_millis(20));
            }
            kept
        };
        let kept: Vec<_> = thread::scope(|scope| {
            let take = &take;
            let threads: Vec<_> = workers.iter().map(|worker| scope.spawn(move || take(worker))).collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("ends")).collect()
        });
        assert_eq!(kept.len(), 1, "{kept:?}");
        assert_eq!(claim_names(out.path()), ["run.0", "run.1"]);
        drop(kept);
        assert!(claim_names(out.path()).is_empty());
        drop(held);
        assert!(is_mine(&alive.take("run")));
    }

    #[test]
    fn who_wakes_up_leaves_the_claim_of_its_successor() {
        let out = tempfile::tempdir().expect("a folder");
        let sleeper = dead(out.path());
        let held = sleeper.take("run").expect("taken");
        let other = Claims::new(out.path(), Duration::from_millis(50)).expect("a worker");
        assert!(matches!(other.take("run"), Ok(Taken::Other { lives: false, .. })));
        thread::sleep(Duration::from_millis(80));
        let successor = other.take("run").expect("taken over");
        assert_eq!(claim_names(out.path()), ["run.0", "run.1"]);
        drop(held);
        assert_eq!(claim_names(out.path()), ["run.0", "run.1"]);
        let third = Claims::new(out.path(), LONG).expect("a worker");
        assert!(matches!(third.take("run"), Ok(Taken::Other { .. })));
        drop(successor);
        assert!(claim_names(out.path()).is_empty());
    }

    #[test]
    fn a_run_that_failed_is_left_until_it_is_forgotten() {
        let out = tempfile::tempdir().expect("a folder");
        let [one, other] = [0, 1].map(|_| Claims::new(out.path(), LONG).expect("a worker"));
        one.fail("run", "exit code 3").expect("written");
        assert!(matches!(other.take("run"), Ok(Taken::Failed(reason)) if reason == "exit code 3"));
        forget_failure(out.path(), "run").expect("removed");
        forget_failure(out.path(), "run").expect("nothing to remove");
        assert!(is_mine(&other.take("run")));
    }

    #[test]
    fn a_file_that_was_cleaned_away_is_written_again() {
        let out = tempfile::tempdir().expect("a folder");
        let one = Claims::new(out.path(), LONG).expect("a worker");
        fs::remove_file(&one.own.path).expect("removed");
        assert!(is_mine(&one.take("run")));
    }
}
