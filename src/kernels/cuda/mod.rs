//! CUDA's dialect: what of a `.cu` file is compiled for the core. `sim/kernels/runtime/cuda/` has the headers.

mod brackets;
mod headers;
mod items;
mod names;
mod parse;
mod tokens;

use std::collections::BTreeSet;

use super::Inputs;
pub(super) use headers::{CUDA_HEADERS, STANDARD_HEADERS};
pub(super) use items::Items;

/// How the entry of a kernel is called in the executable; `reduce<64>` is a kernel too.
pub(super) fn entry_of(kernel: &str) -> String {
    format!("launch_{}", symbol(kernel))
}

/// What may stand in a symbol for the name of a kernel or a variable, another for each name: a name alone is itself, and the
/// signs of any other become their numbers.
pub(super) fn symbol(name: &str) -> String {
    if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return name.into();
    }
    let escaped = |c: char| match c {
        c if c.is_ascii_alphanumeric() => c.to_string(),
        c => format!("_{:02x}", u32::from(c)),
    };
    // No name begins with a digit.
    let parts = name.split("::").map(|part| part.chars().map(escaped).collect::<String>());
    format!("0{}", parts.collect::<Vec<_>>().join("__"))
}

/// The function that a kernel is made of: `reduce` of `reduce<64>`.
pub(super) fn function_of(kernel: &str) -> &str {
    kernel.split('<').next().unwrap_or(kernel).trim()
}

/// What is compiled of a `.cu` file.
pub(super) struct Device {
    /// Its kernels with all that they need, and an entry for each.
    pub text: String,
    /// Variables that are as long as the launch says (`extern __shared__`).
    pub dynamic: BTreeSet<String>,
}

impl Device {
    /// Of a preprocessed file those kernels that are asked for and are in it, or all that are no templates; and the addresses
    /// of those variables that are in it.
    pub(super) fn of(text: &str, asked: &[String], variables: &[String]) -> Self {
        let items = Items::of(text);
        let (here, templates) = (items.functions_with("__global__"), items.functions_with("template"));
        let all: Vec<String> = match asked {
            [] => here.iter().filter(|name| !templates.contains(name)).map(|&name| name.into()).collect(),
            asked => asked.iter().filter(|kernel| here.contains(&function_of(kernel))).cloned().collect(),
        };
        let variables: Vec<&String> =
            variables.iter().filter(|variable| items.has_variable(variable)).collect();
        let words = all.iter().flat_map(|kernel| Items::of(kernel).all_words());
        // So that `using namespace cooperative_groups` stays.
        let always = ["cooperative_groups".into()];
        let roots = words.chain(variables.iter().copied().cloned()).chain(always).collect();
        let (mut text, dynamic) = with_dynamic(&items.needed(&roots, |_| false));
        let distinct: BTreeSet<&String> = all.iter().collect();
        for kernel in distinct {
            text += &format!("\n# 1 \"{kernel}\"\nSIMT_CUDA_ENTRY({}, {kernel})\n", entry_of(kernel));
        }
        for variable in variables {
            let symbol = Inputs::address_of(variable);
            text += &format!("\n# 1 \"{variable}\"\nSIMT_CUDA_VARIABLE({symbol}, {variable})\n");
        }
        Self { text, dynamic }
    }
}

/// The text with another word for `extern __shared__`, which C++ has no place for, and the variables that it is said of; and
/// without `static` beside `__shared__`, which says it already.
fn with_dynamic(text: &str) -> (String, BTreeSet<String>) {
    let all = tokens::tokens(text);
    let (mut result, mut names, mut copied) = (String::new(), BTreeSet::new(), 0);
    for (index, pair) in all.windows(2).enumerate() {
        let (word, is_dynamic) = match [pair[0].text, pair[1].text] {
            ["extern", "__shared__"] | ["__shared__", "extern"] => ("SIMT_DYNAMIC_SHARED", true),
            ["static", "__shared__"] | ["__shared__", "static"] => ("__shared__", false),
            _ => continue,
        };
        result += &text[copied..pair[0].begin];
        result += word;
        copied = pair[1].end();
        if is_dynamic {
            let declarator = all[index..].iter().take_while(|token| !token.is(b'[') && !token.is(b';'));
            names.extend(declarator.last().map(|token| token.text.to_owned()));
        }
    }
    (result + &text[copied..], names)
}

#[cfg(test)]
mod tests {
    use super::Device;

    const FILE: &str =
        "template <int N> __global__ void t(float *p) { extern __shared__ float s[]; p[0] = s[N]; }\n\
                        __global__ void k(int *p) { *p = 1; }\nint main() { k<<<1, 1>>>(0); }\n";

    #[test]
    fn kernels_get_entries() {
        let all = Device::of(FILE, &[], &[]);
        assert!(all.text.contains("SIMT_CUDA_ENTRY(launch_k, k)\n"), "{}", all.text);
        assert!(!all.text.contains("main") && !all.text.contains("void t"), "{}", all.text);
        let one = Device::of(FILE, &["t<3>".into(), "elsewhere".into()], &[]);
        assert!(one.text.contains("SIMT_CUDA_ENTRY(launch_0t_3c3_3e, t<3>)\n"), "{}", one.text);
        assert!(
            one.text.contains("SIMT_DYNAMIC_SHARED float s[]") && !one.text.contains("void k"),
            "{}",
            one.text
        );
        assert_eq!(one.dynamic.into_iter().collect::<Vec<_>>(), ["s"]);
        let turned = Device::of("__shared__ extern int s[];\n__global__ void k() { s[0] = 1; }", &[], &[]);
        assert!(turned.text.contains("SIMT_DYNAMIC_SHARED int s[]"), "{}", turned.text);
        let twice = Device::of("__global__ void k() { static __shared__ int s[2]; s[0] = 1; }", &[], &[]);
        assert!(twice.text.contains("{ __shared__ int s[2]") && twice.dynamic.is_empty(), "{}", twice.text);
    }

    #[test]
    fn names_are_distinct() {
        let names = ["k<-1>", "k<+1>", "k<1>", "a::k", "a__k", "k<a, b>", "k<a,b>", "k_3c1_3e"];
        let symbols: std::collections::BTreeSet<String> =
            names.iter().map(|name| super::entry_of(name)).collect();
        assert_eq!(symbols.len(), names.len(), "{symbols:?}");
    }
}
