//! Programs of csmith (Yang, Chen, Eide and Regehr, PLDI 2011), each lane of which has global variables of its own.
//!
//! The variables become members of a structure, of which each hart has one. They begin as csmith says, and numbers among them
//! differ by the lane from there, so that lanes go different ways. Results are sums of what all variables hold at the end.

use std::process::Command;

/// What the programs call instead of csmith's header; the arithmetic that is defined for all numbers is csmith's own.
const HEAD: &str = "
#include <stdint.h>
#include <limits.h>
#include <float.h>
typedef uint32_t u;
#define STATIC static inline
#define UNDEFINED(x) (x)
#define LOG_INDEX
#define LOG_EXEC
#define FUNC_NAME(x) (safe_##x)
#define fabsf __builtin_fabsf
#define fabs __builtin_fabs
#ifdef HOST
static unsigned hart(void) { return 0; }
#else
static unsigned hart(void) { unsigned hart; __asm__(\"csrr %0, mhartid\" : \"=r\"(hart)); return hart; }
#endif
static u sums[64];
static void transparent_crc(uint64_t value, const char *name, int print)
{
    u sum = sums[hart()];
    sum = (sum ^ (u)value) * 0x01000193;
    sums[hart()] = (sum ^ (u)(value >> 32)) * 0x01000193 + (sum >> 15);
}
";

/// Where csmith's headers are, of Debian's libcsmith-dev or of one's own.
fn headers() -> String {
    std::env::var("CSMITH_INCLUDE").unwrap_or("/usr/include/csmith".into())
}

/// What csmith makes of a seed: small enough for a thread's stack.
pub fn made(seed: u64) -> String {
    let seed = seed.to_string();
    let sizes = [
        "--max-funcs",
        "4",
        "--max-array-dim",
        "2",
        "--max-array-len-per-dim",
        "4",
        "--max-block-depth",
        "3",
    ];
    // It leaves a file where it runs.
    let directory = tempfile::tempdir().unwrap();
    let mut csmith = Command::new("csmith");
    csmith.args(["--no-packed-struct", "--seed", &seed]).args(sizes).current_dir(&directory);
    let output = csmith.output();
    let output = output.expect("csmith (apt-get install csmith libcsmith-dev gcc-multilib)");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A variable: its declaration up to the name, the name, its dimensions, and what it begins with.
struct Global<'a> {
    before: &'a str,
    name: &'a str,
    dimensions: &'a str,
    value: &'a str,
}

impl<'a> Global<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let (declared, rest) = line.strip_prefix("static ")?.split_once(" = ")?;
        let (whole, dimensions) = declared.split_at(declared.find('[').unwrap_or(declared.len()));
        let at = whole.trim_end().rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_')? + 1;
        let value = &rest[..rest.rfind(';')?];
        Some(Self { before: &whole[..at], name: whole[at..].trim(), dimensions, value })
    }

    /// Whether it is a number that may begin as another one.
    fn is_number(&self) -> bool {
        let kind = self.before.trim().trim_start_matches("volatile").trim();
        self.dimensions.is_empty()
            && (kind.starts_with("int") || kind.starts_with("uint"))
            && !kind.contains(['*', ' '])
    }
}

