//! CUDA's dialect: what of a `.cu` file is compiled for the core. `sim/kernels/runtime/cuda/` has the headers.

mod brackets;
mod headers;
mod items;
mod kernels;
mod linkage;
mod names;
mod parse;
mod precision;
mod rewrite;
mod started;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};

use super::Inputs;
pub(super) use headers::{CUDA_HEADERS, STANDARD_HEADERS};
pub(super) use items::Items;
pub(super) use kernels::is_called;
use kernels::{find, Kernel};
pub(super) use linkage::separated;
use rewrite::{with_dynamic, with_unrolled};
use started::shared_with_initializer;
pub(super) use started::{started, symbols_of};

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

/// The arguments of a kernel that is made of a template: `<64>` of `reduce<64>`.
fn arguments_of(kernel: &str) -> &str {
    kernel.find('<').map_or("", |at| &kernel[at..])
}

/// What is compiled of a `.cu` file.
pub(super) struct Device {
    /// Its kernels with all that they need, and an entry for each.
    pub text: String,
    /// Variables that are as long as the launch says (`extern __shared__`).
    pub dynamic: BTreeSet<String>,
    /// What is left out, and why.
    pub warnings: Vec<String>,
}

impl Device {
    /// Of a preprocessed file those kernels that are asked for and are in it, or all that are no templates; and the addresses
    /// of those variables that are in it.
    ///
    /// # Errors
    /// A name that may mean several kernels, or what would not be as its author thinks.
    pub(super) fn of(text: &str, asked: &[String], variables: &[String]) -> Result<Self, String> {
        let mut items = Items::of(text);
        items.forget_declarations();
        items.run_on_device();
        items.forget_double();
        let (entries, warnings) = entries(&items.kernels(), asked)?;
        let mut addresses = BTreeMap::new();
        for variable in variables {
            if let Some(name) = items.variable(variable)? {
                addresses.insert(variable, name);
            }
        }
        // Of names with namespaces what they name, and whatever the arguments of templates are.
        let last = |name: &String| function_of(name).rsplit("::").next().unwrap_or_default().to_owned();
        let arguments = entries.values().flat_map(|kernel| Items::of(arguments_of(kernel)).all_words());
        // So that `using namespace cooperative_groups` stays.
        let always = ["cooperative_groups".into()];
        let roots =
            entries.values().chain(addresses.values()).map(last).chain(arguments).chain(always).collect();
        let needed = items.needed(&roots, |_| false);
        if let Some(variable) = shared_with_initializer(&needed) {
            return Err(format!(
                "the __shared__ variable {variable} has an initializer, and nothing would give each block its value: let a \
                 thread assign it, and __syncthreads() before others read it"
            ));
        }
        let (text, dynamic) = with_dynamic(&needed);
        let mut text = with_unrolled(&text);
        for (asked, kernel) in &entries {
            text += &format!("\n# 1 \"{asked}\"\nSIMT_CUDA_ENTRY({}, {kernel})\n", entry_of(asked));
        }
        for (variable, name) in addresses {
            let symbol = Inputs::address_of(variable);
            text += &format!("\n# 1 \"{variable}\"\nSIMT_CUDA_VARIABLE({symbol}, {name})\n");
        }
        Ok(Self { text, dynamic, warnings })
    }
}

/// The kernels that get entries, by what they are asked for as, and what is said of others.
fn entries(kernels: &[Kernel], asked: &[String]) -> Result<(BTreeMap<String, String>, Vec<String>), String> {
    const OVERLOADED: &str = "is overloaded, and overloaded kernels have no entry: rename one of them";
    let (mut entries, mut warnings) = (BTreeMap::new(), vec![]);
    for kernel in kernels.iter().filter(|_| asked.is_empty()) {
        match kernel {
            Kernel { is_overloaded: true, name, .. } => {
                warnings.push(format!("the kernel {name} {OVERLOADED}"))
            }
            Kernel { is_template: true, .. } => {}
            Kernel { name, .. } => {
                entries.insert(name.clone(), name.clone());
            }
        }
    }
    for asked in asked {
        let Some(kernel) = find(kernels, function_of(asked))? else { continue };
        let (name, arguments) = (&kernel.name, arguments_of(asked));
        if kernel.is_overloaded && arguments.is_empty() {
            return Err(format!("the kernel {name} {OVERLOADED}"));
        }
        entries.insert(asked.clone(), format!("{name}{arguments}"));
    }
    Ok((entries, warnings))
}

#[cfg(test)]
mod tests {
    use super::Device;

