#pragma once
#include <libheif/heif.h>

// Why this exists: libheif bounds the size of an image in two ways, and the newer one is not in the
// headers of the older versions. `side` bounds both sides before 1.19, `pixels` their product since.
static inline void cheif_limit(struct heif_context *context, int side, uint64_t pixels) {
#if LIBHEIF_HAVE_VERSION(1, 19, 0)
  (void)side;
  heif_context_get_security_limits(context)->max_image_size_pixels = pixels;
#else
  (void)pixels;
  heif_context_set_maximum_image_size_limit(context, side);
#endif
}
