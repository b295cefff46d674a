//! Arguments: made from the tables of options of the library, and read back into requests.

use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command};
use papamu::request::{OptionInfo, Place, Request};
use papamu_base::file::find_same;

use crate::failure::Failure;

/// Options as users write them: the name of one, or several in a sentence such as `from or all`.
pub(crate) fn flag<R: Request>(names: &str) -> String {
    let is_name = |letter: char| letter.is_ascii_lowercase() || letter == '_';
    let words = names.split_inclusive(|letter| !is_name(letter));
    let word = |word: &str| {
        let name = word.trim_end_matches(|letter| !is_name(letter));
        let option = R::OPTIONS.iter().map(|option| &option.about).find(|of| of.name == name);
        let written = match option {
            Some(option) if option.place != Place::Flag => format!("<{}>", option.value),
            Some(_) => format!("--{}", name.replace('_', "-")),
            None if name == "output" => "--output".to_owned(),
            None => name.to_owned(),
        };
        written + &word[name.len()..]
    };
    words.map(word).collect()
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
            let aliases = option.alias.iter().map(|alias| alias.replace('_', "-"));
            let arg = aliases.fold(arg, Arg::visible_alias);
            return match (option.value, option.is_list) {
                ("", _) => arg.action(ArgAction::SetTrue),
                // A list is given in one word or in several.
                (_, true) => valued(arg.action(ArgAction::Append), option),
                _ => valued(arg, option),
            };
        }
        Place::Word => return arg.value_name(name).required(true),
        Place::OptionalWord => return valued(arg, option),
        Place::Words | Place::Each => true,
        Place::OptionalWords => false,
    };
    arg.value_name(name).required(is_required).num_args(1..)
}

/// An argument with a value. A flag without its value does not take the next flag for it, but
/// negative numbers are values.
fn valued(arg: Arg, option: &OptionInfo) -> Arg {
    let is_negated = matches!(option.value, "EXPRESSION" | "NAMES" | "VALUE");
    let arg = arg.value_name(option.value).allow_negative_numbers(true);
    arg.allow_hyphen_values(is_negated)
}

/// The request of the arguments.
pub(crate) fn read<R: Request>(matches: &ArgMatches) -> Result<R, Failure> {
    let mut request = R::default();
    let mut set =
        |name: &str, text: &str| request.set(name, text).map_err(|error| Failure::of::<R>(&error));
    for option in R::OPTIONS {
        let about = &option.about;
        if about.value.is_empty() {
            if matches.get_flag(about.name) {
                set(about.name, "true")?;
            }
            continue;
        }
        let Some(values) = matches.get_many::<String>(about.name) else { continue };
        let values: Vec<&str> = values.map(String::as_str).collect();
        match (about.place, about.is_list) {
            (Place::Words | Place::OptionalWords, _) => {
                set(about.name, values.join(" ").trim())?;
            }
            (Place::Flag, true) if about.value.contains(",...") => {
                for value in values.iter().flat_map(|values| values.split(',')) {
                    set(about.name, value)?;
                }
            }
            _ => {
                for value in values {
                    set(about.name, value)?;
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
            find_same(names).map_err(|error| Failure::of::<R>(&error.into()))?;
        }
    }
    Ok(())
}

fn is_file(option: &OptionInfo) -> bool {
    matches!(option.value, "FILE" | "NEW" | "DIR")
}
