//! The Verilog of the tiny preset, module by module, as `gen --preset tiny` writes it: `rtl_out/golden/`.
//!
//! A change shows as a difference to review; `INSTA_UPDATE=always cargo test --test golden` accepts it.

use heddle::cli;
use heddle::config::CoreConfig;
use heddle::rtl;

#[test]
fn the_tiny_preset_is_printed_as_before() {
    let cfg = CoreConfig::preset("tiny").unwrap();
    let design = rtl::generate(&cfg, &cli::header(&cfg)).unwrap();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../rtl_out/golden");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for module in &design.modules {
            insta::assert_snapshot!(module.name.as_str(), module.text);
        }
        let names: Vec<_> = design.modules.iter().map(|module| module.name.as_str()).collect();
        insta::assert_snapshot!("modules", names.join("\n"));
    });
}
