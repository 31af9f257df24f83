//! `--monitor`: what the page shows while a kernel runs, which requests are refused, and how the page ends the run.

use super::{
    Folder,
    explorer::self_test,
    http::{Answer, ask},
    json, without_timing,
};
use serde_json::Value;
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

const ENDLESS: &str =
    ".version 7.0\n.target sm_35\n.address_size 64\n.visible .entry endless()\n{\n$again:\n\tbra.uni $again;\n}\n";

/// A command with a page.
struct Watched {
    child: Child,
    said: BufReader<std::process::ChildStderr>,
    port: u16,
    token: String,
}

impl Watched {
    fn start(folder: &Folder, args: &[&str]) -> Self {
        let program = super::command(folder.0.path());
        let mut command = Command::new(program.get_program());
        for (name, value) in program.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.current_dir(folder.0.path()).args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("starts");
        let mut said = BufReader::new(child.stderr.take().expect("piped"));
        let mut line = String::new();
        said.read_line(&mut line).expect("readable");
        let address = line.trim_end().strip_prefix("monitor: http://127.0.0.1:").unwrap_or_else(|| panic!("{line}"));
        let (port, token) = address.split_once('/').expect("a token");
        let token = token.strip_suffix('/').expect("it ends").to_string();
        Self { child, said, port: port.parse().expect("a number"), token }
    }

    fn endless(folder: &Folder) -> Self {
        folder.write("endless.ptx", ENDLESS);
        folder.write("endless.toml", "ptx = \"endless.ptx\"\ngrid = 3\nblock = 64\nargs = []\n");
        Self::start(folder, &["run", "small", "--launch", "endless.toml", "--no-memory-checks", "--monitor"])
    }

    fn ask(&self, method: &str, path: &str) -> Answer {
        let host = format!("Host: 127.0.0.1:{}\r\n", self.port);
        ask(self.port, &format!("{method} /{}/{path}", self.token), &host)
    }

    /// The next state after this version.
    fn state(&self, seen: u64) -> Value {
        let answer = self.ask("GET", &format!("state?page=7&seen={seen}"));
        assert_eq!(answer.code, 200, "{}", answer.body);
        serde_json::from_str(&answer.body).unwrap_or_else(|error| panic!("{error}: {}", answer.body))
    }

    /// The first state that is so, and no earlier than this one.
    fn state_that(&self, mut state: Value, is: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        while !is(&state) {
            assert!(start.elapsed() < Duration::from_secs(120), "it does not come: {state}");
            state = self.state(number(&state["version"]));
        }
        state
    }

    fn end(mut self) -> Output {
        let mut stderr = vec![];
        self.said.read_to_end(&mut stderr).expect("readable");
        Output { stderr, ..self.child.wait_with_output().expect("ends") }
    }
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("no number: {value}"))
}

