#pragma once
#include <libavcodec/avcodec.h>
#include <libavutil/avutil.h>
#include <libavutil/display.h>
#include <libavutil/md5.h>
#include <libavutil/pixdesc.h>
#include <libavutil/sha.h>

// Why this exists: the planes of a frame are C arrays, which Swift sees as tuples. Reads component
// `c` of row `y` into `line`, which holds as many samples as the frame is wide.
static inline void cav_read_line(
    const AVFrame *frame, const AVPixFmtDescriptor *format, int y, int c, uint32_t *line) {
  av_read_image_line2(
      line, (const uint8_t **)frame->data, frame->linesize, format, 0, y, c, frame->width, 0, 4);
}

#if __has_include(<libavformat/avformat.h>)
#include <dlfcn.h>
#include <libavformat/avformat.h>
#include <libavutil/hwcontext.h>
#include <libavutil/opt.h>

// What is used of libavformat. It is loaded when a film is to be encoded or read, and not linked:
// some forty libraries come with it, which every other start would wait for.
#define CAV_FORMAT_FUNCTIONS(each) \
  each(avformat_alloc_output_context2) each(avformat_new_stream) each(avformat_write_header) \
  each(av_write_frame) each(av_write_trailer) each(avformat_free_context) \
  each(avio_alloc_context) each(avio_context_free) each(avio_open2) each(avio_flush) \
  each(avio_close) each(av_find_input_format) each(avformat_open_input) \
  each(avformat_find_stream_info) each(av_find_best_stream) each(av_read_frame) \
  each(avformat_close_input)

#define CAV_MEMBER(name) __typeof__(&name) name;
typedef struct CAVFormat {
  CAV_FORMAT_FUNCTIONS(CAV_MEMBER)
} CAVFormat;

#define CAV_TEXT_OF(value) #value
#define CAV_TEXT(value) CAV_TEXT_OF(value)

// Loads the libavformat of the headers' major version, for good. Returns NULL, or why it cannot.
static inline const char *cav_load_format(CAVFormat *functions) {
#ifdef __APPLE__
  // Homebrew's folder is not among those that are searched, but libavcodec was found in it.
  char path[4096] = "";
  Dl_info info;
  if (dladdr((void *)avcodec_version, &info)) {
    strlcpy(path, info.dli_fname, sizeof path);
    char *slash = strrchr(path, '/');
    if (slash) slash[1] = 0;
  }
  strlcat(path, "libavformat." CAV_TEXT(LIBAVFORMAT_VERSION_MAJOR) ".dylib", sizeof path);
#else
  const char *path = "libavformat.so." CAV_TEXT(LIBAVFORMAT_VERSION_MAJOR);
#endif
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
#define CAV_FIND(name) \
  if (!(*(void **)&functions->name = dlsym(library, #name))) return dlerror();
  CAV_FORMAT_FUNCTIONS(CAV_FIND)
  return 0;
}

// The type of what writes has changed between versions.
static inline AVIOContext *cav_alloc_io(
    const CAVFormat *functions, int size, void *opaque, int (*read)(void *, uint8_t *, int),
    int (*write)(void *, const uint8_t *, int), int64_t (*seek)(void *, int64_t, int)) {
  unsigned char *buffer = (unsigned char *)av_malloc(size);
  return buffer ? functions->avio_alloc_context(
                      buffer, size, write != 0, opaque, read, (void *)write, seek)
                : 0;
}

// Macros that Swift does not see.
static inline int cav_error(int code) { return AVERROR(code); }
static inline int cav_end_of_file(void) { return AVERROR_EOF; }
static inline int cav_external(void) { return AVERROR_EXTERNAL; }
static inline int cav_no_option(void) { return AVERROR_OPTION_NOT_FOUND; }
static inline int64_t cav_no_time(void) { return AV_NOPTS_VALUE; }
#endif