/// The program as a function `k_0` of the lane's number, for a host and for the core.
pub fn per_lane(program: &str) -> String {
    let between = |from: &str, to: &str| {
        let begin = program.find(from).unwrap_or_else(|| panic!("{from}: not as csmith writes"));
        let end = program[begin..].find(to).unwrap_or_else(|| panic!("{to}: not as csmith writes"));
        &program[begin + from.len()..begin + end]
    };
    let types = between("/* --- Struct/Union Declarations --- */", "/* --- GLOBAL VARIABLES --- */");
    let variables = between("/* --- GLOBAL VARIABLES --- */", "/* --- FORWARD DECLARATIONS --- */");
    let functions = between("/* --- FORWARD DECLARATIONS --- */", "int main (int argc");
    let sums = between("crc32_gentab();", "platform_main_end");
    let sums: String =
        sums.lines().filter(|line| !line.contains("printf")).map(|line| format!("{line}\n")).collect();
    // A comment behind a variable says that it is volatile.
    let lines = variables.lines().map(|line| line.split("/*").next().unwrap_or_default().trim());
    let globals: Vec<Global> = lines.filter_map(Global::of).collect();

    // Only programs that use it need csmith's headers.
    let arithmetic = match functions.contains("safe_") {
        true => format!("#include \"{}/safe_math.h\"", headers()),
        false => String::new(),
    };
    let list = |of: &dyn Fn(&Global) -> String| globals.iter().map(of).collect::<String>();
    let members = list(&|g| format!("{}v_{}{};\n", g.before, g.name, g.dimensions));
    let names = list(&|g| format!("#define {0} (all[hart()].v_{0})\n", g.name));
    let begins = list(&|g| {
        let Global { before, name, dimensions, value } = g;
        format!(
            "static __attribute__((noinline)) void begin_{name}(void) {{ {before}begin{dimensions} = {value}; \
             copy((char *)&{name}, (char *)&begin, sizeof begin); }}\n"
        )
    });
    let calls = list(&|g| format!("begin_{}();\n", g.name));
    let differ = list(&|g| {
        if g.is_number() {
            format!("{} += t * 0x9e3779b1u >> 9;\n", g.name)
        } else {
            String::new()
        }
    });
    format!(
        "{HEAD}{}\n{types}\nstruct globals {{\n{members}char last; }};\n\
         static struct globals all[64];\n{names}\
         static void copy(volatile char *to, const volatile char *from, unsigned n) {{ while (n--) *to++ = *from++; }}\n\
         {begins}{functions}\nu k_0(u t)\n{{\nint i, j, k, print_hash_value = 0;\nsums[hart()] = 1;\n\
         {calls}{differ}{sums}return sums[hart()];\n}}\n",
        arithmetic
    )
}

/// A program as csmith writes them.
pub const SAMPLE: &str = "
/* --- Struct/Union Declarations --- */
struct S0 {
   int8_t  f0;
   uint16_t  f1;
};

/* --- GLOBAL VARIABLES --- */
static volatile int32_t g_3 = 0x74BF90EDL;/* VOLATILE GLOBAL g_3 */
static uint8_t g_4 = 5UL;
static int32_t g_5[2][3] = {{1L,(-2L),3L},{4L,5L,6L}};
static int32_t * volatile g_7 = &g_5[1][0];/* VOLATILE GLOBAL g_7 */
static const struct S0 g_8 = {-1L,0x1DL};
static struct S0 *g_9 = (void*)0;

/* --- FORWARD DECLARATIONS --- */
static int32_t  func_1(void);
static uint16_t  func_2(int32_t * p_3, const uint8_t  p_4);

/* --- FUNCTIONS --- */
static int32_t  func_1(void)
{ /* block id: 0 */
    int32_t *l_2 = &g_5[0][1];
    int i;
    for (i = 0; (i < (g_4 & 7)); i++)
    { /* block id: 1 */
        if (((*l_2) ^ g_3) & 1)
            (*g_7) += func_2(l_2, i);
        else if (g_3 & 2)
            break;
        g_3 = (g_3 >> 1) ^ (*g_7);
    }
    return g_9 ? 1 : g_8.f0;
}

static uint16_t  func_2(int32_t * p_3, const uint8_t  p_4)
{ /* block id: 2 */
    if (p_4 & 1)
        return 7UL;
    (*p_3) -= g_8.f1;
    return (*p_3);
}

/* ---------------------------------------- */
int main (int argc, char* argv[])
{
    int i, j;
    int print_hash_value = 0;
    crc32_gentab();
    func_1();
    transparent_crc(g_3, \"g_3\", print_hash_value);
    transparent_crc(g_4, \"g_4\", print_hash_value);
    for (i = 0; i < 2; i++)
    {
        for (j = 0; j < 3; j++)
        {
            transparent_crc(g_5[i][j], \"g_5[i][j]\", print_hash_value);
            if (print_hash_value) printf(\"index = [%d][%d]\\n\", i, j);

        }
    }
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
";
