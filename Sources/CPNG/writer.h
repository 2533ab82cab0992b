#pragma once
#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Why this is C: see shim.h. One call encodes a whole picture into memory that grows, because
// libpng's errors, its own and those of a full memory, must not jump across a Swift frame.

typedef struct cpng_output {
  uint8_t *data;
  size_t size;
  size_t room;
} cpng_output;

static inline void cpng_write_failed(png_structp png, png_const_charp text) {
  (void)text;
  longjmp(png_jmpbuf(png), 1);
}

static inline void cpng_push(png_structp png, png_bytep bytes, size_t count) {
  cpng_output *output = (cpng_output *)png_get_io_ptr(png);
  if (count > output->room - output->size) {
    size_t room = output->room * 2;
    if (room < output->size + count) room = output->size + count + 65536;
    uint8_t *grown = (uint8_t *)realloc(output->data, room);
    if (!grown) png_error(png, "out of memory");
    output->data = grown;
    output->room = room;
  }
  memcpy(output->data + output->size, bytes, count);
  output->size += count;
}

static inline void cpng_flush(png_structp png) { (void)png; }

// Encodes height rows of `stride` bytes: 1 (grey), 3 (RGB) or 4 (RGBA) channels of 8 or 16 bits in
// native byte order. `srgb` adds the sRGB chunk. False where memory ran out; output->data is the
// caller's to free either way.
static inline bool cpng_encode(
    cpng_output *output, uint32_t width, uint32_t height, int channels, int bits, bool srgb,
    const void *pixels, size_t stride) {
  png_structp png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, output, cpng_write_failed, cpng_write_failed);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (!info || setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_set_write_fn(png, output, cpng_push, cpng_flush);
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  const int type = channels == 1   ? PNG_COLOR_TYPE_GRAY
                   : channels == 3 ? PNG_COLOR_TYPE_RGB
                                   : PNG_COLOR_TYPE_RGB_ALPHA;
  // Half the time of zlib's own choice for files that are hardly larger.
  png_set_compression_level(png, 4);
  png_set_IHDR(
      png, info, width, height, bits, type, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
      PNG_FILTER_TYPE_DEFAULT);
  if (srgb) png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_write_info(png, info);
  const uint16_t one = 1;
  uint8_t first;
  memcpy(&first, &one, 1);
  if (bits == 16 && first == 1) png_set_swap(png);
  for (uint32_t y = 0; y < height; y++)
    png_write_row(png, (png_const_bytep)pixels + (size_t)y * stride);
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return true;
}