#[test]
fn a_run_is_watched_and_ended() {
    let folder = Folder::new();
    let watched = Watched::endless(&folder);
    let first = watched.state_that(watched.state(0), |state| state["phase"] == "running");
    let later = watched.state_that(first.clone(), |state| {
        let samples = state["launch"]["samples"].as_array().map_or(0, Vec::len);
        samples >= 4 && state["launch"]["waiting"] != Value::Array(vec![])
    });
    let launch = &later["launch"];
    assert!(number(&launch["cycle"]) > number(&first["launch"]["cycle"]), "{first} {later}");
    assert_eq!((&launch["kernel"], &launch["chip"]), (&"endless".into(), &"small".into()));
    assert_eq!((number(&launch["blocks"]), number(&launch["blocks_done"])), (3, 0));
    assert_eq!(number(&launch["blocks_given"]), 3);
    assert!(launch["cycles_a_second"].as_f64() > Some(0.0) && launch["silent"] == false, "{launch}");
    // Six warps are in the loop, whatever each of them waits for.
    let warps = launch["waiting"].as_array().expect("groups").iter().map(|group| number(&group["warps"]));
    assert_eq!(warps.sum::<u64>(), 6, "{launch}");
    assert!(launch["waiting"][0]["instruction"].as_str().is_some_and(|text| text.contains("BRA")), "{launch}");
    // Sums never fall, and slots are what they were used for.
    let samples = launch["samples"].as_array().expect("samples");
    for pair in samples.windows(2) {
        let names = pair[0].as_object().expect("sums").keys();
        names.for_each(|name| assert!(number(&pair[0][name]) <= number(&pair[1][name]), "{name}: {launch}"));
    }
    let added = |name: &str| number(&samples[samples.len() - 1][name]) - number(&samples[0][name]);
    let causes = ["instructions", "data_hazards", "structural_hazards", "barriers", "throttle", "fetch"];
    assert!(added("instructions") > 0 && causes.map(added).iter().sum::<u64>() <= added("slots"), "{launch}");
    assert_eq!((&later["report"], &later["verdict"]), (&Value::Null, &Value::Null));
    // A waveform from now on, and one of what is not there.
    assert_eq!(watched.ask("POST", "waveform?cycles=40&paths=core0.front_end").code, 200);
    let later = watched.state_that(later, |state| state["launch"]["waveforms"][0]["file"].is_string());
    let waveform = &later["launch"]["waveforms"][0];
    let (from, until) = (number(&waveform["from"]), number(&waveform["until"]));
    assert_eq!((waveform["problem"].is_null(), until - from), (true, 40), "{waveform}");
    let file = waveform["file"].as_str().expect("a name").to_string();
    assert_eq!(watched.ask("POST", "waveform?cycles=40&paths=cor0").code, 200);
    let later = watched.state_that(later, |state| state["launch"]["waveforms"][1]["problem"].is_string());
    let wrong = &later["launch"]["waveforms"][1]["problem"];
    assert!(wrong.as_str().is_some_and(|problem| problem.contains("cor0")), "{wrong}");
    let later = watched.state_that(later, |state| number(&state["launch"]["cycle"]) > until);
    // Somebody reads the page in pieces that never come: the run goes on all the same.
    let mut slow = TcpStream::connect(("127.0.0.1", watched.port)).expect("it listens");
    write!(
        slow,
        "POST /{}/x HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: 9999\r\n\r\n",
        watched.token, watched.port
    )
    .expect("sent");
    assert_eq!(watched.ask("POST", "interrupt").code, 200);
    let last = watched.state_that(later, |state| state["phase"] == "ended");
    assert_eq!(last["interrupt_asked"], true);
    assert_eq!(last["verdict"], "INTERRUPTED: all numbers are those up to there");
    let output = watched.end();
    let stdout = String::from_utf8(output.stdout).expect("text");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(130), ""));
    let reader = BufReader::new(std::fs::File::open(folder.path(&file)).expect("written"));
    let header = fst_reader::FstReader::open(reader).expect("an FST file").get_header();
    // Of 602 MHz, in ps.
    let begins = |cycle: u64| cycle * 1_000_000 / 602;
    assert!((begins(until - 1)..begins(until)).contains(&header.end_time) && header.var_count > 100, "{header:?}");
    assert_eq!(format!("{}\n", last["report"].as_str().expect("text")), stdout);
    assert!(stdout.starts_with("endless on small: INTERRUPTED"), "{stdout}");
    // The last figures are those of the report.
    let instructions =
        number(&last["launch"]["samples"].as_array().expect("some").last().expect("one")["instructions"]);
    let cycle = number(&last["launch"]["cycle"]);
    assert!(stdout.replace(',', "").contains(&format!(" {cycle}\n")), "{cycle} {stdout}");
    assert!(stdout.replace(',', "").contains(&format!(" {instructions} warp instructions")), "{instructions} {stdout}");
}

