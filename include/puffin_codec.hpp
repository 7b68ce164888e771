/*
 * puffin_codec.hpp: puffin_codec.h for C++17 and later, header only
 *
 * Each class holds one struct of the C header, each function is one call of it; what a call does, costs and refuses is
 * said there. As there, nothing is allocated or freed, and everything borrows the bytes it was made from. Without
 * exceptions and without RTTI.
 *
 *   for (const puffin::expected<puffin::blob> &entry : metadata.blobs()) {
 *     if (!entry) return report(entry.error());
 *     if (!entry->is_vector()) continue;
 *     const puffin::expected<puffin::dv> vector = file.vector(*entry);
 *     if (!vector) return report(vector.error());
 *     for (const std::uint64_t row : vector->positions()) consume(row);
 *   }
 *
 * What may fail gives an expected<T>: a value, or the error record of the C call. Objects come out of such calls only,
 * so that there is no empty one, and questions that a valid object always answers give their answer at once.
 *
 * To take the value of an expected that holds an error, or to break the contract of the C header (a span that is not
 * empty of null, say) where no error can be given, ends the program by std::abort.
 */

#ifndef PUFFIN_CODEC_HPP
#define PUFFIN_CODEC_HPP

#include "puffin_codec.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#if defined(__has_include) && __cplusplus >= 202002L
#if __has_include(<span>)
#include <span>
#endif
#endif

namespace puffin {

#ifdef __cpp_lib_span
using std::span;
#else
// What is needed of std::span: a pointer and a length.
template <class T>
class span {
public:
  constexpr span() noexcept = default;
  constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
  template <std::size_t N>
  constexpr span(T (&array)[N]) noexcept : data_(array), size_(N) {}
  // Of anything that has data() and size() of the right type: a vector, an array, a span of non-const.
  template <class Container,
            class Item = std::remove_pointer_t<decltype(std::declval<Container &>().data())>,
            class = std::enable_if_t<std::is_convertible_v<Item (*)[], T (*)[]>>>
  constexpr span(Container &&container) noexcept : data_(container.data()), size_(container.size()) {}

  constexpr T *data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T *begin() const noexcept { return data_; }
  constexpr T *end() const noexcept { return data_ + size_; }
  constexpr T &operator[](std::size_t index) const noexcept { return data_[index]; }
  constexpr span first(std::size_t count) const noexcept { return {data_, count}; }

private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};
#endif

using bytes = span<const std::uint8_t>;
using range = puffin_range;
using finding = puffin_finding;

// The name of a status as it is in the header, and what it says in words.
inline std::string_view name(std::int32_t status) noexcept { return puffin_status_name(status); }
inline std::string_view message(std::int32_t status) noexcept { return puffin_status_message(status); }

// Text of the library as a view, and back.
inline std::string_view view(puffin_str text) noexcept {
  return text.ptr == nullptr ? std::string_view() : std::string_view(text.ptr, text.len);
}
inline puffin_str str(std::string_view text) noexcept { return {text.data(), text.size()}; }

// An error record as one line of text, which lives in here.
class description {
public:
  explicit description(const puffin_error &error) noexcept {
    if (puffin_error_describe(&error, text_, sizeof text_, &len_) != PUFFIN_STATUS_OK) len_ = 0;
  }
  std::string_view text() const noexcept { return {text_, len_}; }

private:
  char text_[120];
  std::size_t len_ = 0;
};

// A value, or the error record of the call that was to give it.
template <class T>
class [[nodiscard]] expected {
public:
  expected(T value) noexcept : ok_(true), value_(std::move(value)) {
    static_assert(std::is_trivially_destructible_v<T>, "which all types here are");
  }
  expected(const puffin_error &error) noexcept : ok_(false), error_(error) {}
  expected(const expected &) = default;
  expected &operator=(const expected &) = default;
  ~expected() = default;

