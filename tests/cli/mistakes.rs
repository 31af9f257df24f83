//! What a person reads after a mistake on the command line or in a configuration: always exit code 2.

use super::Folder;

/// Transcript of commands that all have to be refused as bad input, with nothing on standard output.
fn refused(folder: &Folder, commands: &[&[&str]]) -> String {
    for args in commands {
        let outcome = folder.run(args);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{args:?}: {}", outcome.stderr);
    }
    folder.transcripts(commands)
}

#[test]
fn arguments() {
    let text = refused(
        &Folder::new(),
        &[
            &["bogus"],
            &["run", "small", "--sise", "3"],
            &["run", "small", "--engine", "fast"],
            &["run", "small", "--validate=fast"],
            &["run", "small", "--passes", "fold,splitt"],
            &["run", "small", "--passes", "-everything"],
            &["run", "small", "--threads", "0"],
            &["run", "small", "--threads", "many"],
            &["run", "small", "--max-cycles", "0"],
            &["run", "small", "--seed", "x"],
            &["run", "--kernel", "bfs", "--launch", "b.toml"],
            &["run", "small", "--kernel", "matmull"],
            &["run", "small", "--kernel", "fft"],
            &["run", "small", "--size", "0"],
            &["run", "small", "--kernel", "vector_add", "--size", "2000000"],
            &["run", "small", "--kernel", "stream", "--kernel-param", "loads=3"],
            &["run", "small", "--kernel", "stream", "--kernel-param", "lods=4"],
            &["run", "small", "--kernel", "stream", "--kernel-param", "loads"],
            &["run", "small", "--kernel", "stream", "--knob", "loads=4"],
            &["run", "small", "--no-twins"],
            &["run", "small", "--kernel", "saxpy", "--kernel-param", "loads=4"],
            &["run", "small", "--wave", "x.txt"],
            &["run", "small", "--wave", "x.fst@9"],
            &["run", "small", "--wave", "x.fst@9..3"],
            &["run", "small", "--wave", "x.fst", "--wave-view", "x.fst"],
            &["run", "small", "--wave-view", "x.gtkw"],
            &["export", "small"],
            &["list", "nothing"],
            &["compare", "small", "--kernel", "bfs,bfs"],
            &["noc", "small", "--traffic", "uniform", "--reads", "0.5"],
            &["noc", "small", "--flits", "4", "--reads", "0.5"],
        ],
    );
    insta::assert_snapshot!(text);
}

#[test]
fn configurations() {
    let folder = Folder::new();
    folder.write("key.toml", "name = \"mine\"\n\n[network]\nvcss = 4\n");
    folder.write("value.toml", "base = \"small.toml\"\n[network]\ncolumns = 200\n");
    folder.write("enum.toml", "[network]\nrouting = \"zigzag\"\n");
    folder.write("syntax.toml", "[network\nvcs = 4\n");
    folder.write("type.toml", "[core]\nwarps = \"many\"\n");
    folder.write("base.toml", "base = \"nowhere.toml\"\n");
    folder.write("loop.toml", "base = \"loop.toml\"\n");
    std::fs::create_dir(folder.path("x")).expect("made");
    folder.write("roundabout.toml", "base = \"x/../roundabout.toml\"\n");
    folder.write("bytes.toml", [0xff, 0xfe, 0x00]);
    let text = refused(
        &folder,
        &[
            &["check", "nowhere.toml"],
            &["check", "key.toml"],
            &["check", "value.toml"],
            &["check", "enum.toml"],
            &["check", "syntax.toml"],
            &["check", "type.toml"],
            &["check", "base.toml"],
            &["check", "loop.toml"],
            &["check", "roundabout.toml"],
            &["check", "bytes.toml"],
            &["check", "."],
        ],
    );
    insta::assert_snapshot!(text);
}