#[test]
fn nobody_else_is_told_anything() {
    let folder = Folder::new();
    let watched = Watched::endless(&folder);
    let Watched { port, token, .. } = &watched;
    let (port, ours) = (*port, format!("Host: 127.0.0.1:{port}\r\n"));
    let page = watched.ask("GET", "");
    assert_eq!(page.code, 200);
    assert!(page.body.contains("<title>warpmesh</title>") && page.body.ends_with("</html>\n"));
    assert!(page.head.contains("default-src 'none'; script-src 'nonce-"), "{}", page.head);
    assert!(page.head.contains("no-store") && page.head.contains("no-referrer"), "{}", page.head);
    assert!(!page.body.contains(token), "no page gives it away");
    let localhost = format!("Host: localhost:{port}\r\n");
    assert_eq!(ask(port, &format!("GET /{token}/state?page=1&seen=0"), &localhost).code, 200);
    let mut almost = token.clone();
    almost.replace_range(31.., if token.ends_with('0') { "1" } else { "0" });
    let state = format!("GET /{token}/state?page=1&seen=0");
    let refused = [
        ("GET /", ours.as_str()),
        ("GET //", &ours),
        ("GET /state?page=1&seen=0", &ours),
        (&format!("GET /{almost}/"), &ours),
        (&format!("GET /{}/", &token[..31]), &ours),
        (&format!("GET /{token}0/"), &ours),
        (&format!("POST /{almost}/interrupt"), &ours),
        // Another name that somebody lets lead here.
        (&state, "Host: example.com\r\n"),
        (&state, &format!("Host: example.com:{port}\r\n")),
        (&state, "Host: 127.0.0.1\r\n"),
        (&state, &format!("{ours}{localhost}")),
        (&state, ""),
    ];
    for (request, host) in refused {
        let answer = ask(port, request, host);
        assert_eq!((answer.code, answer.body.as_str()), (403, "the address is not complete\n"), "{request} {host}");
    }
    for (request, code) in
        [("interrupt", 405), ("waveform?cycles=5", 405), ("nothing", 404), ("state", 400), ("state?page=x&seen=0", 400)]
    {
        assert_eq!(watched.ask("GET", request).code, code, "{request}");
    }
    assert_eq!(watched.ask("POST", "state?page=1&seen=0").code, 405);
    assert_eq!(watched.ask("POST", "waveform?cycles=5&paths=/etc").code, 400);
    // No other interface, not even another address of this one.
    for other in ["127.0.0.2", "::1"] {
        assert!(TcpStream::connect((other, port)).is_err(), "{other}");
    }
    // None of that has ended it; and the port is taken.
    assert_eq!(watched.state(0)["interrupt_asked"], false);
    let taken = folder.run(&["run", "small", "--kernel", "vector_add", "--out", "r", &format!("--monitor={port}")]);
    assert_eq!((taken.code, taken.stdout.as_str()), (2, ""));
    let told = format!("the monitor cannot listen on port {port} of 127.0.0.1: ");
    assert!(taken.stderr.contains(&told) && taken.stderr.contains("a free port is taken"), "{}", taken.stderr);
    assert!(!folder.path("r").exists());
    assert_eq!(watched.ask("POST", "interrupt").code, 200);
    assert_eq!(watched.end().status.code(), Some(130));
}

