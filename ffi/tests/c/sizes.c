/* Prints the size of every struct, which is part of the binary interface. */
#include "puffin_codec.h"

#include <stdio.h>

#define SIZE(type) printf("%s %zu\n", #type, sizeof(type))

int main(void) {
  SIZE(puffin_error);
  SIZE(puffin_str);
  SIZE(puffin_property);
  SIZE(puffin_file);
  SIZE(puffin_footer);
  SIZE(puffin_metadata);
  SIZE(puffin_properties);
  SIZE(puffin_limits);
  SIZE(puffin_footer_info);
  SIZE(puffin_blob);
  SIZE(puffin_blobs);
  SIZE(puffin_blob_info);
  SIZE(puffin_dv);
  SIZE(puffin_index);
  SIZE(puffin_positions);
  SIZE(puffin_positions_rev);
  SIZE(puffin_cursor);
  SIZE(puffin_ranges);
  SIZE(puffin_range);
  SIZE(puffin_bitmap32);
  SIZE(puffin_values);
  SIZE(puffin_operation);
  SIZE(puffin_manifest_entry);
  SIZE(puffin_verify);
  SIZE(puffin_finding);
  SIZE(puffin_source);
  SIZE(puffin_encode_options);
  SIZE(puffin_writer);
  SIZE(puffin_new_blob);
  SIZE(puffin_written);
  return 0;
}
