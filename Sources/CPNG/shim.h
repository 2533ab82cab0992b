#pragma once
#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Why this is C: libpng reports errors by longjmp. Swift cannot see setjmp, and a jump must not
// cross a Swift frame. So every call that can fail stands in one of the functions below, which
// return false instead, and no other libpng function that can fail may be called from Swift.
//
// The order: create, header, rows, destroy. The caller checks the size between header and rows, so
// that nothing of the picture's size is allocated before.

typedef struct cpng_reader {
  png_structp png;
  png_infop info;
  const uint8_t *data;
  size_t size;
  size_t offset;
  bool ran_out;
  char message[128];
  // What libpng said of a colour profile that it does not hand on.
  bool has_bad_icc;
  char icc_message[128];
} cpng_reader;

// The error handler: keeps libpng's text and jumps back into the function that was called.
static inline void cpng_failed(png_structp png, png_const_charp text) {
  cpng_reader *reader = (cpng_reader *)png_get_error_ptr(png);
  strncpy(reader->message, text, sizeof reader->message - 1);
  longjmp(png_jmpbuf(png), 1);
}

static inline void cpng_warned(png_structp png, png_const_charp text) {
  cpng_reader *reader = (cpng_reader *)png_get_error_ptr(png);
  static const char icc[] = "iCCP: ";
  if (strncmp(text, icc, sizeof icc - 1)) return;
  reader->has_bad_icc = true;
  strncpy(reader->icc_message, text + sizeof icc - 1, sizeof reader->icc_message - 1);
}

static inline void cpng_pull(png_structp png, png_bytep target, size_t count) {
  cpng_reader *reader = (cpng_reader *)png_get_io_ptr(png);
  if (count > reader->size - reader->offset) {
    reader->ran_out = true;
    png_error(png, "unexpected end of data");
  }
  memcpy(target, reader->data + reader->offset, count);
  reader->offset += count;
}

// The bytes must outlive the reader. NULL where memory ran out.
static inline cpng_reader *cpng_create(const void *data, size_t size) {
  cpng_reader *reader = (cpng_reader *)calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->data = (const uint8_t *)data;
  reader->size = size;
  reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, cpng_failed, cpng_warned);
  reader->info = reader->png ? png_create_info_struct(reader->png) : NULL;
  if (!reader->info) {
    png_destroy_read_struct(&reader->png, NULL, NULL);
    free(reader);
    return NULL;
  }
  png_set_read_fn(reader->png, reader, cpng_pull);
  return reader;
}

static inline void cpng_destroy(cpng_reader *reader) {
  png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader);
}

// Reads up to the first pixel, and asks for R, G, B, A of 8 or 16 bits in native byte order
// whatever the file holds. The width is in *width and so on; *alpha says whether the file has
// alpha, as a channel or as a transparent colour. No gamma is touched.
static inline bool cpng_header(
    cpng_reader *reader, uint32_t *width, uint32_t *height, int *bits, bool *alpha) {
  png_structp png = reader->png;
  png_infop info = reader->info;
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_read_info(png, info);
  *width = png_get_image_width(png, info);
  *height = png_get_image_height(png, info);
  *bits = png_get_bit_depth(png, info) == 16 ? 16 : 8;
  *alpha = (png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA) != 0 ||
           png_get_valid(png, info, PNG_INFO_tRNS) != 0;
  png_set_expand(png);
  png_set_gray_to_rgb(png);
  if (!*alpha) png_set_add_alpha(png, 0xffff, PNG_FILLER_AFTER);
  const uint16_t one = 1;
  uint8_t first;
  memcpy(&first, &one, 1);
  if (*bits == 16 && first == 1) png_set_swap(png);
  return true;
}

// Reads all rows into `pixels`, which holds height * stride bytes, and the chunks behind them.
static inline bool cpng_rows(cpng_reader *reader, void *pixels, size_t stride) {
  png_structp png = reader->png;
  if (setjmp(png_jmpbuf(png))) return false;
  const int passes = png_set_interlace_handling(png);
  png_read_update_info(png, reader->info);
  if (png_get_rowbytes(png, reader->info) != stride) png_error(png, "unexpected row size");
  const uint32_t height = png_get_image_height(png, reader->info);
  for (int pass = 0; pass < passes; pass++)
    for (uint32_t y = 0; y < height; y++)
      png_read_row(png, (png_bytep)pixels + (size_t)y * stride, NULL);
  png_read_end(png, reader->info);
  return true;
}

// The EXIF block of the file, or NULL; it belongs to the reader.
static inline const uint8_t *cpng_exif(cpng_reader *reader, uint32_t *count) {
  png_bytep exif = NULL;
  png_uint_32 size = 0;
#ifdef PNG_eXIf_SUPPORTED
  if (!png_get_eXIf_1(reader->png, reader->info, &size, &exif)) return NULL;
#endif
  *count = size;
  return exif;
}

// The colour profile of the file, or NULL; it belongs to the reader.
static inline const uint8_t *cpng_icc(cpng_reader *reader, uint32_t *count) {
  png_charp name = NULL;
  png_bytep profile = NULL;
  int method = 0;
  png_uint_32 size = 0;
  if (!png_get_iCCP(reader->png, reader->info, &name, &method, &profile, &size)) return NULL;
  *count = size;
  return profile;
}

static inline bool cpng_is_srgb(cpng_reader *reader) {
  return png_get_valid(reader->png, reader->info, PNG_INFO_sRGB) != 0;
}

// gAMA, the encoding's exponent in units of 1/100000.
static inline bool cpng_gamma(cpng_reader *reader, int32_t *gamma) {
  png_fixed_point value = 0;
  if (!png_get_gAMA_fixed(reader->png, reader->info, &value)) return false;
  *gamma = value;
  return true;
}

// cHRM, x and y of white, red, green and blue in units of 1/100000.
static inline bool cpng_primaries(cpng_reader *reader, int32_t *xy) {
  return png_get_cHRM_fixed(
             reader->png, reader->info, xy, xy + 1, xy + 2, xy + 3, xy + 4, xy + 5, xy + 6,
             xy + 7) != 0;
}

static inline const char *cpng_icc_message(const cpng_reader *reader) {
  return reader->icc_message;
}

// libpng's text of the failure: a C array is a tuple in Swift.
static inline const char *cpng_message(const cpng_reader *reader) { return reader->message; }
