//! Scripts for bash and zsh, and how each of them gets its candidates. Those of other shells are the library's.
//!
//! The script calls the program as it was typed: candidates are those of the version that will run.

use clap::Command;
use clap_complete::{engine::complete, env};
use std::{
    ffi::{OsStr, OsString},
    io::{self, Write},
    path::Path,
};

/// Place of the word to complete, among the words.
const INDEX: &str = "_CLAP_COMPLETE_INDEX";

/// Bash cuts words at `=` and `:` before it completes them: `network.vcs=4` is three words. They are joined again here, and of a
/// candidate only what replaces the last of them is printed.
pub struct Bash;

const BASH: &str = r#"_warpmesh() {
    local IFS=$'\n' words=("${COMP_WORDS[@]}")
    # Up to the cursor; but the words `=` and `:` are handed over as they are.
    [[ ${words[COMP_CWORD]} == [=:]* ]] || words[COMP_CWORD]=$2
    COMPREPLY=($(VARIABLE=bash INDEX=$COMP_CWORD "${1/#~\//$HOME/}" -- "${words[@]}" 2> /dev/null))
    # More comes behind a key or a folder.
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=/] ]]; then
        compopt -o nospace 2> /dev/null
    fi
}
if [[ ${BASH_VERSINFO[0]} -gt 4 || ${BASH_VERSINFO[0]} -eq 4 && ${BASH_VERSINFO[1]} -ge 4 ]]; then
    complete -o nosort -o bashdefault -F _warpmesh warpmesh
else
    complete -o bashdefault -F _warpmesh warpmesh
fi"#;

/// Words of zsh are whole; candidates go with their meanings.
pub struct Zsh;

const ZSH: &str = r#"#compdef warpmesh
_warpmesh() {
    local -a lines whole open
    local line
    lines=("${(@f)$(VARIABLE=zsh _CLAP_IFS=$'\n' INDEX=$((CURRENT - 1)) ${~words[1]} -- "${(@)words}" 2> /dev/null)}")
    # More comes behind a key or a folder.
    for line in $lines; do
        if [[ ${line%%:*} == *[=/] ]]; then open+=("$line"); else whole+=("$line"); fi
    done
    (( $#whole )) && _describe -V values whole
    (( $#open )) && _describe -V values open -S ''
}
if [[ ${funcstack[1]} == _warpmesh ]]; then
    _warpmesh "$@"
else
    compdef _warpmesh warpmesh
fi"#;

fn register(script: &str, variable: &str, buffer: &mut dyn Write) -> io::Result<()> {
    writeln!(buffer, "{}", script.replace("VARIABLE", variable).replace("INDEX=", &format!("{INDEX}=")))
}

impl env::EnvCompleter for Bash {
    fn name(&self) -> &'static str {
        "bash"
    }

    fn is(&self, name: &str) -> bool {
        name == self.name()
    }

    fn write_registration(&self, var: &str, _: &str, _: &str, _: &str, buf: &mut dyn Write) -> io::Result<()> {
        register(BASH, var, buf)
    }

    fn write_complete(
        &self,
        cmd: &mut Command,
        args: Vec<OsString>,
        current_dir: Option<&Path>,
        buf: &mut dyn Write,
    ) -> io::Result<()> {
        let index = std::env::var(INDEX).ok().and_then(|index| index.parse().ok()).unwrap_or(0);
        let Joined { words, index, before } = joined(&args, index);
        for candidate in complete(cmd, words, index, current_dir)? {
            let text = candidate.get_value().to_string_lossy();
            writeln!(buf, "{}", text.strip_prefix(&before).unwrap_or(&text))?;
        }
        Ok(())
    }
}

impl env::EnvCompleter for Zsh {
    fn name(&self) -> &'static str {
        "zsh"
    }

    fn is(&self, name: &str) -> bool {
        name == self.name()
    }

    fn write_registration(&self, var: &str, _: &str, _: &str, _: &str, buf: &mut dyn Write) -> io::Result<()> {
        register(ZSH, var, buf)
    }

    fn write_complete(
        &self,
        cmd: &mut Command,
        args: Vec<OsString>,
        current_dir: Option<&Path>,
        buf: &mut dyn Write,
    ) -> io::Result<()> {
        env::Zsh.write_complete(cmd, args, current_dir, buf)
    }
}

/// Words as they were typed.
#[derive(PartialEq, Eq, Debug)]
struct Joined {
    words: Vec<OsString>,
    /// The one to complete.
    index: usize,
    /// What precedes, in that word, what bash will replace.
    before: String,
}

/// Joins the parts of words that bash has cut: those around parts of `=` and `:` only. What follows the part `index` is left out.
fn joined(parts: &[OsString], index: usize) -> Joined {
    let cuts =
        |part: &OsStr| part.to_str().is_some_and(|text| !text.is_empty() && text.chars().all(|c| "=:".contains(c)));
    let mut words: Vec<OsString> = vec![];
    let (mut before, mut open) = (String::new(), false);
    for (at, part) in parts.iter().enumerate().take(index + 1) {
        let cut = cuts(part) && at > 1;
        match words.last_mut().filter(|_| cut || open) {
            Some(word) => {
                before = word.to_string_lossy().into_owned();
                word.push(part);
                if cut {
                    before = word.to_string_lossy().into_owned();
                }
            }
            None => {
                before.clear();
                words.push(part.clone());
            }
        }
        open = cut;
    }
    if words.len() <= index && parts.len() <= index {
        words.push(OsString::new());
        before.clear();
    }
    Joined { index: words.len() - 1, words, before }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(parts: &[&str]) -> (Vec<String>, String) {
        let parts: Vec<OsString> = parts.iter().map(OsString::from).collect();
        let Joined { words, index, before } = joined(&parts, parts.len() - 1);
        assert_eq!(index, words.len() - 1);
        (words.iter().map(|word| word.to_string_lossy().into_owned()).collect(), before)
    }

    #[test]
    fn words_that_bash_cuts_are_joined() {
        let words = |words: &[&str], before: &str| {
            (words.iter().map(ToString::to_string).collect::<Vec<_>>(), before.to_string())
        };
        assert_eq!(of(&["w", "run", "-P", "a.b"]), words(&["w", "run", "-P", "a.b"], ""));
        assert_eq!(of(&["w", "run", "-P", "a.b", "="]), words(&["w", "run", "-P", "a.b="], "a.b="));
        assert_eq!(of(&["w", "run", "-P", "a.b", "=", "x"]), words(&["w", "run", "-P", "a.b=x"], "a.b="));
        assert_eq!(of(&["w", "run", "-P", "a", "=", "x", ""]), words(&["w", "run", "-P", "a=x", ""], ""));
        assert_eq!(of(&["w", "run", "--kernel", "=", "b", "--size"]), words(&["w", "run", "--kernel=b", "--size"], ""));
        assert_eq!(
            of(&["w", "run", "--wave", "x.fst", ":", "co"]),
            words(&["w", "run", "--wave", "x.fst:co"], "x.fst:")
        );
        // Where bash was told not to cut, there is nothing to join.
        assert_eq!(of(&["w", "run", "-P", "a.b=x"]), words(&["w", "run", "-P", "a.b=x"], ""));
    }

    #[test]
    fn a_word_that_is_not_there_yet_is_empty() {
        let parts = ["w", "run"].map(OsString::from);
        let expected = Joined { words: vec!["w".into(), "run".into(), "".into()], index: 2, before: String::new() };
        assert_eq!(joined(&parts, 2), expected);
    }
}