#[test]
fn overrides() {
    let text = refused(
        &Folder::new(),
        &[
            &["check", "small", "-P", "network.vcss=3"],
            &["check", "small", "-P", "network.vcs=0"],
            &["check", "small", "-P", "network.vcs=-1"],
            &["check", "small", "-P", "network.vcs=many"],
            &["check", "small", "-P", "network.routing=zigzag"],
            &["check", "small", "-P", "network.placement=corner"],
            &["check", "small", "-P", "network=3"],
            &["check", "small", "-P", "network.vcs"],
            &["check", "small", "-P", "=3"],
            &["check", "small", "-P", ""],
            &["check", "small", "-P", "base=small.toml"],
            &["check", "small", "-P", "memory.controllers=3"],
            &["check", "small", "-P", "network.pipeline=5"],
            &["check", "small", "-P", "network.extra_latency=17"],
            &["check", "small", "-P", "network.input_speedup=3"],
            &["check", "small", "-P", "network.injection_speedup=3"],
            &["check", "small", "-P", "network.injection_speedup=32"],
            &["check", "small", "-P", "network.injection_speedup=2", "-P", "network.model=ideal"],
            &[
                "check",
                "small",
                "-P",
                "network.organisation=dedicated",
                "-P",
                "network.vcs=3",
                "-P",
                "network.input_speedup=2",
            ],
            &["check", "small", "-P", "network.vc_allocator.kind=wave"],
        ],
    );
    insta::assert_snapshot!(text);
}

/// Placements without room, and pairs of nodes that a routing cannot serve.
#[test]
fn networks_that_cannot_be() {
    let check = |values: &'static [&'static str]| {
        let values = values.iter().flat_map(|value| ["-P", value]);
        ["check", "default"].into_iter().chain(values).collect::<Vec<_>>()
    };
    let commands = [
        check(&["network.placement=scattered-1", "memory.controllers=9"]),
        check(&["network.placement=diamond", "memory.controllers=9"]),
        check(&["network.placement=scattered-2", "network.routers=checkerboard"]),
        check(&["network.placement=diamond", "network.routers=checkerboard", "network.routing=checkerboard"]),
        check(&["network.topology=torus", "network.vcs=2"]),
        check(&["network.topology=torus", "network.routing=romm"]),
        check(&["network.topology=torus", "network.routing=adaptive"]),
        check(&["network.routing=ugal"]),
        check(&["network.concentration=4", "network.columns=8", "network.rows=8", "network.routing=ugal"]),
        check(&["network.topology=ring", "network.routers=checkerboard"]),
        check(&["network.concentration=3"]),
        check(&["network.topology=torus", "network.columns=2"]),
        check(&["network.topology=star"]),
        check(&["network.topology=crossbar", "network.columns=8", "network.rows=8", "network.vcs=16"]),
        // The key that is at fault is named where classes have VCs of their own.
        check(&[
            "network.topology=crossbar",
            "network.columns=8",
            "network.rows=8",
            "network.request_vcs=4",
            "network.reply_vcs=16",
        ]),
    ];
    insta::assert_snapshot!(refused(&Folder::new(), &commands.iter().map(Vec::as_slice).collect::<Vec<_>>()));
}

#[test]
fn kernels_that_do_not_fit() {
    let run = |key: &'static str| ["run", "small", "--size", "32", "-P", key];
    let text = refused(
        &Folder::new(),
        &[
            &run("core.shared_bytes=1024"),
            &run("core.program_words=16"),
            &["run", "small", "-P", "core.warps=2", "-P", "core.blocks=2"],
        ],
    );
    insta::assert_snapshot!(text);
}

