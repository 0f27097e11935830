//! Profile-guided optimisation. A cycle runs through more code than the processor's instruction cache holds: the less of it
//! is for what rarely happens, the faster. The compiler lays that aside where it knows it.
//!
//! A model is first compiled with clang's counters in it and without optimisation, which the counters are independent of.
//! A short run fills them; what they say goes into the compiling proper.

use std::ffi::OsStr;
use std::sync::Arc;

use super::cache::ScratchDir;
use super::cplusplus::{Compiler, Objects, Pass};
use super::error::Result;
use super::library::ModelLib;
use super::options::SLOW;
use super::sources::Sources;
use super::toolchain::run;
use tools::LLVM_PROFDATA;

/// A run of the model that shows what is usual in it.
pub type Training<'a> = &'a dyn Fn(Arc<ModelLib>) -> Result<()>;

/// Has clang count in the model, and the shim write the counts (`sim/shim.cpp`).
const COUNTING: &str = "-fprofile-instr-generate";

/// Builds the model with counters in `scratch`, makes the run and returns the flag with which it is to be compiled then.
pub(super) fn profile(
    compiler: &Compiler,
    scratch: &ScratchDir,
    sources: &Sources,
    library: &Objects,
    training: Training,
) -> Result<String> {
    let tools = compiler.tools;
    // Clang knows the one of its own version. If it is missing, that is told before anything is compiled.
    let usual = run(&tools.cxx, tools.cxx.command().arg("-print-prog-name=llvm-profdata"))?;
    let profdata = LLVM_PROFDATA.find_or(OsStr::new(usual.trim()));
    run(&profdata, profdata.command().arg("--help"))?;

    let flags = vec![COUNTING.to_owned(), "-DHEDDLE_PROFILE".to_owned()];
    let objects = compiler.model(scratch, sources, &Pass { optimisation: SLOW, flags })?;
    let counting = scratch.path().join("counting.so");
    compiler.link(&objects, library, &[COUNTING], &counting)?;
    let model = ModelLib::load(&counting)?;
    training(model.clone())?;
    let (counts, merged) = (scratch.path().join("model.profraw"), scratch.path().join("model.profdata"));
    model.write_profile(&counts)?;
    run(&profdata, profdata.command().arg("merge").arg("-o").arg(&merged).arg(&counts))?;
    Ok(format!("-fprofile-instr-use={}", merged.display()))
}
