internal import MotionCore

/// What the XMP of an auxiliary picture of Apple's says it is.
///
/// Source: the properties that ImageIO writes (`kCGImageAuxiliaryDataInfo…`), seen in files. A matte
/// has the type "depth" and its own subtype; semantic mattes and gain maps are none of these.
enum AppleMap: Sendable, Hashable {
  /// Inverse metres from the first sample to the last.
  case disparity(first: Double, last: Double)
  /// Metres.
  case depth(first: Double, last: Double)
  /// What the portrait effect keeps sharp.
  case matte

  static let kind = "depth data"

  var role: PhotoInputError.Role {
    switch self {
    case .disparity, .depth: .depth
    case .matte: .matte
    }
  }

  /// Nil where the picture is something else.
  /// - Throws: `damaged` for a depth without a sound range.
  init?(_ xmp: XMP) throws(Problem) {
    // Types are words, or the last word of a URN.
    func word(_ property: String) -> String? {
      xmp.text(.apple, property)?.split(separator: ":").last.map { $0.lowercased() }
    }
    if let subtype = word("AuxiliaryImageSubType") {
      guard subtype == "portraiteffectsmatte" else { return nil }
      self = .matte
      return
    }
    let type = word("AuxiliaryImageType") ?? Self.type(xmp.text(.apple, "NativeFormat"))
    guard let type, ["portraiteffectsmatte", "disparity", "depth"].contains(type) else {
      return nil
    }
    if type == "portraiteffectsmatte" {
      self = .matte
      return
    }
    guard let first = xmp.number(.apple, "FloatMinValue"),
      let last = xmp.number(.apple, "FloatMaxValue"), first.isFinite, last.isFinite, first < last
    else { throw .damaged(kind: Self.kind, detail: "no range") }
    self = type == "depth" ? .depth(first: first, last: last) : .disparity(first: first, last: last)
  }

  /// What a Core Video pixel format, a number that stands for four letters, holds.
  private static func type(_ format: String?) -> String? {
    switch format.flatMap({ UInt32($0) }) {
    case 0x6864_6973, 0x6664_6973: "disparity"  // hdis, fdis
    case 0x6864_6570, 0x6664_6570: "depth"  // hdep, fdep
    default: nil
    }
  }

  /// The depth that samples of 0…1 stand for; nil for a matte.
  func depth(_ samples: Plane<Float>) throws(Problem) -> EmbeddedDepth? {
    switch self {
    case .matte: return nil
    case .disparity(let first, let last):
      return try EmbeddedDepth(
        samples.between(first, last), kind: .disparity, nearIsWhite: true, format: Self.kind)
    case .depth(let first, let last):
      return try EmbeddedDepth(
        samples.between(first, last), kind: .metric, nearIsWhite: false, format: Self.kind)
    }
  }
}

extension Plane<Float> {
  /// From `first` where a sample is 0 to `last` where it is 1.
  func between(_ first: Double, _ last: Double) -> Plane<Float> {
    map { Float(first + Double($0) * (last - first)) }
  }
}
