#pragma once
#include <lcms2.h>

// Why this is C: pixel formats are made of macros that Swift cannot see.

// Pixels of four floats, of which the first `channels` count and the others are left alone.
static inline cmsUInt32Number clcms_floats(int channels) {
  return FLOAT_SH(1) | CHANNELS_SH(channels) | EXTRA_SH(4 - channels) | BYTES_SH(4);
}

// C, M, Y, K of 8 bits, 0 being no ink.
static inline cmsUInt32Number clcms_inks(void) { return TYPE_CMYK_8; }

// R, G, B of 16 bits, and one sample that is left alone.
static inline cmsUInt32Number clcms_rgba16(void) { return TYPE_RGBA_16; }

static inline cmsUInt32Number clcms_flags(void) {
  return cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_HIGHRESPRECALC;
}
