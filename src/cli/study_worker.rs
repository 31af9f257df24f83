//! `warpmesh study FILE --worker`: one of many, on one machine or more, that share the runs of a study by a folder.

use super::{
    Failure,
    interrupt::{self, Interrupt},
    print::print,
    progress::{Progress, Terminal},
    study_claims::{Claim, Claims, Taken, forget_failure, host},
    study_process::{RunFailure, RunProcesses},
    study_runs::{Job, StudyRuns, plan_of},
};
use std::{
    collections::{HashMap, VecDeque},
    fs::File,
    io, mem,
    ops::Range,
    path::Path,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};
use tracing::info;

/// The longest that a worker without work waits before it looks again.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// Which of the runs: number K of N equal parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// From 1.
    number: usize,
    of: usize,
}

impl std::str::FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) && of <= u32::MAX as usize => Ok(Self { number, of }),
            _ => Err("write it as K/N with K from 1 to N, as in `3/8`".into()),
        }
    }
}

impl Part {
    /// Of so many runs.
    pub fn range(self, runs: usize) -> Range<usize> {
        let start = |number: usize| (runs as u128 * number as u128 / self.of as u128) as usize;
        start(self.number - 1)..start(self.number)
    }

    /// All of `of` parts of so many runs.
    pub fn ranges(of: usize, runs: usize) -> impl Iterator<Item = Range<usize>> {
        (1..=of).map(move |number| Self { number, of }.range(runs))
    }
}

/// A worker.
pub struct Worker<'a> {
    /// What is run.
    pub runs: StudyRuns<'a>,
    /// Only these.
    pub part: Option<Part>,
    /// A worker that gave no sign for so long is dead.
    pub dead_after: Duration,
    /// Also what failed before.
    pub retry: bool,
}

/// What is known of the runs.
#[derive(Default)]
struct State {
    /// Nobody knows what becomes of them: by number.
    open: VecDeque<usize>,
    /// Of the open ones: who does them.
    with_others: HashMap<usize, Holder>,
    done_here: usize,
    /// Here, and of other workers before.
    failed: Vec<String>,
    /// Why the worker cannot go on.
    broken: Option<String>,
}

/// Another worker.
struct Holder {
    who: String,
    /// It gave a sign a short time ago.
    lives: bool,
}

impl Worker<'_> {
    /// Does runs until there is none left that it could do.
    pub fn run(&self, terminal: Terminal) -> Result<(), Failure> {
        let (study, folder, out) = (self.runs.study, self.runs.folder, self.runs.out);
        let plan = plan_of(study, folder);
        let range = self.part.map_or(0..plan.runs.len(), |part| part.range(plan.runs.len()));
        let jobs = self.runs.jobs(&plan.runs[range])?;
        self.runs.make_folder()?;
        let interrupt = Interrupt::watch();
        let claims = Claims::new(out, self.dead_after)
            .map_err(|error| Failure::new(2, format!("cannot claim runs in {}: {error}", out.display())))?;
        let at_a_time = self.runs.at_a_time().min(jobs.len());
        let processes = RunProcesses::new(&self.runs, at_a_time, &interrupt)?;
        let queue = Queue::new(self, &jobs, &claims, &interrupt);
        let missing = queue.state().open.len();
        info!("{} does up to {missing} runs, {at_a_time} at a time", claims.who());
        let progress = Mutex::new(Progress::new(terminal).on_page(self.runs.monitor));
        thread::scope(|scope| {
            for _ in 0..at_a_time {
                scope.spawn(|| {
                    while let Some((claim, job)) = queue.next() {
                        let result = processes.run(job);
                        queue.ended(&claim, job, result);
                        let state = queue.state();
                        let done = state.done_here + state.failed.len();
                        let (of, before) = (done + state.open.len(), jobs.len() - missing);
                        drop(state);
                        progress.lock().unwrap_or_else(PoisonError::into_inner).runs(done, of, before, &job.title);
                    }
                });
            }
        });
        progress.into_inner().unwrap_or_else(PoisonError::into_inner).finish();
        let state = mem::take(&mut *queue.state());
        drop(queue);
        self.end(&state, jobs.len(), interrupt.is_asked(), &claims.who())
    }

    /// Says what has become of the runs.
    fn end(&self, state: &State, of: usize, interrupted: bool, who: &str) -> Result<(), Failure> {
        let State { open, with_others, done_here, failed, broken } = state;
        let before = of - done_here - failed.len() - open.len();
        let mut text = format!("{who}\n{done_here} of {of} runs done here, {before} were there or done by others");
        if !failed.is_empty() {
            text += &format!(", {} failed", failed.len());
        }
        if !open.is_empty() {
            text += &format!(", {} are not done", open.len());
        }
        let mut holders: Vec<_> = with_others.values().map(|holder| &holder.who).collect();
        holders.sort();
        holders.dedup();
        holders.iter().for_each(|who| text += &format!("\nwith {who}"));
        failed.iter().for_each(|reason| text += &format!("\nfailed: {reason}"));
        let printed = print(&text);
        let stopped = if interrupted { Err(Failure::said(interrupt::CODE)) } else { Ok(()) };
        let broken = broken.as_ref().map_or(Ok(()), |reason| Err(Failure::new(2, reason)));
        let failed = match failed.len() {
            0 => Ok(()),
            failed => Err(Failure::input_message(
                format!("{failed} of {of} runs failed"),
                "workers do not try them again without --retry",
            )),
        };
        let failed = failed.map_err(|failure| Failure { code: 1, ..failure });
        Failure::first_of([stopped, broken, printed, failed])
    }
}

