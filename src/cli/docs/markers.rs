//! Sections between marker comments of a hand-written page.
//!
//! ```text
//! <!-- generated: opcodes -->
//!                                 an empty line, the section, an empty line
//! <!-- end of generated -->
//! ```
//!
//! Markers inside of fenced code are text.

const START: &str = "<!-- generated: ";
const END: &str = "<!-- end of generated -->";

/// What is wrong with the markers of a page.
#[derive(Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Counted from 1.
    pub line: usize,
    pub message: String,
    pub help: String,
}

/// The page with what `section` says in its sections; `section` gives the names that there are for one that it does not know.
pub fn filled(page: &str, section: impl Fn(&str) -> Result<String, Vec<&'static str>>) -> Result<String, Mistake> {
    let (mut text, mut open, mut fence) = (String::new(), None, false);
    for (at, line) in page.lines().enumerate() {
        let mistake = |message: String, help: String| Err(Mistake { line: at + 1, message, help });
        fence ^= open.is_none() && line.trim_start().starts_with("```");
        let name = line.strip_prefix(START).and_then(|rest| rest.strip_suffix(" -->")).filter(|_| !fence);
        match (open, name) {
            (None, Some(name)) => {
                let Ok(section) = section(name).map_err(|names| names.join(", ")) else {
                    let known = section(name).err().unwrap_or_default().join(", ");
                    return mistake(format!("there is no section `{name}`"), format!("there are: {known}"));
                };
                text += &format!("{line}\n\n{}\n\n{END}\n", section.trim());
                open = Some(at);
            }
            (None, None) if line == END && !fence => {
                return mistake("a section ends that has not begun".into(), format!("`{START}NAME -->` begins one"));
            }
            (None, None) => text += &format!("{line}\n"),
            (Some(first), Some(_)) => {
                return mistake(format!("the section of line {} has no end", first + 1), format!("`{END}` ends it"));
            }
            (Some(_), None) if line == END => open = None,
            (Some(_), None) => {}
        }
    }
    match open {
        Some(first) => Err(Mistake {
            line: first + 1,
            message: "this section has no end".into(),
            help: format!("`{END}` ends it"),
        }),
        None => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(page: &str) -> Result<String, Mistake> {
        filled(page, |name| if name == "one" { Ok("new\n".into()) } else { Err(vec!["one"]) })
    }

    #[test]
    fn sections_are_replaced_and_all_else_stays() {
        let page = "# T\n\n<!-- generated: one -->\nold\n```\n<!-- end of generated -->\n\nend\n";
        let filled = "# T\n\n<!-- generated: one -->\n\nnew\n\n<!-- end of generated -->\n\nend\n";
        assert_eq!(of(page).as_deref(), Ok(filled));
        assert_eq!(of(filled).as_deref(), Ok(filled));
        let fenced = "```\n<!-- generated: one -->\n```\n";
        assert_eq!(of(fenced).as_deref(), Ok(fenced));
    }

    #[test]
    fn mistakes_name_their_line() {
        let line = |page: &str| of(page).map_err(|mistake| (mistake.line, mistake.message));
        assert_eq!(line("a\n<!-- generated: two -->\n"), Err((2, "there is no section `two`".into())));
        assert_eq!(line("a\n<!-- generated: one -->\nb\n"), Err((2, "this section has no end".into())));
        let twice = "<!-- generated: one -->\n<!-- generated: one -->\n<!-- end of generated -->\n";
        assert_eq!(line(twice), Err((2, "the section of line 1 has no end".into())));
        assert_eq!(line("<!-- end of generated -->\n"), Err((1, "a section ends that has not begun".into())));
    }
}
