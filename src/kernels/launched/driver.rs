//! The text of the host's program.

use std::fmt::Write;
use std::path::PathBuf;

use super::description::{Call, Description, Expression};
use super::{MOST_BYTES, MOST_LAUNCHES, MOST_ROUNDS};
use crate::translate::shown;
use crate::Language;

/// The name that the program's own code has in the preprocessed text.
pub(super) const DRIVER: &str = "simt_driver.cpp";

/// The files that stand before the program.
pub(super) fn sources(description: &Description) -> impl Iterator<Item = &PathBuf> {
    let in_c = |source: &&PathBuf| Language::of(source) != Some(Language::Assembly);
    description.sources.iter().filter(in_c).chain(&description.host)
}

/// The program: what the description says, behind the [`sources`].
pub(super) fn text(name: &str, description: &Description) -> String {
    let mut text = String::new();
    // A string takes no failure.
    let mut line = |of: std::fmt::Arguments| {
        let _ = writeln!(text, "{of}");
    };
    line(format_args!("#line 1 \"{DRIVER}\"\nint simt_main() {{"));
    line(format_args!(
        "simt::most_bytes = {MOST_BYTES}; simt::most_rounds = {MOST_ROUNDS}; simt::most_launches = {MOST_LAUNCHES};"
    ));
    let place = |what: &str| format!("#line 1 {}", quoted(&format!("{name}, {what}")));
    for array in &description.arrays {
        let (array_name, element) = (&array.name, &array.element);
        let element = if element == "pointer" { "void *" } else { element };
        line(format_args!("{}", place(&format!("type and length of array {array_name}"))));
        line(format_args!(
            "typedef {element} simt_type_{array_name}; const double simt_given_{array_name} = ({});",
            array.length
        ));
        line(format_args!(
            "auto *{array_name} = simt::array<simt_type_{array_name}>(\"{array_name}\", simt_given_{array_name});"
        ));
        line(format_args!("const long simt_length_{array_name} = (long)simt_given_{array_name};"));
        if let Some(value) = &array.value {
            line(format_args!("for (long i = 0; i < simt_length_{array_name}; i++) {array_name}[i] ="));
            line(format_args!(
                "{}\n(simt_type_{array_name})({value});",
                place(&format!("value of array {array_name}"))
            ));
        }
        if let Some(file) = &array.file {
            let file = quoted(&shown(file));
            line(format_args!("simt::read({array_name}, simt_length_{array_name}, {file});"));
        }
    }
    for call in &description.prepare {
        line(format_args!("{}", called(name, call)));
    }
    line(format_args!("simt::save_inputs();"));
    let rounds = description.rounds.as_ref().map_or("1".into(), ToString::to_string);
    line(format_args!("{}", place("rounds")));
    line(format_args!(
        "const long simt_rounds = simt::rounds({rounds});\nfor (long round = 0; round < simt_rounds; round++) {{"
    ));
    for (number, launch) in description.launches.iter().enumerate() {
        let of = format!("of launch {} ({})", number + 1, launch.kernel);
        let when = launch.when.as_ref().map_or("true".into(), ToString::to_string);
        line(format_args!("{}\nif ({when}) {{ simt::launch({number}, {{", place(&format!("when {of}"))));
        for (what, lengths) in [("grid", &launch.grid), ("block", &launch.block)] {
            let one = &Expression::Integer(1);
            let given = lengths.all();
            for axis in 0..3 {
                let length = given.get(axis).unwrap_or(one);
                line(format_args!("{}\n(double)({length}),", place(&format!("{what} {of}"))));
            }
        }
        let shared = launch.shared.as_ref().map_or("0".into(), ToString::to_string);
        line(format_args!("{}\n(double)({shared})}});", place(&format!("shared {of}"))));
        for (index, argument) in launch.args.iter().enumerate() {
            line(format_args!(
                "{}\nsimt::argument(({argument}));",
                place(&format!("argument {} {of}", index + 1))
            ));
        }
        line(format_args!("simt::launch_end(); }}"));
    }
    line(format_args!("}}"));
    for call in &description.reference {
        line(format_args!("{}", called(name, call)));
    }
    for (index, check) in description.checks.iter().enumerate() {
        let array = &check.array;
        match &check.file {
            Some(file) => {
                let file = quoted(&shown(file));
                line(format_args!(
                    "simt::save_read(\"check{index}\", {array}, simt_length_{array}, {file});"
                ));
            }
            None => line(format_args!(
                "simt::save(\"check{index}\", {array}, simt_length_{array} * sizeof *{array});"
            )),
        }
    }
    line(format_args!("simt::report();\nreturn 0; }}"));
    text
}

/// A call of a function of the host.
fn called(name: &str, Call { function, args }: &Call) -> String {
    let arguments = args.iter().enumerate().map(|(index, argument)| {
        let place = quoted(&format!("{name}, argument {} of {function}", index + 1));
        format!("\n#line 1 {place}\nsimt::given({argument})")
    });
    let place = quoted(&format!("{name}, call of {function}"));
    format!("#line 1 {place}\n{function}({});", arguments.collect::<Vec<_>>().join(","))
}

/// A string of C.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace(char::is_control, "?"))
}
