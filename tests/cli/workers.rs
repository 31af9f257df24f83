//! Workers that share the runs of a study.

use super::Folder;
use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Eight tiny runs.
const STUDY: &str = r#"title = "Schedulers"
config = "small"
baseline = "round-robin"

[[design]]
name = "round-robin"

[[design]]
name = "gto"
overrides = ["core.scheduler=gto"]

[[kernel]]
name = "vector_add"
size = 300

[[kernel]]
name = "saxpy"
size = 200

[[kernel]]
name = "reduction"
size = 100

[[kernel]]
name = "vector_add"
size = 100
"#;

const RUNS: usize = 8;

/// A command that is not waited for.
fn start(folder: &Folder, args: &[&str]) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("warpmesh"));
    command.env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/cli"));
    command.current_dir(folder.path("")).stdout(Stdio::piped()).stderr(Stdio::piped()).env("NO_COLOR", "1");
    command.args(args).spawn().expect("starts")
}

/// Runs that a worker says it has done itself.
fn done_here(printed: &str) -> usize {
    let line = printed.lines().find(|line| line.contains(" runs done here")).expect("it says what it did");
    line.split(' ').next().expect("a word").parse().expect("a number")
}

/// What is left of workers.
fn claims(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder.join("study-results/claims")).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect()
}

#[test]
fn two_workers_do_each_run_once() {
    let folder = Folder::new();
    folder.write("s.toml", STUDY);
    // The second study shares runs with the first one, by their content.
    folder.write("other.toml", STUDY.replace("Schedulers", "The same").replace("size = 100\n\n", "size = 90\n\n"));
    let workers = [0, 1].map(|_| start(&folder, &["study", "s.toml", "--worker", "--jobs", "1"]));
    let ended = workers.map(|worker| worker.wait_with_output().expect("ends"));
    for worker in &ended {
        assert!(worker.status.success(), "{}", String::from_utf8_lossy(&worker.stderr));
    }
    let done = ended.map(|worker| done_here(&String::from_utf8(worker.stdout).expect("UTF-8")));
    assert_eq!(done[0] + done[1], RUNS, "{done:?}");
    assert_eq!(claims(&folder.path("")), [""; 0]);

    // The table is that of a study that was run alone.
    let table = folder.run(&["study", "s.toml", "--no-run"]);
    let alone = folder.run(&["study", "s.toml", "--out", "alone"]);
    assert_eq!((alone.code, &alone.stdout), (0, &table.stdout), "{}", alone.stderr);

    let more = folder.run(&["study", "other.toml", "--worker"]);
    assert_eq!((more.code, done_here(&more.stdout)), (0, 2), "{}", more.stdout);
}

#[test]
fn the_run_of_a_worker_that_was_killed_is_taken_over() {
    let folder = Folder::new();
    folder.write("s.toml", STUDY.replace("size = 300", "size = 60000"));
    let mut killed = start(&folder, &["study", "s.toml", "--worker", "--jobs", "1", "--stale-after", "600"]);
    let begun = Instant::now();
    let is_claim = |name: &String| name.ends_with(".json.0");
    let claims_folder = folder.path("study-results/claims");
    while !claims_folder.is_dir() || !claims(&folder.path("")).iter().any(is_claim) {
        assert!(begun.elapsed() < Duration::from_secs(60), "it claims a run");
        thread::sleep(Duration::from_millis(5));
    }
    killed.kill().expect("killed");
    killed.wait().expect("ended");
    let before = fs::read_dir(folder.path("study-results/runs")).expect("a folder").count();
    assert!(claims(&folder.path("")).iter().any(is_claim), "killed while it had a claim");

    let next = folder.run(&["study", "s.toml", "--worker", "--stale-after", "1"]);
    assert_eq!((next.code, done_here(&next.stdout)), (0, RUNS - before), "{}{}", next.stdout, next.stderr);
    assert!(next.stderr.contains("taken over from process "), "{}", next.stderr);
    assert!(!claims(&folder.path("")).iter().any(is_claim), "{:?}", claims(&folder.path("")));
    let table = folder.run(&["study", "s.toml", "--no-run"]);
    assert!(table.code == 0 && !table.stdout.contains("  -"), "{}", table.stdout);
}

