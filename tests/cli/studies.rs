//! Studies: run once, stopped and continued, changed, broken.

use super::Folder;
use std::{collections::BTreeMap, fs, time::SystemTime};

const STUDY: &str = r#"title = "Schedulers"
config = "small"
baseline = "round-robin"

[[design]]
name = "round-robin"

[[design]]
name = "gto"
overrides = ["core.scheduler=gto"]

[[design]]
name = "narrow"
overrides = ["network.channel_bytes=8"]

[[kernel]]
name = "vector_add"
size = 300
group = "streams"

[[kernel]]
name = "saxpy"
size = 200
group = "streams"

[[kernel]]
name = "reduction"
size = 100

[[claim]]
about = "half the channel is slower"
source = "none"
paper = "0.9"
design = "narrow"
group = "streams"
at_most = 1.0

[[claim]]
about = "and sends more flits"
design = "narrow"
metric = "sum injection_lane*.flits_sent / /core_cycles"
at_most = 0.1
"#;

/// The kept reports, and when each was written.
fn kept(folder: &Folder) -> BTreeMap<String, SystemTime> {
    let entries = fs::read_dir(folder.path("study-results/runs")).expect("the folder of runs");
    let of =
        |entry: fs::DirEntry| (entry.file_name().into_string(), entry.metadata().and_then(|about| about.modified()));
    entries
        .map(|entry| of(entry.expect("an entry")))
        .map(|(name, written)| (name.expect("UTF-8"), written.expect("a time")))
        .collect()
}

#[test]
fn a_study_is_run_once_and_goes_on_where_it_was() {
    let folder = Folder::new();
    folder.write("schedulers.toml", STUDY);
    let first = folder.run(&["study", "schedulers.toml"]);
    assert_eq!(first.code, 0, "{}", first.stderr);
    let runs = kept(&folder);
    assert_eq!(runs.len(), 9);
    for file in ["schedulers.txt", "schedulers.csv", "schedulers.json", "schedulers.svg"] {
        assert!(!folder.read(&format!("study-results/{file}")).is_empty(), "{file}");
    }

    // Nothing is run again, and the numbers are the same.
    let again = folder.run(&["study", "schedulers.toml"]);
    assert_eq!((again.stdout, kept(&folder)), (first.stdout.clone(), runs.clone()));

    // What is missing is run, and what is damaged; another kernel size is another run.
    let mut names = runs.keys();
    let (lost, damaged) = (names.next().expect("a run"), names.next().expect("a run"));
    fs::remove_file(folder.path(&format!("study-results/runs/{lost}"))).expect("removed");
    fs::write(folder.path(&format!("study-results/runs/{damaged}")), "{\"verdict\":").expect("written");
    let partly = folder.run(&["study", "schedulers.toml", "--no-run"]);
    assert!(partly.code == 0 && partly.stdout.contains("  -"), "{}", partly.stdout);
    let mended = folder.run(&["study", "schedulers.toml", "--jobs", "1"]);
    assert_eq!(mended.stdout, first.stdout);
    let now = kept(&folder);
    let anew: Vec<_> = now.keys().filter(|name| now[*name] != runs[*name]).collect();
    assert_eq!(anew, [lost, damaged]);
    folder.write("schedulers.toml", STUDY.replace("size = 100", "size = 90"));
    assert_eq!(folder.run(&["study", "schedulers.toml"]).code, 0);
    assert_eq!(kept(&folder).len(), 12);

    // Other parameters are other runs, too, and stand in the table.
    let params = |flops: &str| {
        STUDY.replace("\"reduction\"\nsize = 100", &format!("\"stream\"\nsize = 64\nparams = {{ flops = {flops} }}"))
    };
    for (flops, runs) in [("1", 15), ("2", 18)] {
        folder.write("schedulers.toml", params(flops));
        let outcome = folder.run(&["study", "schedulers.toml"]);
        assert!(
            outcome.code == 0 && outcome.stdout.contains(&format!("stream 64 flops={flops}")),
            "{}",
            outcome.stdout
        );
        assert_eq!(kept(&folder).len(), runs);
    }
    folder.write("schedulers.toml", STUDY);

    let json = super::json(&folder.run(&["study", "schedulers.toml", "--json"]));
    assert_eq!(json["designs"][0]["means"], serde_json::json!([1.0, 1.0]));
    assert_eq!(
        (&json["claims"][0]["verdict"], &json["claims"][1]["verdict"]),
        (&"holds".into(), &"does_not_hold".into())
    );
}