/// A line or a list of any length in the input makes a short message: the part around the mistake.
#[test]
fn long_inputs_give_short_messages() {
    let folder = Folder::new();
    let numbers = (100..5100).map(|i: u32| i.to_string()).collect::<Vec<_>>();
    let (line, lines) = (numbers.join(", "), numbers.join(",\n"));
    folder.write("line.toml", format!("[network]\nempty_nodes = [{line}]\n"));
    folder.write("lines.toml", format!("[network]\nempty_nodes = [{lines}]\n"));
    folder.write("value.toml", format!("[network]\nempty_nodes = [{line}, \"x\", {line}]\n"));
    folder.write("store.ptx", ".entry store(.param .u64 out) { ret; }");
    let launch = |args: &str| format!("ptx = \"store.ptx\"\ngrid = 1\nblock = 1\nargs = [{args}]\n");
    folder.write("many.toml", launch(&line)).write("rows.toml", launch(&lines));
    folder.write("odd.toml", launch(&format!("{line}, true, {line}")));
    let list = format!("network.empty_nodes=[{line}]");
    let mut text = String::new();
    for args in [
        &["check", "line.toml"][..],
        &["check", "lines.toml"],
        &["check", "value.toml"],
        &["check", "-P", &list],
        &["run", "--launch", "many.toml"],
        &["run", "--launch", "rows.toml"],
        &["run", "--launch", "odd.toml"],
    ] {
        let outcome = folder.run(args);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{}", outcome.stderr);
        let longest = outcome.stderr.lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(450) && outcome.stderr.len() < 3000, "{}", outcome.stderr);
        let shown: Vec<_> = args.iter().map(|arg| if arg.len() > 50 { &arg[..50] } else { arg }).collect();
        text += &format!("$ warpmesh {}\n{}\n", shown.join(" "), outcome.stderr);
    }
    insta::assert_snapshot!(text);
}

/// What a person wrote is not repeated when it is long; the place in the text itself is left out here.
#[test]
fn long_values() {
    let folder = Folder::new();
    let numbers = (1..3000).map(|i| i.to_string()).collect::<Vec<_>>().join(",");
    folder.write("list.toml", format!("[network]\nplacement = {{ list = [{numbers}] }}\n"));
    let (value, key) = (format!("network.empty_nodes=[{numbers}]"), format!("network.empty_nodesx=[{numbers}]"));
    let commands: [&[&str]; 8] = [
        &["check", "list.toml"],
        &["check", "-P", &value],
        &["check", "-P", &key],
        &["check", &numbers],
        &["run", "--kernel", &numbers],
        &["run", "--threads", &numbers],
        &["run", "--passes", &numbers],
        &["run", "--wave", &numbers],
    ];
    let mut text = String::new();
    for args in commands {
        let outcome = folder.run(args);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{args:?}: {}", outcome.stderr);
        let said = outcome.stderr.lines().filter(|line| !line.contains(['│', '·']));
        let said: Vec<_> = said.map(|line| format!("{line}\n")).collect();
        let longest = said.iter().map(|line| line.chars().count()).max();
        assert!(longest < Some(800), "{args:?}: {}", outcome.stderr);
        text += &said.concat();
    }
    insta::assert_snapshot!(text);
}

/// Files without end, and files that are larger than anything that is meant.
#[cfg(unix)]
#[test]
fn files_that_are_not_read() {
    let folder = Folder::new();
    let made = std::process::Command::new("mkfifo").arg(folder.path("pipe")).status().expect("starts");
    assert!(made.success());
    std::fs::File::create(folder.path("large")).expect("made").set_len(3 << 30).expect("sparse");
    let launch = |ptx: &str, file: &str| {
        format!(
            "ptx = \"{ptx}\"\ngrid = 1\nblock = 32\nargs = []\n[[buffer]]\nname = \"x\"\ninit = \"file\"\nfile = \"{file}\"\n"
        )
    };
    let example = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/own/polynomial.ptx");
    folder.write("polynomial.ptx", std::fs::read(example).expect("is there"));
    let mut text = String::new();
    for name in ["pipe", "large", "/dev/zero"] {
        folder.write("base.toml", format!("base = \"{name}\"\n"));
        folder.write("ptx.toml", launch(name, "x")).write("data.toml", launch("polynomial.ptx", name));
        let commands: [&[&str]; 5] = [
            &["check", name],
            &["check", "base.toml"],
            &["run", "small", "--launch", name],
            &["run", "small", "--launch", "ptx.toml"],
            &["run", "small", "--launch", "data.toml"],
        ];
        for args in commands {
            let mut command = super::command(folder.0.path());
            let output = command.args(args).timeout(std::time::Duration::from_secs(60)).output().expect("ends");
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
            text += &format!("$ warpmesh {}\n{}\n", args.join(" "), said.lines().next().unwrap_or_default());
        }
    }
    insta::assert_snapshot!(text);
}