    const FILE: &str =
        "template <int N> __global__ void t(float *p) { extern __shared__ float s[]; p[0] = s[N]; }\n\
                        __global__ void k(int *p) { *p = 1; }\nint main() { k<<<1, 1>>>(0); }\n";

    fn of(text: &str, asked: &[&str]) -> Device {
        let asked: Vec<String> = asked.iter().map(|&kernel| kernel.into()).collect();
        Device::of(text, &asked, &[]).unwrap()
    }

    #[test]
    fn kernels_get_entries() {
        let all = of(FILE, &[]);
        assert!(all.text.contains("SIMT_CUDA_ENTRY(launch_k, k)\n"), "{}", all.text);
        assert!(!all.text.contains("main") && !all.text.contains("void t"), "{}", all.text);
        let one = of(FILE, &["t<3>", "elsewhere"]);
        assert!(one.text.contains("SIMT_CUDA_ENTRY(launch_0t_3c3_3e, t<3>)\n"), "{}", one.text);
        assert!(
            one.text.contains("SIMT_DYNAMIC_SHARED float s[]") && !one.text.contains("void k"),
            "{}",
            one.text
        );
        assert_eq!(one.dynamic.into_iter().collect::<Vec<_>>(), ["s"]);
        let turned = of("__shared__ extern int s[];\n__global__ void k() { s[0] = 1; }", &[]);
        assert!(turned.text.contains("SIMT_DYNAMIC_SHARED int s[]"), "{}", turned.text);
        let inside = of("extern unsigned int __shared__ s[];\n__global__ void k() { s[0] = 1; }", &[]);
        assert!(inside.text.contains("SIMT_DYNAMIC_SHARED unsigned int s[]"), "{}", inside.text);
        assert_eq!(inside.dynamic.into_iter().collect::<Vec<_>>(), ["s"]);
        let twice = of("__global__ void k() { static __shared__ int s[2]; s[0] = 1; }", &[]);
        assert!(twice.text.contains("{ __shared__ int s[2]") && twice.dynamic.is_empty(), "{}", twice.text);
    }

    /// What launches a kernel is of the host, whatever it is called.
    #[test]
    fn what_launches_a_kernel_is_left_out() {
        let file = "template <int N> __global__ void k(int *o) { o[0] = N; }\n\
                    extern \"C\" void k(int n, int *o) { k<3><<<1, n>>>(o); }";
        let all = of(file, &["k<3>"]);
        assert!(all.text.contains("o[0] = N") && !all.text.contains("<<<"), "{}", all.text);
        let plain = of("__global__ void k(int *o) { *o = 1; }\nvoid k() { k<<<1, 1>>>(0); }", &[]);
        assert!(plain.text.contains("SIMT_CUDA_ENTRY(launch_k, k)\n"), "{}", plain.text);
        assert!(plain.warnings.is_empty() && !plain.text.contains("<<<"), "{}", plain.text);
    }

    /// Each of these ended without an entry that can be told from others.
    #[test]
    fn names_are_distinct_and_have_their_namespaces() {
        let names = ["k<-1>", "k<+1>", "k<1>", "a::k", "a__k", "k<a, b>", "k<a,b>", "k_3c1_3e"];
        let symbols: std::collections::BTreeSet<String> =
            names.iter().map(|name| super::entry_of(name)).collect();
        assert_eq!(symbols.len(), names.len(), "{symbols:?}");

        let file = "namespace a { __constant__ int c; __global__ void k(int *p) { *p = c; } }\n\
                    void k(int a) {}\n__global__ void o(int *p) {}\n__global__ void o(float *p) {}";
        let all = of(file, &[]);
        assert!(all.text.contains("SIMT_CUDA_ENTRY(launch_0a__k, a::k)\n"), "{}", all.text);
        assert!(!all.text.contains("void o(") && all.warnings.len() == 1, "{:?}", all.warnings);
        let one = Device::of(file, &["k".into()], &["c".into(), "a::c".into()]).unwrap();
        for part in [
            "SIMT_CUDA_ENTRY(launch_k, a::k)",
            "SIMT_CUDA_VARIABLE(simt_address_c, a::c)",
            "SIMT_CUDA_VARIABLE(simt_address_0a__c, a::c)",
        ] {
            assert!(one.text.contains(part), "{part}: {}", one.text);
        }
        let refused = Device::of(file, &["o".into()], &[]).err().unwrap();
        assert!(refused.contains("the kernel o is overloaded"), "{refused}");
    }
}
