//! What a check lets pass: beside memory that holds whatever the case says, not what the kernel computes.

use super::folder;
use kernels::Launched;
use model::memory::HEAP_BASE;

const SOURCE: &str = "__global__ void k(void *) {}\n";
const DESCRIPTION: &str = "\
sources = [\"k.cu\"]
[[array]]
name = \"a\"
type = \"float\"
length = 4
[[launch]]
kernel = \"k\"
grid = 1
block = 4
args = [\"a\"]
[[check]]
array = \"a\"
file = \"a.txt\"
tolerance = 0.01
";

/// An infinity is near to itself alone, a NaN to each NaN.
#[test]
fn floating_point_numbers_are_near() {
    const GOOD: [f32; 4] = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 300.0];
    let folder = folder(&[("k.cu", SOURCE), ("k.toml", DESCRIPTION), ("a.txt", "inf -inf nan 300")]);
    let launched = Launched::from_path(&folder.path().join("k.toml"), &[]).unwrap();
    for (index, value, said) in [
        (3, 302.9, None),
        (2, -f32::NAN, None),
        (0, 5.0, Some("a[0] is 5.0, expected inf")),
        (0, f32::MAX, Some("a[0] is 3.4028235e38, expected inf")),
        (0, f32::NEG_INFINITY, Some("a[0] is -inf, expected inf")),
        (1, -3.0, Some("a[1] is -3.0, expected -inf")),
        (1, f32::NAN, Some("a[1] is NaN, expected -inf")),
        (2, 1.0, Some("a[2] is 1.0, expected NaN")),
        (2, f32::INFINITY, Some("a[2] is inf, expected NaN")),
        (3, 303.1, Some("a[3] is 303.1, expected 300.0 within 3.000e0")),
        (3, f32::INFINITY, Some("a[3] is inf, expected 300.0 within 3.000e0")),
        (3, f32::NAN, Some("a[3] is NaN, expected 300.0 within 3.000e0")),
    ] {
        let mut found = GOOD;
        found[index] = value;
        let checked = launched.check(&|address| found[(address - HEAP_BASE) as usize / 4].to_bits());
        let message = checked.err().map(|error| error.to_string());
        match said {
            None => assert_eq!(message, None, "{index} {value}"),
            Some(said) => assert!(message.as_deref().is_some_and(|m| m.ends_with(said)), "{message:?}"),
        }
    }
}

/// The description with another type, of as many elements as the file has.
fn of_type(of: &str, file: &str) -> Result<Launched, String> {
    let length = file.split(' ').count();
    let description = DESCRIPTION.replace("\"float\"", &format!("\"{of}\""));
    let description = description.replace("length = 4", &format!("length = {length}"));
    let folder = folder(&[("k.cu", SOURCE), ("k.toml", &description), ("a.txt", file)]);
    Launched::from_path(&folder.path().join("k.toml"), &[]).map_err(|error| error.to_string())
}

/// Of a vector each number is; all else has to be equal, and says so.
#[test]
fn a_tolerance_is_for_floats() {
    let description = DESCRIPTION.replace("\"float\"", "\"float4\"").replace("a.txt", "a.bin");
    let folder = folder(&[("k.cu", SOURCE), ("k.toml", &description.replace("length = 4", "length = 2"))]);
    let bytes: Vec<u8> = (1..9).flat_map(|i| (i as f32).to_le_bytes()).collect();
    std::fs::write(folder.path().join("a.bin"), bytes).unwrap();
    let launched = Launched::from_path(&folder.path().join("k.toml"), &[]).unwrap();
    let checked = |of_7: f32| {
        let word = |address: u32| match (address - HEAP_BASE) / 4 {
            6 => of_7.to_bits(),
            i => ((i + 1) as f32).to_bits(),
        };
        launched.check(&word).map_err(|error| error.to_string())
    };
    checked(7.06).unwrap();
    let said = checked(7.08).unwrap_err();
    assert!(said.ends_with("a[1].z is 7.08, expected 7.0 within 7.000e-2"), "{said}");

    let said = of_type("int", "1 2").err().unwrap();
    assert!(said.contains("check of a: a tolerance is for float and its vectors"), "{said}");
}

/// Words of a .txt file are numbers of the array's type, to the last.
#[test]
fn numbers_of_files_are_taken_whole() {
    for (of, file, parts) in [
        ("float", "1 2,5 3 4", "a.txt: word 2, 2,5, is no number; numbers stand between spaces"),
        ("float", "1 2 3 1e39", "word 4, 1e39, is no value of the array's type"),
        ("int", "1 1.7", "word 2, 1.7, is no value of the array's type"),
        ("int", "1e9 1e12", "word 2, 1e12, is no value"),
        ("int", "1 nan", "word 2, nan, is no value"),
        ("unsigned", "4294967295 -1", "word 2, -1, is no value"),
        ("long long", "-9223372036854775808 9223372036854775808", "word 2, 9223372036854775808, is no"),
        ("float2", "1 2", "a.txt has numbers, and the array other elements"),
    ] {
        let said = of_type(of, file).err().unwrap();
        assert!(said.contains(parts), "{of} {file}: {said}");
    }
    // What stands behind the last element is a number too.
    let folder = folder(&[("k.cu", SOURCE), ("k.toml", DESCRIPTION), ("a.txt", "1 2 3 4 five")]);
    let said = Launched::from_path(&folder.path().join("k.toml"), &[]).err().unwrap().to_string();
    assert!(said.contains("word 5, five, is no number"), "{said}");
}

/// What one check reads of its file is not what the next expects, which has none.
#[test]
fn a_file_is_for_its_check() {
    let reference = "void twos(float *a) { for (int i = 0; i < 4; i++) a[i] = 2; }\n";
    let calls = "[[check]]\narray = \"a\"\n[[reference]]\nfunction = \"twos\"\nargs = [\"a\"]\n";
    let folder = folder(&[
        ("k.cu", &format!("{SOURCE}{reference}")),
        ("k.toml", &format!("{DESCRIPTION}{calls}")),
        ("a.txt", "1 1 1 1"),
    ]);
    let launched = Launched::from_path(&folder.path().join("k.toml"), &[]).unwrap();
    let said = launched.check(&|_| 1_f32.to_bits()).unwrap_err().to_string();
    assert!(said.ends_with("a[0] is 1.0, expected 2.0 within 0.000e0"), "{said}");
}