  explicit operator bool() const noexcept { return ok_; }
  const puffin_error &error() const noexcept { return ok_ ? (std::abort(), error_) : error_; }
  T &operator*() noexcept { return ok_ ? value_ : (std::abort(), value_); }
  const T &operator*() const noexcept { return ok_ ? value_ : (std::abort(), value_); }
  T *operator->() noexcept { return &**this; }
  const T *operator->() const noexcept { return &**this; }

private:
  bool ok_;
  union {
    T value_;
    puffin_error error_;
  };
};

// Success, or the error record of the call.
template <>
class [[nodiscard]] expected<void> {
public:
  expected() noexcept : error_{} {}
  expected(const puffin_error &error) noexcept : error_(error) {}
  explicit operator bool() const noexcept { return error_.status == PUFFIN_STATUS_OK; }
  const puffin_error &error() const noexcept { return error_; }

private:
  puffin_error error_;
};

namespace detail {

// Makes sure of a call that only a broken contract can make fail.
inline void sure(puffin_status status) noexcept {
  if (status != PUFFIN_STATUS_OK) std::abort();
}

// The same for a call whose last parameters are one output and the error record: the answer is the output.
template <class Out, class Call, class... Arguments>
Out sure(Call *call, Arguments... arguments) noexcept {
  Out out;
  sure(call(arguments..., &out, nullptr));
  return out;
}

// Makes a call whose last parameter is the error record.
template <class Call, class... Arguments>
expected<void> done(Call *call, Arguments... arguments) noexcept {
  puffin_error error;
  if (call(arguments..., &error) != PUFFIN_STATUS_OK) return error;
  return {};
}

// Makes a call whose last parameters are one output and the error record, and a T of the output.
template <class T, class Out = T, class Call, class... Arguments>
expected<T> give(Call *call, Arguments... arguments) noexcept {
  Out out;
  puffin_error error;
  if (call(arguments..., &out, &error) != PUFFIN_STATUS_OK) return error;
  return T(out);
}

// The same for a call with whether there is an output behind it.
template <class T, class Out = T, class Call, class... Arguments>
expected<std::optional<T>> find(Call *call, Arguments... arguments) noexcept {
  Out out;
  bool found = false;
  puffin_error error;
  if (call(arguments..., &out, &found, &error) != PUFFIN_STATUS_OK) return error;
  return found ? std::optional<T>(T(out)) : std::nullopt;
}

// The end of every loop.
struct sentinel {};

// Steps through what gives one item at a time: next() is nullopt at the end.
template <class Place>
class steps {
public:
  explicit steps(Place &place) noexcept : place_(&place), item_(place.next()) {}
  const auto &operator*() const noexcept { return *item_; }
  steps &operator++() noexcept { return item_ = place_->next(), *this; }
  bool operator!=(sentinel) const noexcept { return item_.has_value(); }

private:
  Place *place_;
  decltype(std::declval<Place &>().next()) item_;
};

// Steps through what fills memory, a batch at a time.
template <class Place, class Item>
class batches {
public:
  explicit batches(Place &place) noexcept : place_(&place), count_(place.fill(batch_)) {}
  const Item &operator*() const noexcept { return batch_[index_]; }
  batches &operator++() noexcept {
    if (++index_ == room && count_ == room) index_ = 0, count_ = place_->fill(batch_);
    return *this;
  }
  bool operator!=(sentinel) const noexcept { return index_ != count_; }

private:
  static constexpr std::size_t room = 64;
  Place *place_;
  Item batch_[room];
  std::size_t index_ = 0;
  std::size_t count_;
};

}  // namespace detail

// A string of a footer as it is written there, with its JSON escapes.
class text {
public:
  explicit text(puffin_str raw) noexcept : raw_(raw) {}
  // Whether it is there at all; an empty text is.
  explicit operator bool() const noexcept { return raw_.ptr != nullptr; }
  std::string_view escaped() const noexcept { return view(raw_); }
  // Writes the plain text, which is never longer than escaped(); the answer is its length.
  expected<std::size_t> unescape(span<char> out) const noexcept {
    return detail::give<std::size_t>(puffin_str_unescape, raw_, out.data(), out.size());
  }
  // Whether the plain text is that; an absent one equals nothing.
  friend bool operator==(const text &a, std::string_view b) noexcept {
    return detail::sure<bool>(puffin_str_equals, a.raw_, b.data(), b.size());
  }
  friend bool operator!=(const text &a, std::string_view b) noexcept { return !(a == b); }
  puffin_str raw() const noexcept { return raw_; }

private:
  puffin_str raw_;
};

// A name and a value, of a file or of a blob.
struct property {
  text name;
  text value;
};

// The properties of a file or of a blob; one pass.
class properties {
public:
  explicit properties(const puffin_properties &raw) noexcept : raw_(raw) {}
  std::optional<property> next() noexcept {
    puffin_property next;
    bool more = false;
    detail::sure(puffin_properties_next(&raw_, &next, &more, nullptr));
    return more ? std::optional<property>({text(next.name), text(next.value)}) : std::nullopt;
  }
  detail::steps<properties> begin() noexcept { return detail::steps<properties>(*this); }
  detail::sentinel end() const noexcept { return {}; }

private:
  puffin_properties raw_;
};

// A footer entry: what a footer says of one blob.
class blob {
public:
  explicit blob(const puffin_blob &raw) noexcept : raw_(raw) {}
  puffin_blob_info info() const noexcept {
    puffin_blob_info info{};
    info.struct_size = sizeof info;
    detail::sure(puffin_blob_get_info(&raw_, &info, nullptr));
    return info;
  }
  text type() const noexcept { return text(info().blob_type); }
  std::uint64_t offset() const noexcept { return info().offset; }
  std::uint64_t length() const noexcept { return info().length; }
  bool is_vector() const noexcept { return type() == "deletion-vector-v1"; }
  // Writes the column ids; the answer is how many.
  expected<std::size_t> fields(span<std::int32_t> out) const noexcept {
    return detail::give<std::size_t>(puffin_blob_fields, &raw_, out.data(), out.size());
  }
  text property(std::string_view name) const noexcept {
    return text(detail::sure<puffin_str>(puffin_blob_property, &raw_, name.data(), name.size()));
  }
  puffin::properties properties() const noexcept {
    return puffin::properties(detail::sure<puffin_properties>(puffin_blob_properties, &raw_));
  }
  expected<std::size_t> decoded_len(bytes stored, const puffin_limits *limits = nullptr) const noexcept {
    return detail::give<std::size_t>(puffin_blob_decoded_len, &raw_, stored.data(), stored.size(), limits);
  }
  expected<std::size_t> decode(bytes stored, span<std::uint8_t> out,
                               const puffin_limits *limits = nullptr) const noexcept {
    return detail::give<std::size_t>(puffin_blob_decode, &raw_, stored.data(), stored.size(), limits, out.data(),
                                     out.size());
  }
  const puffin_blob &raw() const noexcept { return raw_; }

private:
  puffin_blob raw_;
};

// The entries of a footer, in its order; one pass. A damaged one gives its error, and the next is behind it.
class blobs {
public:
  explicit blobs(const puffin_blobs &raw) noexcept : raw_(raw) {}
  std::optional<expected<blob>> next() noexcept {
    puffin_blob next;
    bool more = false;
    puffin_error error;
    if (puffin_blobs_next(&raw_, &next, &more, &error) != PUFFIN_STATUS_OK) return expected<blob>(error);
    return more ? std::optional<expected<blob>>(blob(next)) : std::nullopt;
  }
  detail::steps<blobs> begin() noexcept { return detail::steps<blobs>(*this); }
  detail::sentinel end() const noexcept { return {}; }

private:
  puffin_blobs raw_;
};

// What a footer says, decoded and checked.
class metadata {
public:
  explicit metadata(const puffin_metadata &raw) noexcept : raw_(raw) {}
  std::size_t blob_count() const noexcept { return detail::sure<std::size_t>(puffin_metadata_blob_count, &raw_); }
  std::string_view json() const noexcept { return view(detail::sure<puffin_str>(puffin_metadata_json, &raw_)); }
  text property(std::string_view name) const noexcept {
    return text(detail::sure<puffin_str>(puffin_metadata_property, &raw_, name.data(), name.size()));
  }
  puffin::properties properties() const noexcept {
    return puffin::properties(detail::sure<puffin_properties>(puffin_metadata_properties, &raw_));
  }
  puffin::blobs blobs() const noexcept {
    return puffin::blobs(detail::sure<puffin_blobs>(puffin_metadata_blobs, &raw_));
  }
  expected<puffin::blob> blob(std::size_t index) const noexcept {
    return detail::give<puffin::blob, puffin_blob>(puffin_metadata_blob, &raw_, index);
  }
  // The entry that a manifest entry is bound to.
  expected<puffin::blob> bound_blob(const puffin_manifest_entry &entry) const noexcept {
    return detail::give<puffin::blob, puffin_blob>(puffin_metadata_bound_blob, &raw_, &entry);
  }
  // The entry of the vector of a data file, if there is one.
  expected<std::optional<puffin::blob>> find_vector(std::string_view data_file) const noexcept {
    return detail::find<puffin::blob, puffin_blob>(puffin_metadata_find_vector, &raw_, data_file.data(),
                                                   data_file.size());
  }
  expected<std::optional<puffin::blob>> find_range(std::uint64_t offset, std::uint64_t length) const noexcept {
    return detail::find<puffin::blob, puffin_blob>(puffin_metadata_find_range, &raw_, offset, length);
  }
  const puffin_metadata &raw() const noexcept { return raw_; }

private:
  puffin_metadata raw_;
};

// A footer: from its first magic to the end of the file.
class footer {
public:
  explicit footer(const puffin_footer &raw) noexcept : raw_(raw) {}
  static expected<footer> parse(bytes data, std::uint64_t file_len) noexcept {
    return detail::give<footer, puffin_footer>(puffin_footer_parse, data.data(), data.size(), file_len);
  }
  // Finds the footer in the last bytes of a file. nullopt: fetch holds the range of the file to come back with.
  static expected<std::optional<footer>> locate(bytes tail, std::uint64_t file_len, range &fetch) noexcept {
    puffin_footer raw;
    std::uint64_t offset = 0, len = 0;
    puffin_error error;
    if (puffin_footer_locate(tail.data(), tail.size(), file_len, &raw, &offset, &len, &error) != PUFFIN_STATUS_OK) {
      return error;
    }
    fetch = {offset, offset + len};
    return len == 0 ? std::optional<footer>(raw) : std::nullopt;
  }
  puffin_footer_info info() const noexcept {
    puffin_footer_info info{};
    info.struct_size = sizeof info;
    detail::sure(puffin_footer_get_info(&raw_, &info, nullptr));
    return info;
  }
  // The bytes of scratch that metadata() needs: 0 for a footer that is not compressed.
  expected<std::size_t> scratch_len(const puffin_limits *limits = nullptr) const noexcept {
    return detail::give<std::size_t>(puffin_footer_scratch_len, &raw_, limits);
  }
  expected<puffin::metadata> metadata(span<std::uint8_t> scratch = {},
                                      const puffin_limits *limits = nullptr) const noexcept {
    return detail::give<puffin::metadata, puffin_metadata>(puffin_footer_metadata, &raw_, scratch.data(),
                                                           scratch.size(), limits);
  }
  const puffin_footer &raw() const noexcept { return raw_; }

private:
  puffin_footer raw_;
};

// Positions of a vector or of a set operation, in ascending order; one pass.
class positions {
public:
  explicit positions(const puffin_positions &raw) noexcept : raw_(raw) {}
  // Writes the next ones; the answer is how many: less than there is room for only at the end.
  std::size_t fill(span<std::uint64_t> out) noexcept {
    return detail::sure<std::size_t>(puffin_positions_fill, &raw_, out.data(), out.size());
  }
  // Moves forward to the first one that is not below position; not for a set operation.
  expected<void> seek(std::uint64_t position) noexcept { return detail::done(puffin_positions_seek, &raw_, position); }
  detail::batches<positions, std::uint64_t> begin() noexcept {
    return detail::batches<positions, std::uint64_t>(*this);
  }
  detail::sentinel end() const noexcept { return {}; }

private:
  puffin_positions raw_;
};

// Positions of a vector, in descending order; one pass.
class positions_rev {
public:
  explicit positions_rev(const puffin_positions_rev &raw) noexcept : raw_(raw) {}
  std::size_t fill(span<std::uint64_t> out) noexcept {
    return detail::sure<std::size_t>(puffin_positions_rev_fill, &raw_, out.data(), out.size());
  }
  detail::batches<positions_rev, std::uint64_t> begin() noexcept {
    return detail::batches<positions_rev, std::uint64_t>(*this);
  }
  detail::sentinel end() const noexcept { return {}; }

private:
  puffin_positions_rev raw_;
};

// Maximal ranges of rows, in ascending order; one pass.
class ranges {
public:
  explicit ranges(const puffin_ranges &raw) noexcept : raw_(raw) {}
  std::size_t fill(span<range> out) noexcept {
    return detail::sure<std::size_t>(puffin_ranges_fill, &raw_, out.data(), out.size());
  }
  detail::batches<ranges, range> begin() noexcept { return detail::batches<ranges, range>(*this); }
  detail::sentinel end() const noexcept { return {}; }

private:
  puffin_ranges raw_;
};

// A reader's place in a vector, for windows of rows that mostly follow each other: one for each thread.
class cursor {
public:
  explicit cursor(const puffin_cursor &raw) noexcept : raw_(raw) {}
  expected<void> deleted_mask(std::uint64_t first_row, std::size_t rows, span<std::uint64_t> words) noexcept {
    return ask(puffin_cursor_deleted_mask, first_row, rows, words);
  }
  expected<void> live_mask(std::uint64_t first_row, std::size_t rows, span<std::uint64_t> words) noexcept {
    return ask(puffin_cursor_live_mask, first_row, rows, words);
  }
  // Masks as Arrow has them.
  expected<void> deleted_mask(std::uint64_t first_row, std::size_t rows, span<std::uint8_t> out) noexcept {
    return ask(puffin_cursor_deleted_mask_bytes, first_row, rows, out);
  }
  expected<void> live_mask(std::uint64_t first_row, std::size_t rows, span<std::uint8_t> out) noexcept {
    return ask(puffin_cursor_live_mask_bytes, first_row, rows, out);
  }
  // Offsets from first_row; the answer is how many.
  expected<std::size_t> deleted_offsets(std::uint64_t first_row, std::size_t rows, span<std::uint32_t> out) noexcept {
    return select(puffin_cursor_deleted_offsets, first_row, rows, out);
  }
  expected<std::size_t> live_offsets(std::uint64_t first_row, std::size_t rows, span<std::uint32_t> out) noexcept {
    return select(puffin_cursor_live_offsets, first_row, rows, out);
  }

private:
  template <class Word>
  expected<void> ask(puffin_status (*call)(puffin_cursor *, std::uint64_t, std::size_t, Word *, std::size_t,
                                           puffin_error *),
                     std::uint64_t first_row, std::size_t rows, span<Word> out) noexcept {
    return detail::done(call, &raw_, first_row, rows, out.data(), out.size());
  }
  expected<std::size_t> select(decltype(puffin_cursor_live_offsets) *call, std::uint64_t first_row, std::size_t rows,
                               span<std::uint32_t> out) noexcept {
    return detail::give<std::size_t>(call, &raw_, first_row, rows, out.data(), out.size());
  }
  puffin_cursor raw_;
};

// A deletion vector: the positions of deleted rows. Any number of threads may ask one at once.
class dv {
public:
  explicit dv(const puffin_dv &raw) noexcept : raw_(raw) {}
  static expected<dv> parse(bytes data) noexcept { return open(puffin_dv_parse, data); }
  static expected<dv> parse_trusted(bytes data) noexcept { return open(puffin_dv_parse_trusted, data); }
  static expected<dv> parse_bitmap(bytes data) noexcept { return open(puffin_dv_parse_bitmap, data); }
  static expected<dv> parse_bitmap_trusted(bytes data) noexcept { return open(puffin_dv_parse_bitmap_trusted, data); }
  static expected<dv> parse_with_cardinality(bytes data, std::uint64_t cardinality) noexcept {
    return detail::give<dv, puffin_dv>(puffin_dv_parse_with_cardinality, data.data(), data.size(), cardinality);
  }
  // The one at the front of longer memory; used is its length.
  static expected<dv> parse_prefix(bytes data, std::size_t &used) noexcept {
    puffin_dv raw;
    puffin_error error;
    if (puffin_dv_parse_prefix(data.data(), data.size(), &raw, &used, &error) != PUFFIN_STATUS_OK) return error;
    return dv(raw);
  }
  static expected<dv> parse_bitmap_prefix(bytes data, std::size_t &used) noexcept {
    puffin_dv raw;
    puffin_error error;
    if (puffin_dv_parse_bitmap_prefix(data.data(), data.size(), &raw, &used, &error) != PUFFIN_STATUS_OK) return error;
    return dv(raw);
  }
  // That of a manifest entry, from the bytes of the file from data_offset on; no footer is read.
  static expected<dv> read_entry(bytes data, std::uint64_t data_offset, const puffin_manifest_entry &entry) noexcept {
    return detail::give<dv, puffin_dv>(puffin_dv_read_entry, data.data(), data.size(), data_offset, &entry);
  }