#[test]
fn a_browser_follows_a_run_and_ends_it() {
    let folder = Folder::new();
    let watched = Watched::endless(&folder);
    let address = format!("http://127.0.0.1:{}/{}/", watched.port, watched.token);
    let Some(found) = self_test(&folder, &address, 9000) else {
        assert_eq!(watched.ask("POST", "interrupt").code, 200);
        assert_eq!(watched.end().status.code(), Some(130));
        return;
    };
    let output = watched.end();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(format!("{}\n", found["report"].as_str().expect("text")), String::from_utf8_lossy(&output.stdout));
    let seen: Vec<_> = found["seen"].as_array().expect("cycles").iter().map(number).collect();
    assert!(seen.len() >= 4 && seen.windows(2).all(|pair| pair[0] <= pair[1]) && seen[0] < seen[3], "{seen:?}");
    assert_eq!(
        (&found["disabled"], &found["state"]),
        (&true.into(), &"INTERRUPTED: all numbers are those up to there".into())
    );
    assert!(found["line"].as_str().is_some_and(|line| line.contains(" has ended. This page stays")), "{found}");
    let facts = found["facts"].as_array().expect("rows");
    let fact = |name: &str| facts.iter().find(|row| row[0] == name).unwrap_or_else(|| panic!("{name}: {found}"));
    assert_eq!(fact("blocks")[1], "0 of 3 done, 3 of 3 given to cores");
    assert!(found["warps"].as_array().is_some_and(|rows| rows.len() > 1), "{found}");
    // The page was told to ask for it.
    let waveforms = found["waveforms"].as_array().expect("a list");
    assert!(!waveforms.is_empty(), "{found}");
    let file = waveforms[0].as_str().and_then(|text| text.split(':').next()).expect("a file");
    assert!(folder.path(file).is_file(), "{found}");
    let charts = found["charts"].as_object().expect("charts");
    for name in ["ipc", "issue-slots", "active-warps", "flits", "dram-bus"] {
        let curves = charts[name].as_array().unwrap_or_else(|| panic!("{name}: {found}"));
        assert!(curves.iter().all(|curve| number(&curve[1]) >= 4), "{name}: {curves:?}");
    }
    assert_eq!(charts["issue-slots"].as_array().map(Vec::len), Some(7));
}

/// A run that is watched by nobody ends at once, and with the same numbers.
#[test]
fn a_monitor_changes_nothing() {
    let folder = Folder::new();
    let run = ["run", "small-l1", "--kernel", "reduction", "--size", "2000", "--json"];
    let alone = folder.run(&run);
    let watched = folder.run(&[&run[..], &["--monitor"]].concat());
    assert_eq!((watched.code, watched.stderr.lines().count()), (0, 1), "{}", watched.stderr);
    assert_eq!(without_timing(json(&watched)), without_timing(json(&alone)));
}

/// The launches of a run file, the second of which does not end.
#[test]
fn launches_are_watched_one_after_the_other() {
    let folder = Folder::new();
    folder.write("endless.ptx", ENDLESS);
    let step = "[[step]]\nlaunch = \"endless\"\ngrid = 2\nblock = 32\nargs = []\n";
    let kernel = "[[kernel]]\nname = \"endless\"\nptx = \"endless.ptx\"\nentry = \"endless\"\n";
    folder.write("several.toml", format!("{kernel}\n{step}"));
    let watched = Watched::start(&folder, &["run", "small", "--launch", "several.toml", "--monitor"]);
    let state = watched.state_that(watched.state(0), |state| state["phase"] == "running");
    assert_eq!((number(&state["launch"]["number"]), number(&state["launch"]["blocks"])), (1, 2));
    assert_eq!(watched.ask("POST", "interrupt").code, 200);
    let last = watched.state_that(state, |state| state["phase"] == "ended");
    let output = watched.end();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(format!("{}\n", last["report"].as_str().expect("text")), String::from_utf8_lossy(&output.stdout));
    assert_eq!(last["verdict"], "not completed");
}

/// What ends a run before its report is on the page, too.
#[test]
fn an_error_is_told() {
    let folder = Folder::new();
    folder.write("away.ptx", ".version 7.0\n.target sm_35\n.address_size 64\n.visible .entry away(.param .u64 a)\n{\n\t.reg .u64 %a;\n\t.reg .u32 %v;\n\tld.param.u64 %a, [a];\n\tld.global.u32 %v, [%a+4096];\n\tst.global.u32 [%a], %v;\n\tret;\n}\n");
    folder.write("away.toml", "ptx = \"away.ptx\"\ngrid = 1\nblock = 32\nargs = [\"x\"]\n\n[[buffer]]\nname = \"x\"\ntype = \"u32\"\ncount = 4\n");
    let watched = Watched::start(&folder, &["run", "small", "--launch", "away.toml", "--monitor"]);
    let last = watched.state_that(watched.state(0), |state| state["phase"] == "ended");
    assert_eq!(last["verdict"], "ended with an error");
    let output = watched.end();
    let said = String::from_utf8_lossy(&output.stderr);
    let first = last["report"].as_str().and_then(|text| text.lines().next()).expect("a message");
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(!first.is_empty() && said.contains(first), "{first}\n{said}");
}

