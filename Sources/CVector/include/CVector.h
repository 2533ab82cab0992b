#pragma once
// What kernels are given, and the few operations on vectors that Swift compiles into calls or lane by
// lane. Everything is inlined into the caller and built for its instruction set; nothing here multiplies
// in floating point, where C may fuse what Swift does not.

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MS_INLINE static inline __attribute__((always_inline))

typedef uint8_t MSUInt8x8 __attribute__((ext_vector_type(8)));
typedef uint16_t MSUInt16x8 __attribute__((ext_vector_type(8)));
typedef int16_t MSInt16x8 __attribute__((ext_vector_type(8)));
typedef int32_t MSInt32x8 __attribute__((ext_vector_type(8)));
typedef uint32_t MSUInt32x8 __attribute__((ext_vector_type(8)));
typedef float MSFloat32x8 __attribute__((ext_vector_type(8)));
typedef float MSFloat32x16 __attribute__((ext_vector_type(16)));
typedef float MSFloat32x4 __attribute__((ext_vector_type(4)));
typedef double MSFloat64x4 __attribute__((ext_vector_type(4)));

/// A plane of 16-bit samples.
typedef struct {
  const uint16_t *_Nonnull base;
  /// Samples from row to row.
  ptrdiff_t stride;
} MSSamples;

/// Some blocks of a row, by their numbers.
typedef struct {
  const int32_t *_Nonnull numbers;
  ptrdiff_t count;
} MSBlocks;

/// Where the blocks of a row look into a plane: an entry a block.
///
/// Pixel k looks at the sample `first` + k and place + k · step further, in 1/16384 of a sample; and
/// down + k · fall below, of a row. None of these is negative for any pixel.
typedef struct {
  int32_t *_Nonnull first;
  int32_t *_Nonnull place;
  int32_t *_Nonnull step;
  int32_t *_Nonnull down;
  int32_t *_Nonnull fall;
  /// Reach + 3 · rows: whether its pixels stray by no more than one sample beyond the first pair (0),
  /// by two (1) or by three (2), and whether they lie on a row of samples (0), between two (1) or among
  /// three (2); `MSSegmentsApart` for all else.
  int32_t *_Nonnull kind;
} MSSegments;

/// The kind of a segment whose pixels have to be looked up one by one.
enum { MSSegmentsApart = 9 };

/// The points that blocks begin and end at along a row of a frame.
typedef struct {
  const float *_Nonnull x;
  const float *_Nonnull y;
} MSEdges;

/// From such points to places in a plane.
typedef struct {
  float scaleX, scaleY;
  float offsetX, offsetY;
  /// The largest place that may be looked at.
  float lastX, lastY;
  /// What part of a block lies before its first pixel.
  float lead;
  /// Samples from row to row.
  int32_t stride;
} MSPlacing;

/// The bytes of Cb and of Cr, and how far it is from site to site.
typedef struct {
  uint8_t *_Nonnull cb;
  uint8_t *_Nonnull cr;
  ptrdiff_t step;
} MSChromaTarget;

/// A sheet, its δ and how a camera sees it: `SheetLookup` in MotionCore.
typedef struct {
  /// In row order: at least two columns and two rows.
  const float *_Nonnull disparity;
  int32_t width;
  /// The last sample's place, and that of the last pair.
  float lastX, lastY;
  float lastPairX, lastPairY;
  /// From photo points to samples.
  float densityX, densityY;
  float offsetX, offsetY;
  float shiftX, shiftY;
  float perZoom;
  float forward;
  float sidewaysX, sidewaysY;
  /// The largest product of δ and `forward`.
  float nearest;
  int32_t rounds;
  /// The square of what a point at rest may move.
  float rest;
} MSSheet;

/// Pinned photo points along a row.
typedef struct {
  float left;
  float step;
  float line;
} MSPinnedRow;

/// A layer's colours in linear light, R, G, B and coverage, in row order.
typedef struct {
  const MSFloat32x4 *_Nonnull colour;
  /// At least 2, as is the number of rows.
  int32_t width;
  /// The last sample's place, and that of the last pair.
  float lastX, lastY;
  float lastPairX, lastPairY;
  /// From photo points to samples.
  float densityX, densityY;
  float offsetX, offsetY;
} MSColours;

/// Where pixels look into a plane of colours: an entry a pixel.
typedef struct {
  /// The upper left of four samples, in row order.
  int32_t *_Nonnull first;
  /// How far from it, 0…1.
  float *_Nonnull across;
  float *_Nonnull down;
} MSPlaces;

/// A code is offset + weights · R'G'B'.
typedef struct {
  float red, green, blue;
  float offset;
} MSMatrixRow;

/// How much of a strip's rows, and of three columns, a chroma site takes.
typedef struct {
  float upper, lower;
  float left, own, right;
} MSSiteFilter;

/// The higher halves of products.
MS_INLINE MSUInt16x8 msHigh(MSUInt16x8 a, MSUInt16x8 b) {
  MSUInt32x8 product =
      __builtin_convertvector(a, MSUInt32x8) * __builtin_convertvector(b, MSUInt32x8);
  return __builtin_convertvector(product >> 16, MSUInt16x8);
}

