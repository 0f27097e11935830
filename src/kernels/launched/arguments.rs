//! The arguments of launches, as kernels read them.

use super::entry::{Element, Entry, Parameter};
use super::host::{Argument, LaunchAnswer};

/// Where a pointer of the host's program points in the core's memory.
pub(super) fn address(pointer: Option<(usize, u32)>, addresses: &[u32]) -> u32 {
    pointer.map_or(0, |(array, offset)| addresses[array] + offset)
}

/// The block of arguments of a launch; or the word that the kernel gets in its place.
pub(super) fn arguments(
    launch: &LaunchAnswer,
    entry: &Entry,
    addresses: &[u32],
) -> Result<(Vec<u8>, Option<u32>), String> {
    let given = &launch.arguments;
    let word = Parameter { kind: 'i', size: 4, align: 4, element: Element::ANY };
    let (parameters, as_word) = match &entry.parameters {
        Some(parameters) => (parameters.clone(), false),
        None => (vec![word; given.len()], true),
    };
    if as_word && given.len() > 1 {
        return Err(format!("a SIMT_KERNEL gets one word, and args has {}", given.len()));
    }
    if given.len() != parameters.len() {
        return Err(format!("the kernel has {} parameters, and args has {}", parameters.len(), given.len()));
    }
    let mut block = vec![];
    for (index, (argument, parameter)) in given.iter().zip(&parameters).enumerate() {
        block.resize(block.len().next_multiple_of(parameter.align as usize), 0);
        let bytes = bytes(argument, *parameter, as_word, addresses);
        block.extend(bytes.map_err(|problem| format!("argument {}: {problem}", index + 1))?);
    }
    let whole = as_word.then(|| block.first_chunk().map_or(0, |word| u32::from_le_bytes(*word)));
    Ok((block, whole))
}

/// A number that is given. One of 64 bits has more digits than a floating-point number keeps.
#[derive(Clone, Copy)]
enum Given {
    Whole(i128),
    Real(f64),
}

impl Given {
    /// Its value, if that is whole.
    fn whole(self) -> Option<i128> {
        match self {
            Self::Whole(value) => Some(value),
            Self::Real(value) => (value.fract() == 0.0).then_some(value as i128),
        }
    }
}

impl std::fmt::Display for Given {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(value) => value.fmt(f),
            Self::Real(value) => value.fmt(f),
        }
    }
}

fn bytes(
    argument: &Argument,
    parameter: Parameter,
    as_word: bool,
    addresses: &[u32],
) -> Result<Vec<u8>, String> {
    let Argument { whole, number, pointer, element, stranger, bytes } = argument;
    let size = parameter.size as usize;
    if *stranger {
        return Err("it points to nothing that the kernels have: name an array of the description".into());
    }
    let real = number.as_ref().map(|text| text.parse().unwrap_or(f64::NAN));
    let given = whole.map(Given::Whole).or(real.map(Given::Real));
    if let Some(element) = element.filter(|_| parameter.kind == 'p') {
        let other = "or cast the argument, as (float4 *)a";
        element.fits(parameter.element).map_err(|problem| format!("{problem}, {other}"))?;
    }
    match (given, bytes, parameter.kind) {
        (Some(Given::Whole(value)), _, 'f') => Ok((value as f32).to_le_bytes().into()),
        (Some(Given::Real(value)), _, 'f') => Ok((value as f32).to_le_bytes().into()),
        (Some(given), _, 'i') if size <= 8 => {
            let bits = 8 * parameter.size;
            let fits = |value: &i128| (-(1 << (bits - 1))..1 << bits).contains(value);
            let value = given.whole().filter(fits).ok_or_else(|| {
                format!("the parameter is a whole number of {size} bytes, and {given} is not")
            })?;
            Ok(value.to_le_bytes()[..size].into())
        }
        (Some(given), _, 'b') => Ok(vec![u8::from(given.whole() != Some(0))]),
        (Some(given), _, 'p') if given.whole() != Some(0) => {
            Err("the parameter is a pointer: name an array".into())
        }
        (_, None, 'p') => Ok(address(*pointer, addresses).to_le_bytes().into()),
        (None, None, _) if as_word => Ok(address(*pointer, addresses).to_le_bytes().into()),
        (_, Some(bytes), 's') if bytes.len() == size => Ok(bytes.clone()),
        (_, Some(bytes), 's') if bytes.len() > size => Err(format!(
            "the parameter is a value of a class that has {size} bytes on the core, and what is written has {}. On the host \
             pointers, long and double have 8 bytes: define a class like it in a file of the host, with int for pointers that \
             no kernel uses and float for double, and write one of that",
            bytes.len()
        )),
        (None, None, _) => Err("the parameter is no pointer, and an array is one".into()),
        _ => Err(format!("the parameter is a value of a class with {size} bytes: write one of its type")),
    }
}

#[cfg(test)]
mod tests {
    use super::{arguments, Argument, Element, Entry, LaunchAnswer, Parameter};

    const fn parameter(kind: char, size: u32) -> Parameter {
        Parameter { kind, size, align: size, element: Element::ANY }
    }

