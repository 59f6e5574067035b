//! `demat man`.

use crate::arguments::{Arguments, ManArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{help, output};
use clap::CommandFactory;
use clap_mangen::Man;
use std::io::{self, Write as _};

pub(crate) fn run(arguments: &ManArguments) -> Result<Exit, Failure> {
    let mut all = Arguments::command().help_template(help::TEMPLATE);
    all.build();
    let command = match &arguments.command {
        None => all,
        Some(name) => {
            let names: Vec<_> = all.get_subcommands().map(|own| own.get_name().to_string()).collect();
            let found = all.get_subcommands().find(|own| own.get_name() == name).cloned();
            found.ok_or_else(|| {
                let meant = demat_formats::nearest(name, names.iter().map(|own| &**own));
                let meant = meant.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                Failure::usage(format!("no command is called `{name}`; there are {}{meant}", names.join(", ")))
            })?
        }
    };
    let name = arguments.command.as_ref().map_or_else(|| "demat".to_string(), |name| format!("demat-{name}"));
    let examples = command.get_before_help().map(ToString::to_string).unwrap_or_default();
    let after = command.get_after_long_help().or_else(|| command.get_after_help()).map(ToString::to_string);
    let page = page(
        &Man::new(command.display_name(name).version(env!("CARGO_PKG_VERSION"))),
        &examples,
        &after.unwrap_or_default(),
    )?;
    output::data(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Ok)
}

/// Returns the page: what clap knows, and the texts around it in the help.
fn page(man: &Man, examples: &str, after: &str) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    let examples = examples.strip_prefix("Examples:\n").unwrap_or(examples);
    if !examples.is_empty() {
        write!(page, ".SH EXAMPLES\n{}", verbatim(examples))?;
    }
    man.render_options_section(&mut page)?;
    man.render_subcommands_section(&mut page)?;
    if !after.is_empty() {
        write!(page, ".SH NOTES\n{}", verbatim(after))?;
    }
    man.render_version_section(&mut page)?;
    Ok(page)
}

/// Returns lines that man shows as they are.
fn verbatim(text: &str) -> String {
    let mut lines = String::from(".nf\n");
    for line in text.lines() {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        if line.starts_with(['.', '\'']) {
            lines.push_str("\\&");
        }
        lines.push_str(&line);
        lines.push('\n');
    }
    lines + ".fi\n"
}

#[cfg(test)]
mod tests {
    use super::verbatim;

    #[test]
    fn lines_stay_as_they_are() {
        assert_eq!(verbatim("a -b\n.c \\d\n'e"), ".nf\na \\-b\n\\&.c \\ed\n\\&'e\n.fi\n");
    }
}