#[test]
fn parts_and_failures_are_left_to_whom_they_belong() {
    let folder = Folder::new();
    folder.write("s.toml", STUDY.replace("baseline =", "max_cycles = 700\nbaseline ="));
    let part = folder.run(&["study", "s.toml", "--worker", "--part", "1/2"]);
    assert!(part.stdout.contains(" of 4 runs done here"), "{}", part.stdout);
    let failed = |printed: &str| printed.lines().filter(|line| line.starts_with("failed: ")).count();
    let whole = folder.run(&["study", "s.toml", "--worker"]);
    assert_eq!(whole.code, 1, "{}", whole.stderr);
    assert!(whole.stdout.contains("exit code 3") && failed(&whole.stdout) >= failed(&part.stdout), "{}", whole.stdout);
    let has_result = fs::read_dir(folder.path("study-results/runs")).expect("a folder").count();
    assert_eq!(has_result + failed(&whole.stdout), RUNS);
    // Nobody tries them again, until somebody asks for it.
    let begun = claims(&folder.path(""));
    let again = folder.run(&["study", "s.toml", "--worker"]);
    assert_eq!((again.code, done_here(&again.stdout), claims(&folder.path(""))), (1, 0, begun));
    assert!(again.stderr.contains("--retry"), "{}", again.stderr);
    folder.write("s.toml", STUDY);
    let retried = folder.run(&["study", "s.toml", "--worker", "--retry"]);
    assert_eq!((retried.code, done_here(&retried.stdout)), (0, RUNS), "{}", retried.stdout);
}

#[test]
fn a_folder_that_cannot_be_shared_is_said() {
    let folder = Folder::new();
    folder.write("s.toml", STUDY);
    fs::create_dir_all(folder.path("study-results")).expect("made");
    folder.write("study-results/claims", "no folder");
    let refused = folder.run(&["study", "s.toml", "--worker"]);
    assert!(refused.code == 2 && refused.stderr.contains("cannot claim runs in study-results"), "{}", refused.stderr);
    for wrong in [&["--part", "3/2"][..], &["--part", "0/2"], &["--stale-after", "0"]] {
        let refused = folder.run(&[&["study", "s.toml", "--worker"], wrong].concat());
        assert_eq!(refused.code, 2, "{wrong:?}");
    }
    assert_eq!(folder.run(&["study", "s.toml", "--part", "1/2"]).code, 2);
}