/// Asks for what lies there, without waiting for it; any address will do.
MS_INLINE void msPrefetch(const void *_Nonnull at) { __builtin_prefetch(at); }

/// The last of four numbers, four times.
MS_INLINE MSFloat32x4 msSpreadLast(MSFloat32x4 a) {
  return __builtin_shufflevector(a, a, 3, 3, 3, 3);
}

/// All bits set where the highest one is.
MS_INLINE MSUInt16x8 msSpreadHighest(MSUInt16x8 a) { return (MSUInt16x8)((MSInt16x8)a >> 15); }

/// `a` where all bits of the mask are set, `b` where none is.
MS_INLINE MSUInt16x8 msSelect(MSUInt16x8 mask, MSUInt16x8 a, MSUInt16x8 b) {
  return (a & mask) | (b & ~mask);
}

/// Four numbers from each of two places.
MS_INLINE MSUInt16x8 msLoadTwo(const uint16_t *_Nonnull a, const uint16_t *_Nonnull b) {
  MSUInt16x8 both;
  memcpy(&both, a, 8);
  memcpy((char *)&both + 8, b, 8);
  return both;
}

/// The higher bytes.
MS_INLINE MSUInt8x8 msHighBytes(MSUInt16x8 a) { return __builtin_convertvector(a >> 8, MSUInt8x8); }

/// Whole numbers, 0…255.
MS_INLINE MSUInt8x8 msBytes(MSInt32x8 a) { return __builtin_convertvector(a, MSUInt8x8); }

/// Every fourth number, eight of them.
MS_INLINE MSFloat32x8 msEveryFourth(const float *_Nonnull first) {
  return (MSFloat32x8){first[0],  first[4],  first[8],  first[12],
                       first[16], first[20], first[24], first[28]};
}

/// Clamped to 0…`last`; what is not a number becomes 0.
MS_INLINE MSFloat32x8 msClamped(MSFloat32x8 a, float last) {
  MSFloat32x8 above = a > 0 ? a : 0;
  return above > last ? last : above;
}

MS_INLINE MSFloat32x8 msAtMost(MSFloat32x8 a, float last) { return a > last ? last : a; }

/// Whole numbers below 2^31.
MS_INLINE MSInt32x8 msWhole(MSFloat32x8 a) { return __builtin_convertvector(a, MSInt32x8); }

/// The whole numbers nearest to numbers below 2^31, away from zero where there are two.
MS_INLINE MSInt32x8 msNearest(MSFloat32x8 a) {
  MSInt32x8 half = ((MSInt32x8)a & INT32_MIN) | 0x3F000000;
  return __builtin_convertvector(a + (MSFloat32x8)half, MSInt32x8);
}

/// Whether any number is not 0.
MS_INLINE int msAny(MSInt32x8 a) { return __builtin_reduce_or(a) != 0; }

MS_INLINE MSFloat32x8 msLoad(const float *_Nonnull from) {
  MSFloat32x8 values;
  memcpy(&values, from, sizeof values);
  return values;
}

MS_INLINE void msStore(MSFloat32x8 values, float *_Nonnull into) {
  memcpy(into, &values, sizeof values);
}

/// The numbers at eight places, none below 0, and then those behind them.
MS_INLINE MSFloat32x16 msPairs(const float *_Nonnull base, MSInt32x8 at) {
  double pairs[8];
  for (int lane = 0; lane < 8; lane++) memcpy(&pairs[lane], base + (uint32_t)at[lane], sizeof pairs[lane]);
  // In this order, from which one instruction takes all of the first, and one all of the second.
  MSFloat32x8 low = (MSFloat32x8)(MSFloat64x4){pairs[0], pairs[1], pairs[4], pairs[5]};
  MSFloat32x8 high = (MSFloat32x8)(MSFloat64x4){pairs[2], pairs[3], pairs[6], pairs[7]};
  return __builtin_shufflevector(low, high, 0, 2, 8, 10, 4, 6, 12, 14, 1, 3, 9, 11, 5, 7, 13, 15);
}

/// The first and the second of each of such pairs.
MS_INLINE MSFloat32x8 msFirst(MSFloat32x16 pairs) { return pairs.lo; }
MS_INLINE MSFloat32x8 msSecond(MSFloat32x16 pairs) { return pairs.hi; }

MS_INLINE MSInt32x8 msMinimum(MSInt32x8 a, MSInt32x8 b) { return __builtin_elementwise_min(a, b); }
MS_INLINE MSInt32x8 msMaximum(MSInt32x8 a, MSInt32x8 b) { return __builtin_elementwise_max(a, b); }

/// Whether the processor and the system know everything of x86-64-v3: AVX2, BMI, F16C, FMA, LZCNT, MOVBE.
static inline int msHasV3(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return __builtin_cpu_supports("x86-64-v3") != 0;
#else
  return 0;
#endif
}