  bytes bitmap() const noexcept {
    const std::uint8_t *data = nullptr;
    std::size_t len = 0;
    detail::sure(puffin_dv_bitmap(&raw_, &data, &len, nullptr));
    return {data, len};
  }
  std::uint64_t cardinality() const noexcept { return detail::sure<std::uint64_t>(puffin_dv_cardinality, &raw_); }
  bool contains(std::uint64_t position) const noexcept {
    return detail::sure<bool>(puffin_dv_contains, &raw_, position);
  }
  // out has to be as long as positions.
  void contains_many(span<const std::uint64_t> positions, span<bool> out) const noexcept {
    if (out.size() < positions.size()) std::abort();
    detail::sure(puffin_dv_contains_many(&raw_, positions.data(), positions.size(), out.data(), nullptr));
  }
  std::optional<std::uint64_t> min() const noexcept { return extreme(puffin_dv_min); }
  std::optional<std::uint64_t> max() const noexcept { return extreme(puffin_dv_max); }
  std::uint64_t rank(std::uint64_t position) const noexcept {
    return detail::sure<std::uint64_t>(puffin_dv_rank, &raw_, position);
  }
  std::optional<std::uint64_t> select(std::uint64_t n) const noexcept {
    return *detail::find<std::uint64_t>(puffin_dv_select, &raw_, n);
  }
  // Whether any, or all, of the rows from start on, up to but without end, are deleted; and how many.
  bool intersects(std::uint64_t start, std::uint64_t end) const noexcept {
    return detail::sure<bool>(puffin_dv_intersects, &raw_, start, end);
  }
  bool contains_range(std::uint64_t start, std::uint64_t end) const noexcept {
    return detail::sure<bool>(puffin_dv_contains_range, &raw_, start, end);
  }
  std::uint64_t count(std::uint64_t start, std::uint64_t end) const noexcept {
    return detail::sure<std::uint64_t>(puffin_dv_count, &raw_, start, end);
  }
  puffin::positions positions(std::uint64_t from = 0) const noexcept {
    return puffin::positions(detail::sure<puffin_positions>(puffin_dv_positions, &raw_, from));
  }
  puffin::positions_rev positions_rev() const noexcept {
    return puffin::positions_rev(detail::sure<puffin_positions_rev>(puffin_dv_positions_rev, &raw_));
  }
  ranges deleted_ranges(std::uint64_t start, std::uint64_t end) const noexcept {
    return ranges(detail::sure<puffin_ranges>(puffin_dv_deleted_ranges, &raw_, start, end));
  }
  ranges live_ranges(std::uint64_t start, std::uint64_t end) const noexcept {
    return ranges(detail::sure<puffin_ranges>(puffin_dv_live_ranges, &raw_, start, end));
  }
  puffin::cursor cursor() const noexcept {
    return puffin::cursor(detail::sure<puffin_cursor>(puffin_dv_cursor, &raw_));
  }
  // Masks of one window, without a cursor.
  expected<void> deleted_mask(std::uint64_t first_row, std::size_t rows, span<std::uint64_t> words) const noexcept {
    return detail::done(puffin_dv_deleted_mask, &raw_, first_row, rows, words.data(), words.size());
  }
  expected<void> live_mask(std::uint64_t first_row, std::size_t rows, span<std::uint64_t> words) const noexcept {
    return detail::done(puffin_dv_live_mask, &raw_, first_row, rows, words.data(), words.size());
  }
  bool is_subset_of(const dv &other) const noexcept {
    return detail::sure<bool>(puffin_dv_is_subset, &raw_, &other.raw_);
  }
  bool is_disjoint_from(const dv &other) const noexcept {
    return detail::sure<bool>(puffin_dv_is_disjoint, &raw_, &other.raw_);
  }
  const puffin_dv &raw() const noexcept { return raw_; }

private:
  static expected<dv> open(decltype(puffin_dv_parse) *call, bytes data) noexcept {
    return detail::give<dv, puffin_dv>(call, data.data(), data.size());
  }
  std::optional<std::uint64_t> extreme(decltype(puffin_dv_min) *call) const noexcept {
    return *detail::find<std::uint64_t>(call, &raw_);
  }
  puffin_dv raw_;
};

// A vector with a directory of its buckets, for positions far above 2^32 that are asked at random.
class index {
public:
  explicit index(const puffin_index &raw) noexcept : raw_(raw) {}
  // The 64-bit words that over() needs.
  static std::size_t len(const dv &vector) noexcept {
    return detail::sure<std::size_t>(puffin_dv_index_len, &vector.raw());
  }
  static expected<index> over(const dv &vector, span<std::uint64_t> memory) noexcept {
    return detail::give<index, puffin_index>(puffin_dv_index_into, &vector.raw(), memory.data(), memory.size());
  }
  bool contains(std::uint64_t position) const noexcept {
    return detail::sure<bool>(puffin_index_contains, &raw_, position);
  }
  puffin::cursor cursor() const noexcept {
    return puffin::cursor(detail::sure<puffin_cursor>(puffin_index_cursor, &raw_));
  }

private:
  puffin_index raw_;
};

// A union, an intersection or a difference of two vectors, which nothing is made of until it is asked.
class operation {
public:
  explicit operation(const puffin_operation &raw) noexcept : raw_(raw) {}
  static operation of_union(const dv &a, const dv &b) noexcept { return of(puffin_dv_union, a, b); }
  static operation of_intersection(const dv &a, const dv &b) noexcept { return of(puffin_dv_intersection, a, b); }
  static operation of_difference(const dv &a, const dv &b) noexcept { return of(puffin_dv_difference, a, b); }
  std::uint64_t cardinality() const noexcept {
    return detail::sure<std::uint64_t>(puffin_operation_cardinality, &raw_);
  }
  bool is_empty() const noexcept { return detail::sure<bool>(puffin_operation_is_empty, &raw_); }
  puffin::positions positions() const noexcept {
    return puffin::positions(detail::sure<puffin_positions>(puffin_operation_positions, &raw_));
  }
  puffin::ranges ranges() const noexcept {
    return puffin::ranges(detail::sure<puffin_ranges>(puffin_operation_ranges, &raw_));
  }
  const puffin_operation &raw() const noexcept { return raw_; }

private:
  static operation of(decltype(puffin_dv_union) *call, const dv &a, const dv &b) noexcept {
    return operation(detail::sure<puffin_operation>(call, &a.raw(), &b.raw()));
  }
  puffin_operation raw_;
};

// A Puffin file whose bytes are all in memory.
class file {
public:
  explicit file(const puffin_file &raw) noexcept : raw_(raw) {}
  static expected<file> parse(bytes data) noexcept {
    return detail::give<file, puffin_file>(puffin_file_parse, data.data(), data.size());
  }
  puffin::footer footer() const noexcept {
    return puffin::footer(detail::sure<puffin_footer>(puffin_file_footer, &raw_));
  }
  // The bytes of a blob as they are stored.
  expected<bytes> stored(const blob &blob) const noexcept {
    const std::uint8_t *data = nullptr;
    std::size_t len = 0;
    puffin_error error;
    if (puffin_file_stored(&raw_, &blob.raw(), &data, &len, &error) != PUFFIN_STATUS_OK) return error;
    return bytes(data, len);
  }
  // The vector that an entry points at, held against the entry's cardinality.
  expected<dv> vector(const blob &blob) const noexcept {
    return detail::give<dv, puffin_dv>(puffin_dv_read_blob, &raw_, &blob.raw());
  }
  // The vector of a manifest entry, if the footer agrees: the strictest way.
  expected<dv> vector(const metadata &metadata, const puffin_manifest_entry &entry) const noexcept {
    return detail::give<dv, puffin_dv>(puffin_dv_read_bound, &raw_, &metadata.raw(), &entry);
  }
  const puffin_file &raw() const noexcept { return raw_; }

private:
  puffin_file raw_;
};

// The byte ranges of a file to fetch for some vectors; the answer is how many.
inline expected<std::size_t> fetch_ranges(span<const puffin_manifest_entry> entries, std::uint64_t max_gap,
                                          span<range> out) noexcept {
  std::size_t count = 0;
  puffin_error error;
  if (puffin_fetch_ranges(entries.data(), entries.size(), max_gap, out.data(), out.size(), &count, &error) !=
      PUFFIN_STATUS_OK) {
    return error;
  }
  return count;
}

// A check of a whole file, finding by finding; not to be copied.
class verify {
public:
  // The 64-bit words of scratch that start() needs.
  static std::size_t scratch_len(std::size_t blob_count) noexcept { return puffin_verify_scratch_len(blob_count); }
  verify() noexcept : raw_{} {}
  verify(const verify &) = delete;
  verify &operator=(const verify &) = delete;
  expected<void> start(const file &file, const metadata &metadata, span<std::uint64_t> scratch,
                       span<std::uint8_t> buffer = {}, const puffin_limits *limits = nullptr) noexcept {
    return detail::done(puffin_verify_start, &file.raw(), &metadata.raw(), scratch.data(), scratch.size(),
                        buffer.data(), buffer.size(), limits, &raw_);
  }
  // Only after start().
  std::optional<finding> next() noexcept {
    finding next;
    bool more = false;
    detail::sure(puffin_verify_next(&raw_, &next, &more, nullptr));
    return more ? std::optional<finding>(next) : std::nullopt;
  }
  detail::steps<verify> begin() noexcept { return detail::steps<verify>(*this); }
  detail::sentinel end() const noexcept { return {}; }

private:
  puffin_verify raw_;
};

// A vector to be written: the union of the sources that are added, which are kept in memory of the caller's.
class encoder {
public:
  // The 64-bit words of scratch that so many sources need.
  static std::size_t scratch_len(std::size_t sources) noexcept { return puffin_encode_scratch_len(sources); }
  encoder(span<puffin_source> sources, span<std::uint64_t> scratch,
          const puffin_encode_options *options = nullptr) noexcept
      : sources_(sources), scratch_(scratch), options_(options) {}
  // What there is no room for is PUFFIN_STATUS_BUFFER_TOO_SMALL.
  expected<void> add(const dv &vector) noexcept { return put(puffin_source_vector, &vector.raw()); }
  expected<void> add(const operation &set) noexcept { return put(puffin_source_operation, &set.raw()); }
  expected<void> add(span<const std::uint64_t> rows) noexcept {
    return put(puffin_source_positions, rows.data(), rows.size());
  }
  expected<void> add(span<const range> rows) noexcept { return put(puffin_source_ranges, rows.data(), rows.size()); }
  // The rows of a vector from start on, up to but without end, moved so that row start becomes first_row.
  expected<void> add_rows(const dv &vector, std::uint64_t start, std::uint64_t end, std::uint64_t first_row) noexcept {
    return put(puffin_source_rows, &vector.raw(), start, end, first_row);
  }
  expected<std::uint64_t> max_len() noexcept {
    return detail::give<std::uint64_t>(puffin_encode_max_len, sources_.data(), count_, options_, scratch_.data(),
                                       scratch_.size());
  }
  expected<std::size_t> len() noexcept {
    std::size_t exact = 0;
    puffin_error error;
    if (puffin_encode_len(sources_.data(), count_, options_, scratch_.data(), scratch_.size(), &exact, nullptr,
                          &error) !=
        PUFFIN_STATUS_OK) {
      return error;
    }
    return exact;
  }
  // Writes the vector; the answer is its length. cardinality, unless it is null, becomes its number of positions.
  expected<std::size_t> encode(span<std::uint8_t> out, std::uint64_t *cardinality = nullptr) noexcept {
    std::size_t used = 0;
    puffin_error error;
    if (puffin_encode(sources_.data(), count_, options_, scratch_.data(), scratch_.size(), out.data(), out.size(),
                      &used,
                      cardinality, &error) != PUFFIN_STATUS_OK) {
      return error;
    }
    return used;
  }

private:
  template <class Call, class... Arguments>
  expected<void> put(Call *call, Arguments... arguments) noexcept {
    if (count_ == sources_.size()) return puffin_error{PUFFIN_STATUS_BUFFER_TOO_SMALL, 0, 0, count_ + 1};
    puffin_error error;
    if (call(arguments..., sources_.data() + count_, &error) != PUFFIN_STATUS_OK) return error;
    ++count_;
    return {};
  }
  span<puffin_source> sources_;
  std::size_t count_ = 0;
  span<std::uint64_t> scratch_;
  const puffin_encode_options *options_;
};

// A Puffin file being written, into memory or piece by piece; not to be copied.
class writer {
public:
  // The 64-bit words of scratch that so many vectors need.
  static std::size_t scratch_len(std::size_t vectors) noexcept { return puffin_writer_scratch_len(vectors); }
  // Bytes of footer buffer: one vector, one blob, and the properties of the file. PUFFIN_EMPTY_FOOTER_LEN comes on top.
  static std::size_t vector_len(std::string_view data_file) noexcept {
    return detail::sure<std::size_t>(puffin_writer_vector_len, data_file.data(), data_file.size());
  }
  static expected<std::size_t> entry_len(const puffin_new_blob &entry, std::uint64_t at,
                                         std::uint64_t length) noexcept {
    return detail::give<std::size_t>(puffin_writer_entry_len, &entry, at, length);
  }
  static expected<std::size_t> properties_len(span<const puffin_property> file_properties) noexcept {
    return detail::give<std::size_t>(puffin_writer_properties_len, file_properties.data(), file_properties.size());
  }

