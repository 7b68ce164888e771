// What of puffin_codec.hpp the examples do not use: layer FILE, a Puffin file of vectors. Ends with 1 at the first answer
// that is not what the C functions would give.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <puffin_codec.hpp>

#define CHECK(condition)                                               \
  do {                                                                 \
    if (!(condition)) {                                                \
      std::fprintf(stderr, "line %d: %s\n", __LINE__, #condition);     \
      std::exit(1);                                                    \
    }                                                                  \
  } while (false)

namespace {

std::vector<std::uint8_t> read_whole(const char *path) {
  std::FILE *file = std::fopen(path, "rb");
  CHECK(file != nullptr);
  std::vector<std::uint8_t> whole;
  for (int byte = std::fgetc(file); byte != EOF; byte = std::fgetc(file)) whole.push_back(static_cast<std::uint8_t>(byte));
  std::fclose(file);
  return whole;
}

void walk(const puffin::dv &dv) {
  std::uint64_t up = 0, down = 0, sum_up = 0, sum_down = 0, in_ranges = 0;
  for (const std::uint64_t row : dv.positions()) ++up, sum_up += row;
  for (const std::uint64_t row : dv.positions_rev()) ++down, sum_down += row;
  for (const puffin::range &range : dv.deleted_ranges(0, UINT64_MAX)) in_ranges += range.end - range.start;
  CHECK(up == dv.cardinality() && down == up && sum_down == sum_up && in_ranges == up);
  CHECK(dv.count(0, UINT64_MAX) == up && dv.contains(*dv.min()) && dv.select(up - 1) == dv.max() && !dv.select(up));
  CHECK(puffin::operation::of_difference(dv, dv).is_empty());
  CHECK(puffin::operation::of_union(dv, dv).cardinality() == up);
}

// Writes the vector with three more rows as a file, and reads it again in the strictest way.
void write(const puffin::dv &dv) {
  std::array<puffin_source, 2> sources;
  std::vector<std::uint64_t> scratch(puffin::encoder::scratch_len(sources.size()));
  puffin::encoder encoder(sources, scratch);
  const std::vector<std::uint64_t> more{1, 2, 3};
  CHECK(encoder.add(dv));
  CHECK(encoder.add(puffin::span<const std::uint64_t>(more)));
  CHECK(encoder.add(dv).error().status == PUFFIN_STATUS_BUFFER_TOO_SMALL);
  std::vector<std::uint8_t> blob(*encoder.len());
  std::uint64_t cardinality = 0;
  CHECK(*encoder.encode(blob, &cardinality) == blob.size());

  std::vector<std::uint8_t> buffer(PUFFIN_EMPTY_FOOTER_LEN + puffin::writer::vector_len("x.parquet"));
  std::vector<std::uint8_t> out(4 + blob.size() + buffer.size());
  std::vector<std::uint64_t> words(puffin::writer::scratch_len(1));
  puffin::writer writer;
  puffin_manifest_entry entry;
  CHECK(writer.start(out, buffer, words));
  CHECK(writer.add_vector("x.parquet", blob, &entry));
  out.resize(static_cast<std::size_t>(writer.finish()->file_len));

  const auto file = puffin::file::parse(out);
  const auto metadata = file->footer().metadata();
  CHECK(metadata->find_vector("x.parquet")->has_value() && !metadata->find_vector("y.parquet")->has_value());
  const auto vector = file->vector(*metadata, entry);
  CHECK(vector && vector->cardinality() == cardinality && dv.is_subset_of(*vector));
  std::vector<std::uint64_t> marks(puffin::verify::scratch_len(1));
  puffin::verify verify;
  CHECK(verify.start(*file, *metadata, marks));
  for (const puffin::finding &finding : verify) CHECK(finding.severity < PUFFIN_SEVERITY_ERROR);
}

}  // namespace

int main(int argc, char **argv) {
  CHECK(argc == 2);
  const std::vector<std::uint8_t> whole = read_whole(argv[1]);
  const auto file = puffin::file::parse(whole);
  CHECK(file);
  const puffin::footer footer = file->footer();
  std::vector<std::uint8_t> scratch(*footer.scratch_len());
  const auto metadata = footer.metadata(scratch);
  CHECK(metadata);
  std::size_t properties = 0, blobs = 0;
  for (const puffin::property &property : metadata->properties()) properties += property.name == "created-by" ? 1 : 0;
  for (const puffin::expected<puffin::blob> &blob : metadata->blobs()) {
    CHECK(blob && blob->is_vector());
    walk(*file->vector(*blob));
    write(*file->vector(*blob));
    ++blobs;
  }
  CHECK(properties == 1 && blobs == metadata->blob_count() && blobs > 0);
  const auto cut = puffin::file::parse(puffin::bytes(whole.data(), whole.size() - 1));
  CHECK(!cut && puffin::name(cut.error().status) == "PUFFIN_STATUS_BAD_MAGIC");
  CHECK(puffin::description(cut.error()).text().size() > 0);
  return 0;
}
