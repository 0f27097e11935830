//! The kernels and variables of a file by their names, which may be in namespaces.

use std::collections::BTreeSet;

use super::items::Items;
use super::parse::{Item, NeededBy};

/// A kernel of a file.
#[derive(Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Its name with the namespaces around it, as `a::b::k`.
    pub name: String,
    /// Whether a template has that name.
    pub is_template: bool,
    /// Whether several functions have it, of which only the parameters say which one is meant.
    pub is_overloaded: bool,
}

impl Items<'_> {
    /// The `__global__` functions, in their order.
    pub fn kernels(&self) -> Vec<Kernel> {
        let mut found: Vec<Kernel> = vec![];
        let kernels = self.items.iter().filter(|item| item.is_function && self.is_kernel(item));
        for name in kernels.map(Item::path) {
            if found.iter().any(|kernel| kernel.name == name) {
                continue;
            }
            // What launches kernels is of the host alone.
            let stays = |item: &&Item| item.is_function && item.needed_by != NeededBy::Never;
            let same = || self.items.iter().filter(stays).filter(|item| item.path() == name);
            found.push(Kernel {
                is_template: same().any(|item| item.is_template),
                is_overloaded: same().filter(|item| !item.is_specialization).count() > 1,
                name,
            });
        }
        found
    }

    /// Leaves out declarations of kernels that are defined here: code of the host alone needs them, and one that was left
    /// behind when the parameters changed would be an overload. A definition outside its namespace, `void a::k()`, needs its own.
    pub fn forget_declarations(&mut self) {
        let place = |item: &Item| (item.scope.clone(), item.name.clone());
        let defined: BTreeSet<_> =
            self.items.iter().filter(|item| item.is_function && self.is_kernel(item)).map(place).collect();
        let declares = |item: &Item| {
            !item.is_function && !item.is_template && defined.contains(&place(item)) && self.is_kernel(item)
        };
        let declarations: Vec<bool> = self.items.iter().map(declares).collect();
        for (item, _) in self.items.iter_mut().zip(declarations).filter(|(_, declares)| *declares) {
            item.defines.clear();
        }
    }

    /// The name with its namespaces of what may be that variable, if there is any.
    ///
    /// # Errors
    /// There are several, and the name says too little.
    pub fn variable(&self, asked: &str) -> Result<Option<String>, String> {
        let (before, last) = asked.rsplit_once("::").unwrap_or(("", asked));
        let is_it = |item: &&Item| !item.is_function && item.defines.contains(last);
        let found = self.items.iter().filter(is_it).map(|item| match item.scope.is_empty() {
            true => last.to_owned(),
            false => format!("{}::{last}", item.scope),
        });
        let found: BTreeSet<String> = found.collect();
        if let Some(name) = named(found.iter().map(String::as_str), asked)? {
            return Ok(Some(name.into()));
        }
        // The static member of a class, which is defined with the class's name.
        let class = before.rsplit("::").next().unwrap_or(before);
        let member = |item: &&Item| is_it(item) && item.defines.contains(class);
        Ok(self.items.iter().find(member).map(|_| asked.into()))
    }
}

/// The kernel that is meant by a name, if there is any.
///
/// # Errors
/// There are several, and the name says too little.
pub fn find<'k>(kernels: &'k [Kernel], asked: &str) -> Result<Option<&'k Kernel>, String> {
    let name = named(kernels.iter().map(|kernel| kernel.name.as_str()), asked)?;
    Ok(name.and_then(|name| kernels.iter().find(|kernel| kernel.name == name)))
}

/// Whether a name may mean one with namespaces, of which it may lack those outside.
pub fn is_called(name: &str, asked: &str) -> bool {
    let asked = asked.trim_start_matches("::");
    let outside = name.strip_suffix(asked);
    outside.is_some_and(|outside| outside.is_empty() || outside.ends_with("::"))
}

/// The one of some names that is meant: that alone, or the only one that has namespaces besides.
fn named<'n>(names: impl Iterator<Item = &'n str>, asked: &str) -> Result<Option<&'n str>, String> {
    let found: Vec<&str> = names.filter(|name| is_called(name, asked)).collect();
    match found[..] {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        _ => match found.iter().find(|name| **name == asked.trim_start_matches("::")) {
            Some(exact) => Ok(Some(exact)),
            None => Err(format!("{asked} may be one of {}: write it with its namespace", found.join(", "))),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
namespace a { namespace b { __global__ void k(int *p) {} __constant__ int c[8]; } __constant__ int d; }
inline namespace v1 { extern \"C\" { __global__ void one(int *p) {} } }
namespace { __global__ void hidden() {} }
namespace a::d { __global__ void k() {} template <int N> __global__ void t() {} }
__global__ void over(int *p) {} __global__ void over(float *p) {}
template <class T> __global__ void special(T *p) {}
template <> __global__ void special<int>(int *p) {}
template <class T> __global__ void special(T *p, int n); __constant__ int d;
struct S { static int at; }; int S::at;
";

    #[test]
    fn kernels_have_the_names_of_their_namespaces() {
        let items = Items::of(FILE);
        let kernels = items.kernels();
        let names: Vec<&str> = kernels.iter().map(|kernel| kernel.name.as_str()).collect();
        assert_eq!(names, ["a::b::k", "v1::one", "hidden", "a::d::k", "a::d::t", "over", "special"]);
        let with = |is: fn(&Kernel) -> bool| {
            kernels.iter().filter(|kernel| is(kernel)).map(|kernel| &kernel.name[..]).collect::<Vec<_>>()
        };
        assert_eq!(with(|kernel| kernel.is_overloaded), ["over"]);
        assert_eq!(with(|kernel| kernel.is_template), ["a::d::t", "special"]);
    }

    #[test]
    fn declarations_of_kernels_are_left_out() {
        let mut items = Items::of(
            "__global__ void k(int n); __global__ void elsewhere(int n); void k(char c);\n\
             __global__ void k(int *p, int n) {} template <int N = 3> __global__ void t(); template <int N> __global__ void t() {}\n\
             namespace a { __global__ void o(int n); } __global__ void a::o(int n) {}",
        );
        items.forget_declarations();
        let text = items.needed(&["k", "elsewhere", "t", "o"].map(String::from).into(), |_| false);
        assert!(!text.contains("k(int n)"), "{text}");
        for kept in ["k(int *p, int n)", "elsewhere(int n)", "k(char c)", "int N = 3", "void o(int n);"] {
            assert!(text.contains(kept), "{kept}: {text}");
        }
    }

    #[test]
    fn namespaces_may_be_left_out_where_nothing_else_is_meant() {
        let items = Items::of(FILE);
        let kernels = items.kernels();
        let found = |asked| find(&kernels, asked).map(|kernel| kernel.map(|kernel| kernel.name.as_str()));
        for (asked, name) in [
            ("one", "v1::one"),
            ("b::k", "a::b::k"),
            ("::a::d::k", "a::d::k"),
            ("t", "a::d::t"),
            ("over", "over"),
        ] {
            assert_eq!(found(asked), Ok(Some(name)));
        }
        assert_eq!(found("ne"), Ok(None));
        let both = found("k").unwrap_err();
        assert!(both.contains("k may be one of a::b::k, a::d::k: "), "{both}");
        for (asked, name) in [
            ("c", Some("a::b::c")),
            ("d", Some("d")),
            ("a::d", Some("a::d")),
            ("S::at", Some("S::at")),
            ("x", None),
        ] {
            assert_eq!(items.variable(asked), Ok(name.map(str::to_owned)), "{asked}");
        }
    }
}
