//! What counts depend on besides the sources.

use std::process::Command;

/// The compiler, the C library and the CPU.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Host {
    /// Another compiler makes other code.
    pub(crate) rustc: String,
    /// `memset` and `memcpy` are its own.
    pub(crate) libc: String,
    /// Architecture, then the features that the build `simd` may choose by.
    pub(crate) cpu: String,
}

impl Host {
    /// This host, with the CPU that Valgrind shows to a program.
    pub(crate) fn new(cpu: &str) -> Result<Self, String> {
        let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
        Ok(Self {
            rustc: first_line(&rustc, "--version")?.trim_start_matches("rustc ").to_owned(),
            libc: first_line("getconf", "GNU_LIBC_VERSION").unwrap_or_else(|_| "unknown".to_owned()),
            cpu: cpu.to_owned(),
        })
    }

    /// The architecture.
    pub(crate) fn arch(&self) -> &str {
        self.cpu.split(' ').next().unwrap_or_default()
    }
}

fn first_line(program: &str, argument: &str) -> Result<String, String> {
    let output = Command::new(program).arg(argument).output().map_err(|error| format!("{program}: {error}"))?;
    let line = String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned);
    line.filter(|_| output.status.success()).ok_or_else(|| format!("{program} {argument} says nothing"))
}

/// The architecture, and the features that this process sees.
pub(crate) fn cpu() -> String {
    let mut cpu = vec![std::env::consts::ARCH];
    #[cfg(target_arch = "x86_64")]
    {
        macro_rules! features {
            ($($name:tt)*) => { [$(($name, std::arch::is_x86_feature_detected!($name))),*] };
        }
        let all = features!(
            "ssse3" "sse4.1" "sse4.2" "popcnt" "pclmulqdq" "avx" "avx2" "bmi1" "bmi2" "lzcnt" "vpclmulqdq" "avx512f"
            "avx512bw" "avx512vl" "avx512vpopcntdq" "avx512vbmi2"
        );
        cpu.extend(all.into_iter().filter(|(_, has)| *has).map(|(name, _)| name));
    }
    #[cfg(target_arch = "aarch64")]
    {
        macro_rules! features {
            ($($name:tt)*) => { [$(($name, std::arch::is_aarch64_feature_detected!($name))),*] };
        }
        let all = features!("neon" "crc" "aes" "sha3" "sve" "sve2");
        cpu.extend(all.into_iter().filter(|(_, has)| *has).map(|(name, _)| name));
    }
    cpu.join(" ")
}