    fn block(parameters: &[Parameter], given: Vec<Argument>) -> Result<(Vec<u8>, Option<u32>), String> {
        let entry = Entry { address: 0, parameters: Some(parameters.to_vec()), shared: 0 };
        let launch = LaunchAnswer { number: 0, sizes: vec![], arguments: given };
        arguments(&launch, &entry, &[0x10000, 0x20000])
    }

    fn number(text: &str) -> Argument {
        Argument { number: Some(text.into()), ..Argument::default() }
    }

    fn whole(value: i128) -> Argument {
        Argument { whole: Some(value), ..Argument::default() }
    }

    fn pointer(array: usize, offset: u32) -> Argument {
        Argument { pointer: Some((array, offset)), ..Argument::default() }
    }

    #[test]
    fn arguments_stand_where_the_kernel_reads_them() {
        let parameters = [parameter('i', 1), parameter('p', 4), parameter('f', 4), parameter('i', 8)];
        let given = vec![number("-1"), pointer(1, 8), number("0.5"), number("4294967296")];
        let (block, whole) = block(&parameters, given).unwrap();
        assert_eq!(block, [0xff, 0, 0, 0, 8, 0, 2, 0, 0, 0, 0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0][..]);
        assert_eq!(whole, None);
    }

    #[test]
    fn whole_numbers_keep_all_digits() {
        let parameters = [parameter('i', 8); 3];
        let most = u64::MAX.into();
        let given = vec![whole(0x1234_5678_9abc_def1), whole(most), whole(i64::MIN.into())];
        let (found, _) = block(&parameters, given).unwrap();
        let words = [0x1234_5678_9abc_def1, u64::MAX, 1 << 63].map(u64::to_le_bytes);
        assert_eq!(found, words.concat());
        // Rounded once, and with its sign.
        for (given, expected) in
            [(whole(0x0100_0001_0000_0001), 0x5b80_0001), (number("-0"), 0x8000_0000_u32)]
        {
            let (found, _) = block(&[parameter('f', 4)], vec![given]).unwrap();
            assert_eq!(found, expected.to_le_bytes());
        }
    }

    #[test]
    fn what_is_not_0_is_true() {
        let parameters = [parameter('b', 1); 5];
        let given = vec![whole(0), whole(200), number("0"), number("0.5"), whole(-1)];
        assert_eq!(block(&parameters, given).unwrap().0, [0, 1, 0, 1, 1]);
    }

    /// An array of double, of long or of pointers would be read as other numbers.
    #[test]
    fn elements_of_another_size_or_kind_are_refused() {
        let element = |kind, bytes| Element { kind, bytes };
        let given = |host, core| {
            let argument = Argument { element: Some(host), ..pointer(0, 0) };
            block(&[Parameter { element: core, ..parameter('p', 4) }], vec![argument])
                .err()
                .unwrap_or_default()
        };
        for (host, core) in [
            (element('f', 4), element('f', 4)),
            (element('i', 1), element('b', 1)),
            (element('p', 4), element('s', 4)),
            (Element::ANY, element('f', 4)),
            (element('f', 8), Element::ANY),
        ] {
            assert_eq!(given(host, core), "", "{host:?} {core:?}");
        }
        for (host, core, said) in [
            (element('f', 8), element('f', 4), "elements have 8 bytes, and 4 on the core"),
            (
                element('f', 4),
                element('i', 4),
                "elements are floating-point numbers on the host, and whole numbers",
            ),
            (
                element('b', 4),
                element('f', 4),
                "elements are whole numbers on the host, and floating-point numbers",
            ),
        ] {
            let found = given(host, core);
            assert!(
                found.contains(said) && found.ends_with("or cast the argument, as (float4 *)a"),
                "{found}"
            );
        }
    }

    #[test]
    fn arguments_of_another_kind_are_refused() {
        let wrong = |kind, size, argument, text: &str| {
            let said = block(&[parameter(kind, size)], vec![argument]).unwrap_err();
            assert!(said.starts_with("argument 1: ") && said.contains(text), "{said}");
        };
        wrong('p', 4, number("8"), "is a pointer: name an array");
        wrong('i', 4, number("0.5"), "a whole number of 4 bytes, and 0.5 is not");
        wrong('i', 1, number("256"), "a whole number of 1 bytes");
        wrong('i', 4, number("nan"), "NaN is not");
        wrong('i', 8, whole(1 << 64), "18446744073709551616 is not");
        wrong('i', 8, number("-1e300"), "a whole number of 8 bytes");
        wrong('p', 4, whole(8), "is a pointer: name an array");
        wrong('f', 4, pointer(0, 0), "is no pointer");
        wrong('b', 1, pointer(0, 0), "is no pointer");
        wrong('s', 8, number("1"), "a class with 8 bytes");
        wrong('s', 8, Argument { bytes: Some(vec![0; 4]), ..Argument::default() }, "a class with 8 bytes");
        wrong('p', 4, Argument { stranger: true, ..Argument::default() }, "points to nothing");
        let said = block(&[], vec![number("1")]).unwrap_err();
        assert_eq!(said, "the kernel has 0 parameters, and args has 1");
    }
}
