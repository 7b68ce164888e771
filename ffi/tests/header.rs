//! The committed header is what cbindgen makes of the sources. `BLESS=1` rewrites it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops at the first fault")]

use std::path::Path;
use std::{env, fs};

/// The first function of each chapter, the chapter's name, and what it is about.
const CHAPTERS: [(&str, &str, &str); 14] = [
    ("puffin_status_name", "STATUS AND ERRORS", "What an answer means, in words."),
    ("puffin_version", "VERSION", "Which library this is. A program that loads it by itself compares the ABI number first."),
    (
        "puffin_str_unescape",
        "STRINGS",
        "Text of a footer is handed out as it stands there, because it mostly needs no unescaping:

  char path[4096];
  size_t len = 0;
  puffin_status status = puffin_str_unescape(value, path, sizeof path, &len, NULL);",
    ),
    (
        "puffin_file_parse",
        "CONTAINER",
        "A file in memory is opened with puffin_file_parse. A remote reader starts from the last bytes:

  puffin_footer footer;
  uint64_t offset, len;
  status = puffin_footer_locate(tail, tail_len, file_len, &footer, &offset, &len, &error);
  while (status == PUFFIN_STATUS_OK && len > 0) {
    ...  /* fetch len bytes from offset on: the end of the file again, longer */
    status = puffin_footer_locate(longer, (size_t)len, file_len, &footer, &offset, &len, &error);
  }",
    ),
    (
        "puffin_metadata_blobs",
        "BLOBS",
        "What a footer lists, and the content of what is not a deletion vector:

  puffin_blobs blobs;
  puffin_blob blob;
  bool more = true;
  puffin_metadata_blobs(&metadata, &blobs, NULL);
  while (puffin_blobs_next(&blobs, &blob, &more, &error) == PUFFIN_STATUS_OK && more) {
    puffin_blob_info info = {.struct_size = sizeof info};
    puffin_blob_get_info(&blob, &info, NULL);
    ...
  }",
    ),
    (
        "puffin_dv_parse",
        "DELETION VECTORS",
        "A vector is opened once, which checks everything about it; what is asked afterwards cannot fail, but for arguments
that break the contract. Where a manifest is at hand, the chapter on tables has the ways to open it.",
    ),
    (
        "puffin_dv_cursor",
        "SCANS",
        "What an engine asks: not row by row, but batch by batch, page by page.",
    ),
    ("puffin_bitmap32_parse", "32-BIT BITMAPS", "Bare bitmaps of 32-bit values, as other formats have them."),
    (
        "puffin_dv_union",
        "SET OPERATIONS",
        "Between two vectors, without making a third. The rows that were deleted between two snapshots:

  puffin_operation newly;
  uint64_t count = 0;
  puffin_dv_difference(&later, &earlier, &newly, NULL);
  puffin_operation_cardinality(&newly, &count, NULL);

The chapter on writing makes a vector of it.",
    ),
    (
        "puffin_dv_read_range",
        "TABLES",
        "Vectors as manifests know them. With the range of a manifest entry alone, no footer is read:

  puffin_dv dv;
  status = puffin_dv_read_range(file, file_len, content_offset, content_size_in_bytes, &record_count, &dv, &error);",
    ),
    (
        "puffin_verify_scratch_len",
        "VERIFY",
        "Everything there is to say about a file, for those who write or repair files; a reader does not need it:

  puffin_verify verify;
  puffin_finding finding;
  bool more = true;
  status = puffin_verify_start(&file, &metadata, scratch, words, NULL, 0, NULL, &verify, &error);
  while (status == PUFFIN_STATUS_OK && puffin_verify_next(&verify, &finding, &more, NULL) == PUFFIN_STATUS_OK && more) {
    printf(\"%.*s\\n\", (int)finding.message.len, finding.message.ptr);
  }",
    ),
    (
        "puffin_encode_scratch_len",
        "WRITING VECTORS",
        "A vector is the union of sources: positions, ranges, older vectors, windows of them, set operations.",
    ),
    (
        "puffin_lz4_max_encoded_len",
        "WRITING COMPRESSED CONTENT",
        "For blobs that may be compressed, which deletion vectors may not.",
    ),
    (
        "puffin_writer_scratch_len",
        "WRITING FILES",
        "A file with one vector, in memory:

  puffin_writer writer;
  puffin_manifest_entry entry;
  puffin_written written;
  uint64_t scratch[2];  /* puffin_writer_scratch_len(1) */
  puffin_writer_start(out, sizeof out, buffer, sizeof buffer, scratch, 2, &writer, &error);
  puffin_writer_add_vector(&writer, path, path_len, blob, blob_len, &entry, &error);
  puffin_writer_finish(&writer, NULL, 0, &written, &error);
  ...  /* out has written.file_len bytes; entry is what goes into the manifest */",
    ),
];

/// Puts the heading of each chapter before its first function, which has to come after the chapter before.
fn with_chapters(header: &str) -> String {
    let (mut out, mut rest) = (String::new(), header);
    for (function, title, about) in CHAPTERS {
        let at = rest.find(&format!(" {function}(")).or_else(|| rest.find(&format!("*{function}(")));
        let line = rest[..at.unwrap_or_else(|| panic!("{function} is not where chapter {title} is"))].rfind('\n');
        let (before, _) = rest.split_at(line.unwrap_or(0));
        let start = before.rfind("\n\n").map_or(0, |at| at + 1);
        let rule = "-".repeat(72);
        let about =
            about.replace('\n', "\n * ").replace("\n * \n", "\n *\n").replace("/*", "//").replace(" */\n", "\n");
        let about = about.strip_suffix(" */").unwrap_or(&about);
        out.push_str(&rest[..start]);
        out.push_str(&format!("\n/* {rule}\n * {title}\n * {rule}\n *\n * {about}\n */\n"));
        rest = &rest[start..];
        let next = rest.find(&format!("{function}(")).unwrap_or(0);
        out.push_str(&rest[..next]);
        rest = &rest[next..];
    }
    out + rest
}

/// Sets examples off by two more spaces, instead of by the fences of Rust's comments.
fn with_examples(header: &str) -> String {
    let (mut out, mut inside) = (String::new(), false);
    for line in header.lines() {
        match line.trim() {
            "// ```c" => inside = true,
            "// ```" => inside = false,
            _ => {
                let indent = if inside { line.replacen("// ", "//   ", 1) } else { line.to_owned() };
                out.push_str(&indent);
                out.push('\n');
            }
        }
    }
    out
}

/// Makes the header; the paragraph about safety is for Rust.
fn header() -> String {
    let folder = env!("CARGO_MANIFEST_DIR");
    let config = cbindgen::Config::from_file(format!("{folder}/cbindgen.toml")).unwrap();
    let mut bytes = Vec::new();
    cbindgen::generate_with_config(folder, config).unwrap().write(&mut bytes);
    let text = String::from_utf8(bytes).unwrap();
    let text = text.replace("//\n// # Safety\n//\n// As in the chapter on memory.\n", "");
    with_chapters(&with_examples(&text))
}

#[test]
fn is_what_the_sources_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../include/puffin_codec.h");
    let header = header();
    if env::var_os("BLESS").is_some() {
        fs::write(&path, &header).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap();
    assert!(committed == header, "stale: BLESS=1 cargo test -p puffin-codec-ffi --test header");
}

/// The examples of a text: blocks of lines behind `prefix` that have statements in them.
fn examples(text: &str, prefixes: &[&str]) -> Vec<String> {
    let mut all = vec![String::new()];
    for line in text.lines() {
        let code = prefixes.iter().find_map(|prefix| line.strip_prefix(prefix));
        match (code, all.last_mut()) {
            (Some(code), Some(last)) => last.extend([code, "\n"]),
            _ => all.push(String::new()),
        }
    }
    // The list of contents has a semicolon, too, and calls nothing.
    all.retain(|block| block.contains(");"));
    all
}

/// Code as it is compared: without spaces and comments.
fn bare(code: &str) -> String {
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.flat_map(|line| line.chars().filter(|letter| !letter.is_whitespace())).collect()
}

#[test]
fn has_the_names_of_the_specification() {
    use puffin_codec::puffin::{DELETION_VECTOR_V1, THETA_V1, property};
    let names = [
        ("TYPE_DELETION_VECTOR_V1", DELETION_VECTOR_V1),
        ("TYPE_THETA_V1", THETA_V1),
        ("NAME_REFERENCED_DATA_FILE", property::REFERENCED_DATA_FILE),
        ("NAME_CARDINALITY", property::CARDINALITY),
        ("NAME_CREATED_BY", property::CREATED_BY),
    ];
    let header = header();
    for (name, text) in names {
        assert!(header.contains(&format!("#define PUFFIN_{name} \"{text}\"\n")), "{name}");
    }
}

#[test]
fn has_examples_that_are_compiled_and_run() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manual = bare(&fs::read_to_string(folder.join("tests/c/manual.c")).unwrap());
    let mut found = examples(&header(), &["//   ", " *   "]);
    assert_eq!(found.len(), 12);
    let readme = fs::read_to_string(folder.join("../README.md")).unwrap();
    let blocks: Vec<_> =
        readme.split("```c\n").skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect();
    assert_eq!(blocks.len(), 1);
    found.extend(blocks);
    for example in found {
        // An ellipsis stands for anything.
        for part in bare(&example).split("...") {
            assert!(manual.contains(part), "not in ffi/tests/c/manual.c:\n{example}");
        }
    }
}
