//! CUDA's dialect: what of a `.cu` file is compiled for the core. `sim/kernels/runtime/cuda/` has the headers.

mod items;
mod parse;
mod tokens;

use std::collections::BTreeSet;

use super::Inputs;
pub(super) use items::Items;

/// Headers of CUDA, and of C and C++, that a `.cu` file includes. What of them the core has is in one header of ours, which
/// stands before each file.
pub(super) const CUDA_HEADERS: &[&str] = &[
    "cuda.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "cuda_device_runtime_api.h",
    "cuda_profiler_api.h",
    "cooperative_groups.h",
    "cooperative_groups/memcpy_async.h",
    "cooperative_groups/reduce.h",
    "cooperative_groups/scan.h",
    "device_launch_parameters.h",
    "device_functions.h",
    "vector_types.h",
    "vector_functions.h",
    "texture_fetch_functions.h",
    "math_constants.h",
    "helper_cuda.h",
    "helper_functions.h",
    "helper_image.h",
    "helper_math.h",
    "helper_string.h",
    "helper_timer.h",
    "cublas_v2.h",
    "cufft.h",
    "cufftXt.h",
    "curand.h",
    "cusolverDn.h",
    "cusparse.h",
    "nvToolsExt.h",
    "nvtx3/nvToolsExt.h",
    "cutil.h",
    "cutil_inline.h",
];
/// Those that a C++ compiler of the host has by itself.
pub(super) const STANDARD_HEADERS: &[&str] = &[
    "assert.h",
    "ctype.h",
    "dirent.h",
    "errno.h",
    "fcntl.h",
    "getopt.h",
    "inttypes.h",
    "libgen.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "memory.h",
    "omp.h",
    "pthread.h",
    "sched.h",
    "signal.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "time.h",
    "unistd.h",
    "values.h",
    "wchar.h",
    "sys/mman.h",
    "sys/param.h",
    "sys/resource.h",
    "sys/socket.h",
    "sys/stat.h",
    "sys/time.h",
    "sys/timeb.h",
    "sys/times.h",
    "sys/types.h",
    "sys/un.h",
    "sys/utsname.h",
    "sys/wait.h",
    "algorithm",
    "array",
    "atomic",
    "bitset",
    "cassert",
    "cctype",
    "cerrno",
    "cfloat",
    "chrono",
    "cinttypes",
    "climits",
    "cmath",
    "complex",
    "condition_variable",
    "csignal",
    "cstdarg",
    "cstddef",
    "cstdint",
    "cstdio",
    "cstdlib",
    "cstring",
    "ctime",
    "deque",
    "exception",
    "execution",
    "filesystem",
    "fstream",
    "functional",
    "future",
    "initializer_list",
    "iomanip",
    "ios",
    "iosfwd",
    "iostream",
    "istream",
    "iterator",
    "limits",
    "list",
    "locale",
    "map",
    "memory",
    "mutex",
    "new",
    "numbers",
    "numeric",
    "optional",
    "ostream",
    "queue",
    "random",
    "ratio",
    "set",
    "sstream",
    "stack",
    "stdexcept",
    "streambuf",
    "string",
    "string_view",
    "system_error",
    "thread",
    "tuple",
    "type_traits",
    "typeinfo",
    "unordered_map",
    "unordered_set",
    "utility",
    "variant",
    "vector",
];

/// How the entry of a kernel is called in the executable; `reduce<64>` is a kernel too.
pub(super) fn entry_of(kernel: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    format!("launch_{}", kernel.chars().map(plain).collect::<String>())
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
        assert!(one.text.contains("SIMT_CUDA_ENTRY(launch_t_3_, t<3>)\n"), "{}", one.text);
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
}
