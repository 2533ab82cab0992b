#pragma once
#include <libyuv.h>

// Why this exists: the type of libyuv's matrices is incomplete in its headers, so Swift does not see
// the constants. This one is the full-range BT.601 matrix of JPEG, mirrored: called with U and V
// exchanged, a function that writes B, G, R, A writes R, G, B, A.
static inline const struct YuvConstants *cyuv_jpeg_mirrored(void) { return &kYvuJPEGConstants; }

// The same for the limited range of WebP.
static inline const struct YuvConstants *cyuv_limited_mirrored(void) { return &kYvuI601Constants; }