/// As much of Slurm as is asked for: `sbatch` begins the tasks one after the other, all but what `lost` names in the first job.
const SBATCH: &str = r#"#!/bin/sh
here=$(dirname "$0")
id=$(($(cat "$here/last" 2>/dev/null || echo 100) + 1))
echo $id >"$here/last"
echo "$@" >>"$here/asked"
cat >"$here/$id.sh"
if [ -f "$here/refuse" ]; then echo "sbatch: error: invalid partition specified: none" >&2; exit 1; fi
for option; do case $option in --array=*) array=${option#--array=} ;; esac; done
touch "$here/$id.running"
(
  for range in $(echo $array | tr , ' '); do
    for task in $(seq ${range%-*} ${range#*-}); do
      if [ $id = 101 ] && [ $task = "$(cat "$here/lost")" ]; then continue; fi
      SLURM_ARRAY_TASK_ID=$task sh "$here/$id.sh"
    done
  done
  rm "$here/$id.running"
) >"$here/$id.log" 2>&1 </dev/null &
echo $id
"#;
const SQUEUE: &str = r#"#!/bin/sh
for option; do case $option in --jobs=*) id=${option#--jobs=} ;; esac; done
if [ -f "$(dirname "$0")/$id.running" ]; then echo RUNNING; exit 0; fi
echo "slurm_load_jobs error: Invalid job id specified" >&2
exit 1
"#;

/// The program with only these Slurm programs and a shell's.
fn with_slurm(folder: &Folder, args: &[&str]) -> super::CliOutcome {
    let path = std::env::join_paths([folder.path("slurm"), "/usr/bin".into(), "/bin".into()]).expect("a path");
    let output = super::command(&folder.path("")).env("PATH", path).args(args).output().expect("starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let code = output.status.code().expect("not killed");
    super::CliOutcome { code, stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn write_slurm(folder: &Folder) {
    use std::os::unix::fs::PermissionsExt;
    fs::create_dir(folder.path("slurm")).expect("made");
    for (name, script) in
        [("sbatch", SBATCH), ("squeue", SQUEUE), ("sacct", "#!/bin/sh\n"), ("scontrol", "#!/bin/sh\n")]
    {
        let path = folder.path("slurm").join(name);
        fs::write(&path, script).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
    }
    folder.write("slurm/lost", "2");
}

#[test]
fn a_study_runs_as_job_arrays_and_lost_tasks_run_again() {
    let folder = Folder::new();
    folder.write("it's.toml", STUDY);
    write_slurm(&folder);
    let slurm = ["study", "it's.toml", "--slurm", "--tasks", "3", "--partition", "short", "--sbatch=--time=9"];
    let outcome = with_slurm(&folder, &slurm);
    assert_eq!(outcome.code, 0, "{}{}{}", outcome.stdout, outcome.stderr, folder.read("slurm/101.log"));
    let asked = folder.read("slurm/asked");
    let asked: Vec<_> = asked.lines().collect();
    assert_eq!(asked.len(), 2, "{asked:?}");
    assert!(asked[0].contains("--array=1-3 ") && asked[0].contains("--partition=short --time=9"), "{asked:?}");
    assert!(asked[1].contains("--array=2 "), "{asked:?}");
    let alone = folder.run(&["study", "it's.toml", "--no-run"]);
    assert_eq!((&alone.stdout, alone.stdout.contains("  -")), (&outcome.stdout, false));
    // All is there: nothing is submitted.
    assert_eq!((with_slurm(&folder, &slurm).code, folder.read("slurm/asked").lines().count()), (0, 2));

    // A run that comes to a bad end is not submitted again by itself; a task that is lost each time has a reason.
    folder.write("short.toml", STUDY.replace("baseline =", "max_cycles = 700\nbaseline ="));
    folder.write("slurm/lost", "").write("slurm/asked", "");
    let short = with_slurm(&folder, &["study", "short.toml", "--slurm", "--jobs", "2"]);
    assert!(short.code == 1 && short.stdout.contains("exit code 3"), "{}{}", short.stdout, short.stderr);
    assert_eq!(folder.read("slurm/asked").lines().count(), 1);
    assert!(folder.read("slurm/asked").contains("--cpus-per-task=2"));
}

#[test]
fn slurm_that_is_not_there_or_refuses_is_said() {
    let folder = Folder::new();
    folder.write("s.toml", STUDY);
    let without =
        super::command(&folder.path("")).env("PATH", folder.path("")).args(["study", "s.toml", "--slurm"]).output();
    let without = without.expect("starts");
    let said = String::from_utf8(without.stderr).expect("UTF-8");
    assert!(without.status.code() == Some(2) && said.contains("sbatch of Slurm is not installed"), "{said}");
    assert!(said.contains("warpmesh study s.toml --out study-results --worker"), "{said}");
    write_slurm(&folder);
    folder.write("slurm/refuse", "");
    let refused = with_slurm(&folder, &["study", "s.toml", "--slurm", "--partition", "none"]);
    assert!(refused.code == 2 && refused.stderr.contains("invalid partition specified: none"), "{}", refused.stderr);
    // A node with another build of the program.
    let other = folder.run(&["study", "s.toml", "--worker", "--program", "00"]);
    assert!(other.code == 2 && other.stderr.contains("another build of warpmesh"), "{}", other.stderr);
}
