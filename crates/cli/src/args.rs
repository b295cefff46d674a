//! Arguments: made from the tables of options of the library, and read back into requests.

use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command};
use papamu::request::{OptionInfo, Place, Request};
use papamu_base::file::find_same;

use crate::failure::Failure;

/// An option as users write it.
pub(crate) fn flag(option: &str) -> String {
    let is_name = option.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    match option {
        "game" | "position" | "file" | "new" | "board" | "table" => option.to_owned(),
        _ if is_name => format!("--{}", option.replace('_', "-")),
        // A sentence, not a name.
        _ => option.to_owned(),
    }
}

/// The arguments of a verb.
pub(crate) fn command<R: Request>(examples: &str) -> Command {
    let details = match R::DETAILS {
        "" => R::SUMMARY.to_owned(),
        details => format!("{}\n\n{details}", R::SUMMARY),
    };
    let command =
        Command::new(R::VERB).about(R::SUMMARY).long_about(details).after_help(examples.to_owned());
    R::OPTIONS.iter().fold(command, |command, option| command.arg(argument(&option.about)))
}

fn argument(option: &OptionInfo) -> Arg {
    let default =
        option.default.map_or(String::new(), |default| format!(" [default: {}]", default()));
    let arg = Arg::new(option.name).help(format!("{}{default}", option.help));
    let name = option.value.to_owned();
    let is_required = match option.place {
        Place::Flag => {
            let arg = arg.long(option.name.replace('_', "-"));
            let arg = option.short.into_iter().fold(arg, Arg::short);
            return match (option.value, option.is_list) {
                ("", _) => arg.action(ArgAction::SetTrue),
                // A list is given in one word or in several.
                (_, true) => {
                    arg.action(ArgAction::Append).value_name(name).allow_hyphen_values(true)
                }
                _ => arg.value_name(name).allow_hyphen_values(true),
            };
        }
        Place::Word => return arg.value_name(name).required(true).allow_hyphen_values(false),
        Place::Words | Place::Each => true,
        Place::OptionalWords => false,
    };
    arg.value_name(name).required(is_required).num_args(1..)
}

/// The request that arguments make.
pub(crate) fn read<R: Request>(matches: &ArgMatches) -> Result<R, Failure> {
    let mut request = R::default();
    for option in R::OPTIONS {
        let about = &option.about;
        if about.value.is_empty() {
            if matches.get_flag(about.name) {
                request.set(about.name, "true")?;
            }
            continue;
        }
        let Some(values) = matches.get_many::<String>(about.name) else { continue };
        let values: Vec<&str> = values.map(String::as_str).collect();
        match (about.place, about.is_list) {
            (Place::Words | Place::OptionalWords, _) => {
                request.set(about.name, values.join(" ").trim())?;
            }
            (Place::Flag, true) if about.value.contains(",...") => {
                for value in values.iter().flat_map(|values| values.split(',')) {
                    request.set(about.name, value)?;
                }
            }
            _ => {
                for value in values {
                    request.set(about.name, value)?;
                }
            }
        }
    }
    Ok(request)
}

/// Refuses to write the answer over a file of the request.
pub(crate) fn check_files<R: Request>(
    matches: &ArgMatches,
    output: Option<&Path>,
) -> Result<(), Failure> {
    let Some(output) = output else { return Ok(()) };
    for option in R::OPTIONS.iter().filter(|option| is_file(&option.about)) {
        for path in matches.get_many::<String>(option.about.name).into_iter().flatten() {
            let names = [("output", Some(output)), (option.about.name, Some(Path::new(path)))];
            find_same(names)?;
        }
    }
    Ok(())
}

fn is_file(option: &OptionInfo) -> bool {
    matches!(option.value, "FILE" | "NEW" | "DIR")
}