  writer() noexcept : raw_{} {}
  writer(const writer &) = delete;
  writer &operator=(const writer &) = delete;
  // Starts a file; without memory for it, {}, its pieces are put where they belong by the caller.
  expected<void> start(span<std::uint8_t> whole, span<std::uint8_t> buffer, span<std::uint64_t> scratch) noexcept {
    return detail::done(puffin_writer_start, whole.data(), whole.size(), buffer.data(), buffer.size(), scratch.data(),
                        scratch.size(), &raw_);
  }
  expected<void> add_vector(std::string_view data_file, bytes stored, puffin_manifest_entry *entry = nullptr) noexcept {
    return detail::done(puffin_writer_add_vector, &raw_, data_file.data(), data_file.size(), stored.data(),
                        stored.size(), entry);
  }
  expected<span<std::uint8_t>> spare() noexcept {
    std::uint8_t *data = nullptr;
    std::size_t len = 0;
    puffin_error error;
    if (puffin_writer_spare(&raw_, &data, &len, &error) != PUFFIN_STATUS_OK) return error;
    return span<std::uint8_t>(data, len);
  }
  expected<void> commit_vector(std::string_view data_file, std::size_t len,
                               puffin_manifest_entry *entry = nullptr) noexcept {
    return detail::done(puffin_writer_commit_vector, &raw_, data_file.data(), data_file.size(), len, entry);
  }
  expected<void> set_fields(span<const std::int32_t> fields) noexcept {
    return detail::done(puffin_writer_set_fields, &raw_, fields.data(), fields.size());
  }
  // The answer is where in the file the blob starts.
  expected<std::uint64_t> add_blob(const puffin_new_blob &entry, bytes stored) noexcept {
    return detail::give<std::uint64_t>(puffin_writer_add_blob, &raw_, &entry, stored.data(), stored.size());
  }
  expected<std::uint64_t> copy_blob(const blob &entry, bytes stored) noexcept {
    return detail::give<std::uint64_t>(puffin_writer_copy_blob, &raw_, &entry.raw(), stored.data(), stored.size());
  }
  // Where the next blob will start.
  expected<std::uint64_t> offset() const noexcept {
    std::uint64_t at = 0;
    puffin_error error;
    if (puffin_writer_offset(&raw_, &at, nullptr, &error) != PUFFIN_STATUS_OK) return error;
    return at;
  }
  expected<void> replace_buffer(span<std::uint8_t> buffer) noexcept {
    return detail::done(puffin_writer_replace_buffer, &raw_, buffer.data(), buffer.size());
  }
  expected<void> replace_scratch(span<std::uint64_t> scratch) noexcept {
    return detail::done(puffin_writer_replace_scratch, &raw_, scratch.data(), scratch.size());
  }
  expected<puffin_written> finish(span<const puffin_property> file_properties = {}) noexcept {
    return detail::give<puffin_written>(puffin_writer_finish, &raw_, file_properties.data(), file_properties.size());
  }
  expected<std::size_t> lz4_scratch_len(span<const puffin_property> file_properties = {}) noexcept {
    return detail::give<std::size_t>(puffin_writer_lz4_scratch_len, &raw_, file_properties.data(),
                                     file_properties.size());
  }
  expected<puffin_written> finish_lz4(span<std::uint8_t> scratch,
                                      span<const puffin_property> file_properties = {}) noexcept {
    return detail::give<puffin_written>(puffin_writer_finish_lz4, &raw_, file_properties.data(),
                                        file_properties.size(), scratch.data(), scratch.size());
  }

private:
  puffin_writer raw_;
};

}  // namespace puffin

#endif  // PUFFIN_CODEC_HPP