/// The runs that a worker may do.
struct Queue<'a> {
    jobs: &'a [Job<'a>],
    claims: &'a Claims,
    interrupt: &'a Interrupt,
    out: &'a Path,
    state: Mutex<State>,
    /// One thread at a time looks for work.
    looking: Mutex<()>,
    ended: AtomicBool,
}

impl<'a> Queue<'a> {
    fn new(worker: &Worker<'a>, jobs: &'a [Job<'a>], claims: &'a Claims, interrupt: &'a Interrupt) -> Self {
        let mut open: VecDeque<_> = (0..jobs.len()).filter(|&at| !jobs[at].is_done()).collect();
        // Where each worker begins somewhere else, they rarely want the same run.
        let start = claims.who().bytes().fold(5381_usize, |hash, byte| hash.wrapping_mul(33) ^ usize::from(byte));
        let from = start.checked_rem(open.len()).unwrap_or(0);
        open.rotate_left(from);
        if worker.retry {
            open.iter().for_each(|&at| _ = forget_failure(worker.runs.out, &jobs[at].name()));
        }
        let state = Mutex::new(State { open, ..State::default() });
        Self { jobs, claims, interrupt, out: worker.runs.out, state, looking: Mutex::default(), ended: false.into() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A run for the caller to do; none: there is none left, or this worker is to end.
    fn next(&self) -> Option<(Claim, &'a Job<'a>)> {
        let _looking = self.looking.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let open = self.state().open.len();
            let mut all_live = true;
            for _ in 0..open {
                if self.interrupt.is_asked() || self.ended.load(Ordering::Relaxed) {
                    return None;
                }
                let at = self.state().open.pop_front()?;
                match self.try_one(at) {
                    Ok(Some(claim)) => return Some((claim, &self.jobs[at])),
                    Ok(None) => all_live &= self.state().with_others.get(&at).is_none_or(|holder| holder.lives),
                    Err(error) => {
                        self.state().open.push_back(at);
                        self.stop(format!("cannot claim runs in {}: {error}", self.out.display()));
                        return None;
                    }
                }
            }
            // Who lives does its runs; without a sign of it yet, one is waited for.
            if all_live {
                return None;
            }
            self.wait();
        }
    }

    /// Claims a run that is not done.
    fn try_one(&self, at: usize) -> io::Result<Option<Claim>> {
        let job = &self.jobs[at];
        if job.is_done() {
            self.state().with_others.remove(&at);
            return Ok(None);
        }
        match self.claims.take(&job.name())? {
            Taken::Mine(claim) => {
                self.state().with_others.remove(&at);
                // Who had it before may have ended since. A client of NFS looks at a folder anew when it is opened.
                drop(File::open(self.out.join("runs"))?);
                Ok((!job.is_done()).then_some(claim))
            }
            Taken::Failed(reason) => {
                let mut state = self.state();
                state.with_others.remove(&at);
                state.failed.push(format!("{}: {reason}", job.title));
                Ok(None)
            }
            Taken::Other { lives, who } => {
                let mut state = self.state();
                state.open.push_back(at);
                state.with_others.insert(at, Holder { who, lives });
                Ok(None)
            }
        }
    }

    /// What has become of a run that was done here.
    fn ended(&self, claim: &Claim, job: &Job<'_>, result: Result<(), RunFailure>) {
        let at = self.jobs.iter().position(|other| other.kept == job.kept);
        match result {
            Ok(()) => {
                info!("done: {}", job.title);
                self.state().done_here += 1;
            }
            Err(RunFailure::Unwritten(reason)) => {
                self.state().open.extend(at);
                self.stop(reason);
            }
            Err(_) if self.interrupt.is_asked() => self.state().open.extend(at),
            Err(reason) => {
                info!("failed: {}: {reason}", job.title);
                // What was killed may be done by another worker.
                if let RunFailure::Ended(_) = &reason {
                    let noted = format!("{reason} (on {})", host());
                    if let Err(error) = self.claims.fail(claim.run(), &noted) {
                        self.stop(format!("cannot note that {} failed: {error}", job.title));
                    }
                }
                self.state().failed.push(format!("{}: {reason}", job.title));
            }
        }
    }

    /// The worker ends when its present runs have.
    fn stop(&self, reason: String) {
        self.ended.store(true, Ordering::Relaxed);
        self.state().broken.get_or_insert(reason);
    }

    fn wait(&self) {
        const STEP: Duration = Duration::from_millis(50);
        let mut left = self.claims.between_counts().min(LONGEST_WAIT);
        while !left.is_zero() && !self.interrupt.is_asked() && !self.ended.load(Ordering::Relaxed) {
            thread::sleep(left.min(STEP));
            left = left.saturating_sub(STEP);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_all_of_the_runs() {
        for (runs, of) in [(0, 1), (1, 1), (9, 2), (9, 9), (9, 20), (100_000, 1000)] {
            let all: Vec<_> = Part::ranges(of, runs).flatten().collect();
            assert_eq!(all, (0..runs).collect::<Vec<_>>(), "{runs} in {of}");
            let most = Part::ranges(of, runs).map(|range| range.len()).max();
            assert_eq!(most, Some(runs.div_ceil(of)), "{runs} in {of}");
        }
    }

    #[test]
    fn a_part_that_is_none_is_refused() {
        for text in ["", "3", "0/3", "4/3", "1/0", "-1/3", "1/3/4", "a/b"] {
            assert!(text.parse::<Part>().is_err(), "{text}");
        }
        assert_eq!("3/8".parse(), Ok(Part { number: 3, of: 8 }));
    }
}
