//! Options of the compiler that have no place behind `--`: they say what it makes, or where, which is for `cc` to say.

use super::UsageError;

/// Options that have an argument of their own behind them, which is none of these then.
const WITH_ARGUMENT: &[&str] = &[
    "-D",
    "-I",
    "-L",
    "-T",
    "-U",
    "-Xassembler",
    "-Xlinker",
    "-Xpreprocessor",
    "-idirafter",
    "-imacros",
    "-include",
    "-iquote",
    "-isystem",
];

/// Options, and what is to be done in their place.
const REFUSED: &[(&[&str], &str)] = &[
    (&["-o", "--output"], "names the compiler's file: write -o before --, and it names the executable"),
    (&["-S", "--assemble"], "makes assembly alone: --print before -- prints it as it is marked"),
    (&["-c", "--compile", "-r"], "makes an object alone: cc compiles and links"),
    (&["-E", "--preprocess", "-fsyntax-only", "-###"], "makes nothing: cc compiles and links"),
    (
        &["-M", "-MM", "-MD", "-MMD", "-MF", "-MG", "-MP", "-MT", "-MQ", "--dependencies"],
        "writes a list of headers, for another compiler than cc is",
    ),
    (
        &[
            "-v",
            "--verbose",
            "--version",
            "--help",
            "--target-help",
            "-dumpversion",
            "-dumpmachine",
            "-dumpspecs",
        ],
        "says something of the compiler and makes nothing: call the compiler by itself",
    ),
];

/// Whether the compiler still makes what `cc` tells it to.
///
/// # Errors
/// The first option that says something else.
pub fn check(options: &[String]) -> Result<(), UsageError> {
    let mut rest = options.iter();
    while let Some(option) = rest.next() {
        if WITH_ARGUMENT.contains(&option.as_str()) {
            rest.next();
            continue;
        }
        let is = |known: &&str| option == known || (*known == "-o" && option.starts_with("-o"));
        let asks = ["-print-", "--print-", "--help="].iter().any(|begin| option.starts_with(begin));
        let known =
            |(options, _): &&(&[&str], &str)| options.iter().any(is) || asks && options.contains(&"--help");
        if let Some((_, why)) = REFUSED.iter().find(known) {
            return Err(UsageError(format!("{option} behind -- {why}")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn what_says_what_is_made_is_refused() {
        let given = |options: &str| check(&options.split(' ').map(str::to_owned).collect::<Vec<_>>());
        for refused in [
            "-o zz",
            "-ozz",
            "-O2 -S",
            "-c",
            "-E",
            "--version",
            "-v",
            "-MD",
            "-M",
            "-fsyntax-only",
            "-print-sysroot",
        ] {
            assert!(given(refused).is_err(), "{refused}");
        }
        for fine in [
            "-O3",
            "-Os -funroll-loops",
            "-I -o",
            "-include -c",
            "-march=rv32im",
            "-std=c11",
            "-Wl,-s",
            "-DX",
        ] {
            assert!(given(fine).is_ok(), "{fine}");
        }
    }
}
