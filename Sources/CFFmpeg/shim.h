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
