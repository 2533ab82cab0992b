#pragma once
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

// Why this is C: libtiff reads through callbacks and says what is wrong with a va_list, and its
// TIFFGetField is variadic; Swift can do neither. Everything else is called from Swift.

typedef struct ctiff_file {
  TIFF *tiff;
  const uint8_t *data;
  uint64_t size;
  uint64_t offset;
  // Whether something behind the end was asked for.
  bool ran_out;
  char message[160];
} ctiff_file;

static inline tmsize_t ctiff_read(thandle_t handle, void *target, tmsize_t count) {
  ctiff_file *file = (ctiff_file *)handle;
  const uint64_t left = file->offset < file->size ? file->size - file->offset : 0;
  if ((uint64_t)count > left) file->ran_out = true;
  const uint64_t given = (uint64_t)count < left ? (uint64_t)count : left;
  memcpy(target, file->data + (left ? file->offset : 0), given);
  file->offset += given;
  return (tmsize_t)given;
}

static inline tmsize_t ctiff_write(thandle_t handle, void *source, tmsize_t count) {
  (void)handle, (void)source, (void)count;
  return -1;
}

static inline toff_t ctiff_seek(thandle_t handle, toff_t offset, int whence) {
  ctiff_file *file = (ctiff_file *)handle;
  const uint64_t base =
      whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file->offset : file->size;
  return file->offset = base + offset;
}

static inline int ctiff_close(thandle_t handle) {
  (void)handle;
  return 0;
}

static inline toff_t ctiff_length(thandle_t handle) { return ((ctiff_file *)handle)->size; }

// Keeps the first text: what follows are consequences.
static inline int ctiff_failed(
    TIFF *tiff, void *handle, const char *module, const char *format, va_list arguments) {
  (void)tiff, (void)module;
  ctiff_file *file = (ctiff_file *)handle;
  if (!file->message[0]) vsnprintf(file->message, sizeof file->message, format, arguments);
  return 1;
}

static inline int ctiff_warned(
    TIFF *tiff, void *handle, const char *module, const char *format, va_list arguments) {
  (void)tiff, (void)handle, (void)module, (void)format, (void)arguments;
  return 1;
}

static inline void ctiff_destroy(ctiff_file *file) {
  if (file->tiff) TIFFClose(file->tiff);
  free(file);
}

// Opens the first picture; `tiff` is NULL where there is none. The bytes must outlive the file, and
// no single allocation is larger than `limit`. NULL where memory ran out.
static inline ctiff_file *ctiff_create(const void *data, size_t size, size_t limit) {
  ctiff_file *file = (ctiff_file *)calloc(1, sizeof *file);
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (!file || !options) {
    free(file);
    if (options) TIFFOpenOptionsFree(options);
    return NULL;
  }
  file->data = (const uint8_t *)data;
  file->size = size;
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)limit);
  TIFFOpenOptionsSetErrorHandlerExtR(options, ctiff_failed, file);
  TIFFOpenOptionsSetWarningHandlerExtR(options, ctiff_warned, file);
  // "m": no mapping, whose callbacks are not given.
  file->tiff = TIFFClientOpenExt(
      "", "rm", file, ctiff_read, ctiff_write, ctiff_seek, ctiff_close, ctiff_length, NULL, NULL,
      options);
  TIFFOpenOptionsFree(options);
  return file;
}

// The value of a tag whose numbers are SHORT, or its default; 0 where it has none.
static inline int ctiff_short(const ctiff_file *file, uint32_t tag) {
  uint16_t value = 0;
  return TIFFGetFieldDefaulted(file->tiff, tag, &value) ? value : 0;
}

// Whether the file says it.
static inline bool ctiff_says(const ctiff_file *file, uint32_t tag) {
  uint16_t value = 0;
  return TIFFGetField(file->tiff, tag, &value);
}

// The same for LONG.
static inline uint32_t ctiff_long(const ctiff_file *file, uint32_t tag) {
  uint32_t value = 0;
  return TIFFGetFieldDefaulted(file->tiff, tag, &value) ? value : 0;
}

// What the first sample behind the colour is, an EXTRASAMPLE_ constant; -1 where there is none.
static inline int ctiff_extra(const ctiff_file *file) {
  uint16_t count = 0;
  uint16_t *kinds = NULL;
  if (!TIFFGetField(file->tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds) || !count) return -1;
  return kinds[0];
}

// The colour profile, which the file owns, and its length; NULL where there is none.
static inline const uint8_t *ctiff_profile(const ctiff_file *file, uint32_t *length) {
  void *profile = NULL;
  *length = 0;
  if (!TIFFGetField(file->tiff, TIFFTAG_ICCPROFILE, length, &profile)) return NULL;
  return (const uint8_t *)profile;
}

// libtiff's text of the failure: a C array is a tuple in Swift.
static inline const char *ctiff_message(const ctiff_file *file) { return file->message; }
