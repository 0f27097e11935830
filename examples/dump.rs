fn main() {
    let a: Vec<String> = std::env::args().collect();
    let mut cfg = heddle::config::CoreConfig::default();
    cfg.warps = a[1].parse().unwrap();
    cfg.threads = a[2].parse().unwrap();
    if a.len() > 4 {
        cfg.slices = a[4].parse().unwrap();
    }
    let t = std::time::Instant::now();
    match heddle::rtl::generate(&cfg, &[]) {
        Ok(d) => {
            std::fs::create_dir_all(&a[3]).unwrap();
            d.write(std::path::Path::new(&a[3])).unwrap();
            println!("{} modules {:?}", d.modules.len(), t.elapsed())
        }
        Err(e) => {
            println!("{e}");
            std::process::exit(1)
        }
    }
}
