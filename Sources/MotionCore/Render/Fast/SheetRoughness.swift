internal import CVector

/// How far a sheet's δ strays from an even slope, in windows: where it hardly does, lines between the
/// nodes of a `SheetMap` hold without a check.
struct SheetRoughness: Sendable {
  /// Samples from window to window, and across one.
  static let pitch = 8
  static let width = 16

  /// The most that δ lies from the surface between the window's corners, and from corner to corner.
  let windows: Plane<SIMD2<Float>>

  init(_ disparity: Plane<Float>) async {
    let (columns, rows) = (disparity.width, disparity.height)
    windows = await Plane<SIMD2<Float>>(
      width: (columns + Self.pitch - 1) / Self.pitch, height: (rows + Self.pitch - 1) / Self.pitch
    ) { y, row in
      let top = y * Self.pitch
      let bottom = min(top + Self.width, rows - 1)
      disparity.withUnsafeSamples { samples in
        for x in row.indices {
          let left = x * Self.pitch
          let right = min(left + Self.width, columns - 1)
          func sample(_ x: Int, _ y: Int) -> Float { samples[y * columns + x] }
          let upper = (sample(left, top), sample(right, top))
          let lower = (sample(left, bottom), sample(right, bottom))
          var most: Float = 0
          for line in top...bottom {
            let down = Float(line - top) / Float(max(bottom - top, 1))
            let from = upper.0 + (lower.0 - upper.0) * down
            let slope = (upper.1 + (lower.1 - upper.1) * down - from) / Float(max(right - left, 1))
            let first = samples.baseAddress! + (line * columns + left)
            for step in 0...right - left {
              most = max(most, abs(first[step] - (from + Float(step) * slope)))
            }
          }
          let corners = [upper.0, upper.1, lower.0, lower.1]
          row[x] = SIMD2(most, corners.max()! - corners.min()!)
        }
      }
    }
  }
}

extension SheetRoughness {
  /// How even δ has to be for a camera.
  struct Evenness {
    private let density: SIMD2<Float>
    private let offset: SIMD2<Float>
    private let last: SIMD2<Float>
    /// Of δ: from the surface between a window's corners, and from corner to corner.
    private let most: SIMD2<Float>

    /// - Parameters:
    ///   - reach: how far a frame's pixels lie from the principal point at most, in photo pixels.
    ///   - tolerance: how far from its place a pixel may be seen, in photo pixels.
    init(_ sheet: MSSheet, reach: Float, tolerance: Float) {
      density = SIMD2(sheet.densityX, sheet.densityY)
      offset = SIMD2(sheet.offsetX, sheet.offsetY)
      last = SIMD2(sheet.lastX, sheet.lastY)
      // How far a point moves where δ is 1 more.
      let perDelta = max(
        abs(sheet.sidewaysX) + abs(sheet.sidewaysY) + abs(sheet.forward)
          * (reach + max(abs(sheet.shiftX), abs(sheet.shiftY))) * sheet.perZoom,
        1e-6)
      // Between places in a window, twice as far from a line; and lines through places that are shifted
      // so little that no two places of the window are seen at one.
      most = SIMD2(tolerance / 4, Float(SheetRoughness.pitch) / 2 / density.max()) / perDelta
    }

    /// Whether lines hold between four nodes, the photo points of which are given.
    @inline(always)
    func holds(
      _ windows: UnsafeBufferPointer<SIMD2<Float>>, width: Int, _ pointX: SIMD4<Float>,
      _ pointY: SIMD4<Float>
    ) -> Bool {
      @inline(always)
      func window(
        _ points: SIMD4<Float>, _ density: Float, _ offset: Float, _ last: Float
      ) -> Int? {
        let low = min(min(points.x, points.y), min(points.z, points.w)) * density + offset
        let high = max(max(points.x, points.y), max(points.z, points.w)) * density + offset
        guard low >= 0, high <= last else { return nil }
        let first = Int(low) / SheetRoughness.pitch
        return high <= Float(first &* SheetRoughness.pitch &+ SheetRoughness.width) ? first : nil
      }
      guard let column = window(pointX, density.x, offset.x, last.x),
        let row = window(pointY, density.y, offset.y, last.y)
      else { return false }
      let roughness = windows[row &* width &+ column]
      return roughness.x <= most.x && roughness.y <= most.y
    }
  }
}