/// Added to a study: its network under synthetic traffic.
const TRAFFIC: &str = r#"
[[traffic]]
name = "reads"
rate = 0.1
reads = 1.0
warmup = 100
measure = 400
group = "open loop"

[[traffic]]
name = "mixed"
pattern = "uniform"
flits = "1:0.5,4:0.5"
rate = 0.05
one_way = true
warmup = 100
measure = 400
metric = "latency"
overrides = ["network.vcs=4"]

[[claim]]
about = "narrow channels carry less"
design = "narrow"
traffic = "reads"
at_least = 0.1
at_most = 1.0
"#;

#[test]
fn a_study_measures_networks_under_traffic() {
    let folder = Folder::new();
    folder.write("loads.toml", STUDY.to_string() + TRAFFIC);
    let json = super::json(&folder.run(&["study", "loads.toml", "--json"]));
    assert_eq!(json["metric"], "speed, accepted, latency");
    assert_eq!((&json["kernels"][3], &json["groups"]), (&"reads".into(), &serde_json::json!(["streams", "open loop"])));
    let design = |at: usize| &json["designs"][at];
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    // As the command itself says.
    let noc = ["noc", "small", "--rate", "0.1", "--reads", "1", "--warmup", "100", "--measure", "400", "--json"];
    let report = super::json(&folder.run(&noc));
    assert_eq!(design(0)["values"][3], report["points"][0]["accepted"]);
    // The scheduler is not in the network; half the channel is more flits, and a longer time.
    assert_eq!((number(&design(1)["ratios"][3]), number(&design(1)["means"][1])), (1.0, 1.0));
    assert!(number(&design(2)["ratios"][4]) >= 1.0, "{}", design(2));
    // The mean over all is that of kernels.
    let kernels: Vec<f64> = (0..3).map(|at| number(&design(2)["ratios"][at])).collect();
    let mean = kernels.iter().product::<f64>().powf(1.0 / 3.0);
    assert!((number(&design(2)["means"][2]) - mean).abs() < 1e-9, "{}", design(2));
    assert_eq!(json["claims"][2]["verdict"], "holds", "{}", json["claims"][2]);
}

/// Added to a study: a CUDA program, and what is for the whole study alone.
const PROGRAM: &str = r#"
[[program]]
name = "doubled twice"
source = "twice.cu"
arguments = ["300"]
group = "programs"

[[program]]
name = "doubled more"
source = "twice.cu"
arguments = ["500"]
quick = false

[[claim]]
about = "launches count together"
design = "gto"
kernel = "doubled twice"
metric = "sum /threads"
absolute = true
at_least = 768
at_most = 768

[[claim]]
about = "of the whole study"
design = "gto"
kernel = "doubled more"
at_least = 0.1
"#;

