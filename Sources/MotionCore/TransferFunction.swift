/// The sRGB transfer function (IEC 61966-2-1) by tables.
///
/// The tables come from the C library's `pow` in double precision and are rounded far above its
/// error, so they are the same on every machine.
struct TransferFunction: Sendable {
  /// Linear light 0…1 of each 8-bit and each 16-bit code.
  let linear8: [Float]
  let linear16: [Float]
  /// Encoded values 0…1 of linear light at multiples of 1/`encodeSteps`, and one more.
  private let encoded: [Float]

  private static let encodeSteps = 16384

  static let sRGB = TransferFunction()

  private init() {
    func rounded(_ value: Double) -> Float { Float((value * 0x1p30).rounded() / 0x1p30) }
    func decode(_ v: Double) -> Double {
      v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4)
    }
    func encode(_ v: Double) -> Double {
      v <= 0.0031308 ? v * 12.92 : 1.055 * Math.pow(v, 1 / 2.4) - 0.055
    }
    linear8 = (0...255).map { rounded(decode(Double($0) / 255)) }
    linear16 = (0...65535).map { rounded(decode(Double($0) / 65535)) }
    let steps = Self.encodeSteps
    encoded = (0...steps + 1).map { rounded(encode(min(Double($0) / Double(steps), 1))) }
  }

  /// Encodes many values at once: the table is looked up between its entries, which is within 2·10⁻⁶
  /// of the formula.
  struct Encoder {
    private let table: UnsafePointer<Float>

    fileprivate init(_ table: UnsafePointer<Float>) { self.table = table }

    /// The encoded value, 0…1, of linear light; what lies outside 0…1 is clamped.
    @inline(always)
    func callAsFunction(_ linear: Float) -> Float { self(Lanes(repeating: linear))[0] }

    /// The encoded values of a pixel's x, y and z, and w encoded like them.
    @inline(always)
    func callAsFunction(_ linear: SIMD4<Float>) -> SIMD4<Float> {
      self(Lanes(lowHalf: linear, highHalf: linear)).lowHalf
    }

    @inline(always)
    func callAsFunction(_ linear: Lanes) -> Lanes {
      let position = linear.clamped(to: 1) * Float(TransferFunction.encodeSteps)
      let cell = position.cell(last: Float(TransferFunction.encodeSteps))
      let share = position - cell.lower
      var encoded = Lanes.zero
      for lane in 0..<Lanes.scalarCount {
        let entry = table + Int(cell.index[lane])
        encoded[lane] = entry[0] + (entry[1] - entry[0]) * share[lane]
      }
      return encoded
    }
  }

  /// A pixel as 16-bit samples: x, y and z encoded, and the largest value for an opaque one's alpha.
  func sixteenBit(_ linear: SIMD4<Float>) -> SIMD4<UInt16> {
    withEncoder { encode in
      let encoded = encode(linear)
      func code(_ value: Float) -> UInt16 { UInt16(truncatingIfNeeded: Int(value * 65535 + 0.5)) }
      return SIMD4(code(encoded.x), code(encoded.y), code(encoded.z), .max)
    }
  }

  /// Gives `body` the table of encoded values and how many steps it has, as kernels want it: behind the
  /// last step's entry there is one more.
  func withTable<Result>(_ body: (_ encoded: UnsafePointer<Float>, _ steps: Float) -> Result)
    -> Result
  {
    encoded.withUnsafeBufferPointer { body($0.baseAddress!, Float(Self.encodeSteps)) }
  }

  /// Gives `body` an encoder that is valid inside it.
  func withEncoder<Result>(_ body: (Encoder) -> Result) -> Result {
    // The table has an entry behind the one for 1, so that index + 1 always exists.
    encoded.withUnsafeBufferPointer { body(Encoder($0.baseAddress!)) }
  }
}
