// scan.c in C++: the same arguments, the same output.

#include <cerrno>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <puffin_codec.hpp>

namespace {

constexpr std::size_t batch_rows = 2048;

std::int64_t number(const char *text) {
  char *end = nullptr;
  errno = 0;
  const long long value = std::strtoll(text, &end, 10);
  if (errno != 0 || *text == '\0' || *end != '\0' || value < 0) {
    std::fprintf(stderr, "not a number of rows or bytes: %s\n", text);
    std::exit(2);
  }
  return value;
}

int fault(const char *path, const puffin_error &error) {
  std::fprintf(stderr, "%s: %s: %s at byte %" PRIu64 "\n", path, puffin::name(error.status).data(),
               puffin::message(error.status).data(), error.offset);
  return 1;
}

struct totals {
  std::uint64_t kept = 0;
  std::uint64_t clean_batches = 0;
  std::uint64_t sum = 0;
};

puffin::expected<totals> scan(const puffin::dv &dv, std::uint64_t row_count) {
  totals totals;
  puffin::cursor cursor = dv.cursor();
  for (std::uint64_t row = 0; row < row_count; row += batch_rows) {
    const std::size_t rows = row_count - row < batch_rows ? static_cast<std::size_t>(row_count - row) : batch_rows;
    std::int64_t column[batch_rows];
    for (std::size_t i = 0; i < rows; ++i) column[i] = static_cast<std::int64_t>(row + i);
    if (!dv.intersects(row, row + rows)) {
      for (std::size_t i = 0; i < rows; ++i) totals.sum += static_cast<std::uint64_t>(column[i]);
      totals.kept += rows;
      ++totals.clean_batches;
      continue;
    }
    std::uint64_t keep[batch_rows / 64];
    if (const auto masked = cursor.live_mask(row, rows, puffin::span<std::uint64_t>(keep)); !masked) {
      return masked.error();
    }
    for (std::size_t i = 0; i < rows; ++i) {
      const std::uint64_t bit = keep[i / 64] >> (i % 64) & 1;
      totals.sum += static_cast<std::uint64_t>(column[i]) & (0 - bit);
      totals.kept += bit;
    }
  }
  return totals;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: scan FILE CONTENT_OFFSET CONTENT_SIZE RECORD_COUNT ROWS\n");
    return 2;
  }
  puffin_manifest_entry entry{};
  entry.content_offset = number(argv[2]);
  entry.content_size_in_bytes = number(argv[3]);
  entry.record_count = number(argv[4]);
  const std::uint64_t row_count = static_cast<std::uint64_t>(number(argv[5]));

  const std::size_t size = static_cast<std::size_t>(entry.content_size_in_bytes);
  const std::unique_ptr<void, void (*)(void *)> memory(std::malloc(size > 0 ? size : 1), std::free);
  std::FILE *file = std::fopen(argv[1], "rb");
  if (memory == nullptr || file == nullptr ||
      std::fseek(file, static_cast<long>(entry.content_offset), SEEK_SET) != 0) {
    std::perror(argv[1]);
    return 1;
  }
  const std::size_t len = std::fread(memory.get(), 1, size, file);
  std::fclose(file);

  const puffin::bytes data(static_cast<const std::uint8_t *>(memory.get()), len);
  const auto dv = puffin::dv::read_entry(data, static_cast<std::uint64_t>(entry.content_offset), entry);
  if (!dv) return fault(argv[1], dv.error());
  const auto totals = scan(*dv, row_count);
  if (!totals) return fault(argv[1], totals.error());
  std::printf("kept %" PRIu64 "\ndeleted %" PRIu64 "\nclean batches %" PRIu64 "\nsum %" PRIu64 "\n", totals->kept,
              row_count - totals->kept, totals->clean_batches, totals->sum);
  return 0;
}