/// Of two warps each waits at a barrier of its own for both: the page warns, and says what they wait for.
#[test]
fn a_hang_is_told() {
    let folder = Folder::new();
    folder.write("apart.ptx", ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry apart()\n{\n.reg .pred %p<2>;\n.reg .b32 %r<3>;\nmov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 32;\n@%p1 bar.sync 1, 64;\n@!%p1 bar.sync 2, 64;\nret;\n}\n");
    folder.write("apart.toml", "ptx = \"apart.ptx\"\ngrid = 1\nblock = 64\nargs = []\n");
    let run = ["run", "small", "-P", "core.barriers=4", "--launch", "apart.toml", "--no-memory-checks", "--monitor"];
    let watched = Watched::start(&folder, &run);
    let last = watched.state_that(watched.state(0), |state| state["phase"] == "ended");
    let launch = &last["launch"];
    assert_eq!((&last["verdict"], &launch["silent"]), (&"DEADLOCKED: nothing moves any more".into(), &true.into()));
    assert!(number(&launch["silent_cycles"]) >= 5_000, "{launch}");
    let reasons: Vec<_> = launch["waiting"].as_array().expect("groups").iter().map(|group| &group["reason"]).collect();
    assert!(reasons.contains(&&"waits at barrier 2 for 64 threads".into()), "{reasons:?}");
    let output = watched.end();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(format!("{}\n", last["report"].as_str().expect("text")), String::from_utf8_lossy(&output.stdout));
}

/// A network under load has no kernel, and what the terminal shows.
#[test]
fn a_network_is_watched_and_ended() {
    let folder = Folder::new();
    let load = ["noc", "small", "--rate", "0.05", "--measure", "100000000", "--monitor"];
    let watched = Watched::start(&folder, &load);
    let first = watched.state_that(watched.state(0), |state| state["phase"] == "running");
    let later = watched.state_that(watched.state(number(&first["version"])), |state| state["line"] != first["line"]);
    let [before, after] = [&first, &later].map(|state| state["share"].as_f64().expect("a share"));
    assert!(before < after && after < 1.0 && later["launch"].is_null(), "{first} {later}");
    assert!(later["line"].as_str().is_some_and(|line| line.contains(" a second")));
    assert_eq!(watched.ask("POST", "interrupt").code, 200);
    let last = watched.state_that(later, |state| state["phase"] == "ended");
    let output = watched.end();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(format!("{}\n", last["report"].as_str().expect("text")), String::from_utf8_lossy(&output.stdout));
    assert_eq!(last["verdict"], "INTERRUPTED: all numbers are those up to there");
}

/// Of several runs the page shows what the terminal does, and then the table.
#[test]
fn commands_of_several_runs_are_watched() {
    let folder = Folder::new();
    let runs = ["--kernel", "reduction", "--size", "64", "--monitor"];
    for command in [
        [&["sweep", "small", "--vary", "network.vcs=4,8", "--save-study", "s.toml"], &runs[..]].concat(),
        vec!["study", "s.toml", "--out", "second", "--monitor"],
        vec!["study", "s.toml", "--out", "third", "--worker", "--monitor"],
        [&["compare", "small", "small-l2"], &runs[..]].concat(),
    ] {
        let watched = Watched::start(&folder, &command);
        let last = watched.state_that(watched.state(0), |state| state["phase"] == "ended");
        let output = watched.end();
        assert_eq!(output.status.code(), Some(0), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(last["verdict"], "completed");
        if !command.contains(&"--worker") {
            assert_eq!(
                format!("{}\n", last["report"].as_str().expect("text")),
                String::from_utf8_lossy(&output.stdout)
            );
        }
    }
}
