//! The Verilog of the tiny preset, module by module, as `gen --preset tiny` writes it: `rtl_out/golden/`; and what is
//! different with `--sched swas --oracle`: `rtl_out/golden_swas/`.
//!
//! A change shows as a difference to review; `INSTA_UPDATE=always cargo test golden` accepts it.

use hdl::verilog::Design;
use heddle::cli;
use spec::config::CoreConfig;
use spec::registry::SWAS_DEFAULT;

fn generate(cfg: &CoreConfig, header: &CoreConfig) -> Design {
    assert_eq!(cfg.validate(), Ok(()));
    rtl::generate(cfg, &cli::header(header)).unwrap()
}

/// Compares modules, given by name and text, and their names with the files in `directory`.
fn compare(directory: &str, modules: &[(&str, &str)]) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(format!("../rtl_out/{directory}"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for (name, text) in modules {
            insta::assert_snapshot!(*name, text);
        }
        let names: Vec<_> = modules.iter().map(|(name, _)| *name).collect();
        insta::assert_snapshot!("modules", names.join("\n"));
    });
}

#[test]
fn the_tiny_preset_is_printed_as_before() {
    let cfg = CoreConfig::preset("tiny").unwrap();
    let design = generate(&cfg, &cfg);
    let modules: Vec<_> = design.modules.iter().map(|m| (m.name.as_str(), m.text.as_str())).collect();
    compare("golden", &modules);
}

#[test]
fn what_the_unified_scheduler_and_the_oracles_change_is_printed_as_before() {
    let tiny = CoreConfig::preset("tiny").unwrap();
    let swas = CoreConfig {
        fetch: SWAS_DEFAULT.into(),
        issue: SWAS_DEFAULT.into(),
        oracle: true,
        ..CoreConfig::preset("tiny").unwrap()
    };
    let (with, without) = (generate(&swas, &swas), generate(&tiny, &swas));
    let is_old = |text: &str| without.modules.iter().any(|module| module.text == text);
    let changed: Vec<_> = with
        .modules
        .iter()
        .filter(|module| !is_old(&module.text))
        .map(|m| (m.name.as_str(), m.text.as_str()))
        .collect();
    compare("golden_swas", &changed);
}
