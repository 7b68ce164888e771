//! Runs this program under Callgrind, and reads what it counted.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::scenario::COUNTED;

/// Makes every x86-64 CPU the same to glibc, so that `memset` and `memcpy` are those of the baseline, with SSE2.
const TUNABLES: &str =
    "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX2,-AVX,-AVX_Fast_Unaligned_Load,-SSSE3,-ERMS,-FSRM";

/// Runs this program with one argument under Callgrind, which writes one file each time that the counted function is
/// left. Returns what the program printed, and the counts in order.
pub(crate) fn count(argument: &str) -> Result<(String, Vec<u64>), String> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let (Some(folder), Some(name)) = (program.parent(), program.file_name()) else {
        return Err("this program has no path".to_owned());
    };
    let dumps = folder.join("dumps");
    let _ = fs::remove_dir_all(&dumps);
    fs::create_dir_all(&dumps).map_err(|error| format!("{}: {error}", dumps.display()))?;
    // The name of the program and the environment lie on its stack, and so move everything else there. They are always
    // the same, wherever the checkout is.
    let output = Command::new(valgrind()?)
        .args(["-q", "--tool=callgrind", "--cache-sim=no", "--branch-sim=no"])
        .args([format!("--toggle-collect={COUNTED}"), format!("--dump-after={COUNTED}")])
        .arg(format!("--callgrind-out-file={}", dumps.join("dump").display()))
        .arg(Path::new(".").join(name))
        .arg(argument)
        .current_dir(folder)
        .env_clear()
        .env("GLIBC_TUNABLES", TUNABLES)
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    if !output.status.success() {
        return Err(format!("valgrind: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    let mut counts = Vec::new();
    // The last file, without a number, is what is left at the end.
    while let Ok(dump) = fs::read_to_string(dumps.join(format!("dump.{}", counts.len() + 1))) {
        counts.push(total(&dump).ok_or("a file of Callgrind without its total")?);
    }
    fs::remove_dir_all(&dumps).map_err(|error| format!("{}: {error}", dumps.display()))?;
    String::from_utf8(output.stdout).map(|printed| (printed, counts)).map_err(|error| error.to_string())
}

/// Where Valgrind is.
fn valgrind() -> Result<PathBuf, String> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut programs = env::split_paths(&path).map(|folder| folder.join("valgrind"));
    programs.find(|program| program.is_file()).ok_or_else(|| "there is no valgrind in PATH".to_owned())
}

/// The total of one file: the only event is an instruction.
fn total(dump: &str) -> Option<u64> {
    let line = dump.lines().find_map(|line| line.strip_prefix("summary: "))?;
    line.trim().parse().ok()
}
