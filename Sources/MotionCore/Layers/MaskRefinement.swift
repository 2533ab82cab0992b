extension Plane<Float> {
  /// The least width, in samples, of the band around a contour in which a mask is uncertain: a
  /// photo's own edges are about as wide.
  private static var leastBand: Float { 2 }
  /// The most; a mask coarser than this is not mended by the photo's colours.
  private static var mostBand: Float { 16 }

  /// A mask whose contour has been moved onto the photo's edge.
  ///
  /// Within a band around the contour the mask is taken from the photo's colours, so far as those of
  /// the subject and of the background can be told apart there; beyond it is 0 or 1. That is done
  /// again and again in ever narrower bands around the contour that came out.
  ///
  /// - Parameters:
  ///   - light: the photo in linear light, of the mask's size.
  ///   - reach: by how many samples the contour may be wrong.
  func refined(by light: Plane<SIMD4<Float>>, reach: Float) async -> Plane<Float> {
    var mask = self
    var band = Swift.min(Swift.max(reach, Self.leastBand), Self.mostBand)
    while true {
      let outside = await mask.clear(of: 0.5, by: band)
      let inside = await mask.map { 1 - $0 }.clear(of: 0.5, by: band)
      let likely = mask
      let prior = await Plane(width: width, height: height) { y, row in
        for x in row.indices {
          row[x] = outside[x, y] == 1 ? 0 : inside[x, y] == 1 ? 1 : likely[x, y]
        }
      }
      let known = await Plane(width: width, height: height) { y, row in
        for x in row.indices { row[x] = Swift.max(outside[x, y], inside[x, y]) }
      }
      mask = await prior.predicted(
        by: light, known: known, radius: Int((2 * band).rounded(.up)))
      if band <= Self.leastBand { return mask }
      band = Swift.max(band / 2, Self.leastBand)
    }
  }
}
