extension JPEGFile {
  /// What the picture says of its colour: its ICC profile, which may lie in parts over many APP2
  /// segments in any order. Source: ICC.1:2022, annex B.4.
  func colour(in bytes: RawSpan) -> ColourTag {
    let signature = Array("ICC_PROFILE\0".utf8)
    var parts: [Int: Range<Int>] = [:]
    var total: Int?
    for segment in segments where segment.marker == Marker.app2 {
      let body = segment.body
      guard body.count >= signature.count, bytes.has(signature, at: body.lowerBound) else {
        continue
      }
      guard body.count > signature.count + 2,
        let number = bytes.byte(at: body.lowerBound + signature.count).map(Int.init),
        let count = bytes.byte(at: body.lowerBound + signature.count + 1).map(Int.init)
      else { return .brokenICC("an empty part") }
      guard total == nil || total == count, 1...max(count, 1) ~= number, parts[number] == nil
      else { return .brokenICC("parts contradict each other") }
      total = count
      parts[number] = body.dropFirst(signature.count + 2)
    }
    guard let total else { return .untagged }
    guard parts.count == total else { return .brokenICC("a part is missing") }
    var profile: [UInt8] = []
    for number in 1...total {
      bytes.extracting(parts[number]!).withUnsafeBytes { profile += $0 }
    }
    return .icc(profile)
  }

  /// How the four components of a picture in inks are stored.
  struct InkCoding {
    /// Y, Cb, Cr and K rather than C, M, Y and K.
    let isYCCK: Bool
    /// Whether the largest value is no ink.
    let isInverted: Bool
  }

  /// Adobe's programs store inks inverted, and say which model they are in; so does their segment
  /// (APP14), after which everybody goes.
  func inks(in bytes: RawSpan) -> InkCoding {
    let signature = Array("Adobe".utf8)
    for segment in segments where segment.marker == Marker.app14 && segment.body.count >= 12 {
      guard bytes.has(signature, at: segment.body.lowerBound) else { continue }
      let transform = bytes.byte(at: segment.body.lowerBound + 11)
      return InkCoding(isYCCK: transform == 2, isInverted: true)
    }
    return InkCoding(isYCCK: false, isInverted: false)
  }
}
