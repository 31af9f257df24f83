//! The end of the help.

/// Exit codes, and examples of commands.
pub const EXIT_CODES: &str = "\
Exit codes:
  0  done; a kernel that ran gave the right result
  1  the kernel ended with a wrong result or left its memory, or a check of the chip found a mistake
  2  bad input: arguments, configuration, launch file, PTX, or a file that cannot be read or written
  3  the kernel did not end: cycle limit, time limit or deadlock; a network deadlocked
  4  the simulation stopped: assertion, DRAM timing violation, or two engines disagree
  5  memory ran out
  130  interrupted (Ctrl-C); run, noc and compare report what they have found so far

Examples:
  warpmesh                                      the default kernel on the default chip
  warpmesh run small --kernel reduction --json  one JSON object
  warpmesh run -P network.vcs=8 --kernel bfs    the default chip, changed
  warpmesh export small --out rtl               Verilog
  warpmesh noc --traffic hotspot --plot x.svg   latency against load
  warpmesh area dcie-2p                         mm^2 of network and chip
  warpmesh timing dcie-2p                       longest paths against its clocks
  warpmesh compare baseline-tb-dor dcie-2p      speedup, area, IPC/mm^2
  warpmesh ptx program.ptx                      which kernels of a file compile, and what they need
  warpmesh cc prog.cu -o prog                   a CUDA program for the chip, which ./prog runs
  warpmesh exec --config small -- ./prog 1024   runs it on another chip
  warpmesh toolkit cuda && make CUDA_PATH=$PWD/cuda  builds a suite with its own makefile
  warpmesh study studies/kim-laws.toml          designs and claims of a file
  warpmesh sweep --vary network.vcs=2,4,8       a table of cycles, IPC, mm^2 and W
  warpmesh report DIR -o page.html              looks into a run of `run --record DIR`
  warpmesh docs --check                         are the generated pages of docs/ up to date?";