const TWICE: &str = r#"#include <cstdio>
#include <cstdlib>
__global__ void twice(int *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= 2;
}
int main(int, char **arguments) {
    int n = atoi(arguments[1]), *a, last = n, out;
    cudaMalloc(&a, n * sizeof(int));
    cudaMemset(a, 0, n * sizeof(int));
    cudaMemcpy(a + n - 1, &last, sizeof(int), cudaMemcpyHostToDevice);
    for (int turn = 0; turn < 2; turn++) twice<<<(n + 127) / 128, 128>>>(a, n);
    cudaMemcpy(&out, a + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
    int expected = 4 * n;
    printf("%d, not %d\n", out, expected);
    return out != expected;
}
"#;

#[test]
fn a_study_runs_cuda_programs() {
    let folder = Folder::new();
    folder.write("programs.toml", STUDY.to_string() + PROGRAM);
    folder.write("twice.cu", TWICE);
    let quick = folder.run(&["study", "programs.toml", "--json", "--quick"]);
    assert_eq!(quick.code, 0, "{}{}", quick.stdout, quick.stderr);
    let quick = super::json(&quick);
    assert_eq!(quick["kernels"], serde_json::json!(["vector_add 300", "saxpy 200", "reduction 100", "doubled twice"]));
    assert_eq!(quick["claims"].as_array().map(Vec::len), Some(3), "{}", quick["claims"]);
    assert_eq!((&quick["claims"][2]["measured"], kept(&folder).len()), (&serde_json::json!(768.0), 12));
    assert!(!folder.read("study-results/programs-quick.txt").is_empty());
    let without =
        STUDY.replace("[[design]]\nname = \"round-robin\"", "[[design]]\nname = \"round-robin\"\nquick = false");
    folder.write("without.toml", without);
    let refused = folder.run(&["study", "without.toml", "--quick"]);
    assert!(
        refused.code == 2 && refused.stderr.contains("leaves out the baseline `round-robin`"),
        "{}",
        refused.stderr
    );
    // Speed is that of both launches, as `exec` counts their cycles.
    assert_eq!(folder.run(&["cc", "twice.cu", "-o", "twice"]).code, 0);
    let exec = folder.run(&["exec", "--config", "small", "--report", "report.json", "--", "./twice", "300"]);
    assert_eq!(exec.code, 0, "{}", exec.stderr);
    let report: serde_json::Value = serde_json::from_str(&folder.read("report.json")).expect("JSON");
    let launches: Vec<_> =
        report["launches"].as_array().expect("a list").iter().map(|launch| &launch["report"]).collect();
    let cycles: f64 = launches.iter().map(|launch| launch["core_cycles"].as_f64().expect("a number")).sum();
    assert_eq!(quick["designs"][0]["values"][3], launches[0]["clocks"]["core"].as_f64().expect("a number") / cycles);
    // The whole study runs only what is new; so does another program.
    let whole = super::json(&folder.run(&["study", "programs.toml", "--json"]));
    assert_eq!((whole["claims"][3]["verdict"].as_str(), kept(&folder).len()), (Some("holds"), 15));
    folder.write("twice.cu", TWICE.replace("< 2", "< 2 * 1"));
    assert_eq!(folder.run(&["study", "programs.toml", "--quick"]).code, 0);
    assert_eq!(kept(&folder).len(), 18);
    // What only the device sees is another program, too.
    let device = TWICE
        .replace("    if (i < n)", "#ifdef __CUDA_ARCH__\n    n += 0;\n    __syncthreads();\n#endif\n    if (i < n)");
    folder.write("twice.cu", &device);
    assert_eq!(folder.run(&["study", "programs.toml", "--quick"]).code, 0);
    assert_eq!(kept(&folder).len(), 21);
    // A program whose own check fails has no result, and one that does not compile no run.
    folder.write("twice.cu", TWICE.replace("4 * n", "5 * n"));
    let wrong = folder.run(&["study", "programs.toml", "--quick"]);
    let reason = "doubled twice on gto: exit code 1: 1200, not 1500";
    assert!(wrong.code == 1 && wrong.stdout.contains(reason), "{}", wrong.stdout);
    folder.write("twice.cu", TWICE.replace("a[i]", "b[i]"));
    let broken = folder.run(&["study", "programs.toml", "--quick"]);
    let reason = "`doubled twice`: twice.cu does not compile";
    assert!(broken.code == 2 && broken.stderr.contains(reason), "{}", broken.stderr);
}

#[test]
fn a_run_that_fails_leaves_the_others() {
    let folder = Folder::new();
    folder.write("short.toml", STUDY.replace("baseline =", "max_cycles = 700\nbaseline ="));
    let outcome = folder.run(&["study", "short.toml"]);
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    let without = outcome.stdout.lines().filter(|line| line.contains("exit code 3")).count();
    assert!((1..9).contains(&without) && kept(&folder).len() + without == 9, "{}", outcome.stdout);
}

#[test]
fn mistakes_in_a_study_are_shown_at_their_place() {
    let folder = Folder::new();
    let mistakes = [
        ("an unknown key", STUDY.replace("title", "titel")),
        ("an unknown baseline", STUDY.replace("baseline = \"round-robin\"", "baseline = \"rr\"")),
        ("a design twice", STUDY.replace("name = \"narrow\"", "name = \"gto\"")),
        ("an unknown kernel", STUDY.replace("saxpy", "saxpi")),
        ("an unknown parameter", STUDY.replace("size = 100", "params = { loads = 4 }")),
        ("the earlier name of parameters", STUDY.replace("\"reduction\"", "\"stream\"\nknobs = { loads = 4 }")),
        ("a parameter out of range", STUDY.replace("\"reduction\"", "\"stream\"\nparams = { flops = 2, loads = 3 }")),
        ("a parameter that is no number", STUDY.replace("\"reduction\"", "\"stream\"\nparams = { flops = -2 }")),
        ("an unknown group", STUDY.replace("group = \"streams\"\nat_most", "group = \"stream\"\nat_most")),
        (
            "a metric that is none",
            STUDY.replace("metric = \"sum injection_lane*.flits_sent / /core_cycles\"", "metric = \"ipc\""),
        ),
        ("a claim without a bound", STUDY.replace("at_most = 0.1", "")),
        ("an override that is wrong", STUDY.replace("core.scheduler=gto", "core.scheduler=got")),
        ("traffic that is not sent", STUDY.to_string() + &TRAFFIC.replace("rate = 0.1", "rate = 0")),
        ("reads of packets of a size", STUDY.to_string() + &TRAFFIC.replace("one_way = true", "reads = 0.5")),
        ("an unknown pattern", STUDY.to_string() + &TRAFFIC.replace("\"uniform\"", "\"uniforms\"")),
        ("a group of both", STUDY.to_string() + &TRAFFIC.replace("open loop", "streams")),
        ("unknown traffic", STUDY.to_string() + &TRAFFIC.replace("traffic = \"reads\"", "traffic = \"read\"")),
        ("a program that is no CUDA", STUDY.to_string() + &PROGRAM.replace("twice.cu", "twice.cpp")),
        ("a program called as a kernel", STUDY.to_string() + &PROGRAM.replace("doubled more", "saxpy 200")),
        ("no designs", "title = \"x\"\ndesign = []\nkernel = []\n".into()),
    ];
    let mut text = String::new();
    for (what, study) in mistakes {
        folder.write("study.toml", study);
        text += &format!("-- {what}\n{}", folder.transcript(&["study", "study.toml"]));
    }
    text += &folder.transcript(&["study", "none.toml"]);
    insta::assert_snapshot!(text);
}

/// Every study that is shipped names configurations, parameters, designs and metrics that there are.
#[test]
fn shipped_studies_can_be_run() {
    let folder = Folder::new();
    let studies = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/studies")).expect("the folder of studies");
    let mut seen = 0;
    for study in studies.map(|entry| entry.expect("an entry").path()) {
        let outcome = folder.run(&["study", &study.display().to_string(), "--no-run"]);
        assert_eq!(outcome.code, 0, "{}: {}", study.display(), outcome.stderr);
        seen += 1;
    }
    assert!(seen >= 5, "{seen}");
}

/// A design may be the best of others, kernel by kernel, and a claim about what is measured itself.
#[test]
fn the_best_of_designs_is_chosen_for_each_kernel() {
    let folder = Folder::new();
    let more = r#"
[[design]]
name = "best"
best_of = ["gto", "narrow"]

[[claim]]
about = "the best of two is the wide one"
design = "best"
against = "gto"
group = "streams"
at_least = 1.0

[[claim]]
about = "flits a cycle"
design = "narrow"
absolute = true
metric = "sum injection_lane*.flits_sent / /core_cycles"
at_least = 0.1
"#;
    folder.write("best.toml", format!("{STUDY}{more}"));
    let outcome = folder.run(&["study", "best.toml", "--json"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let json: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    let claims = json["claims"].as_array().expect("claims");
    let measured = |of: usize| claims[of]["measured"].as_f64().expect("measured");
    assert!(measured(2) >= 1.0 && claims[2]["verdict"] == "holds", "{claims:?}");
    // Of one design alone: the ratio of two such figures is another number.
    assert!(measured(3) > 0.1 && (measured(3) - measured(1)).abs() > 1e-6, "{claims:?}");
    let values = |name: &str| {
        let design = json["designs"].as_array().expect("designs").iter().find(|design| design["name"] == name);
        design.expect("a design")["values"].as_array().expect("values").iter().map(|v| v.as_f64()).collect::<Vec<_>>()
    };
    let best: Vec<_> =
        values("gto").into_iter().zip(values("narrow")).map(|(a, b)| if a > b { a } else { b }).collect();
    assert_eq!(values("best"), best);

    folder.write("wrong.toml", format!("{STUDY}{}", more.replace("\"narrow\"]", "\"none\"]")));
    let outcome = folder.run(&["study", "wrong.toml"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("there is no design `none` that runs"), "{}", outcome.stderr);
}
