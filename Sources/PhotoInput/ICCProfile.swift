internal import MotionCore

#if LittleCMS
  internal import CLCMS

  /// An ICC profile, opened by Little CMS. Source: ICC.1:2022.
  final class ICCProfile {
    fileprivate let handle: cmsHPROFILE

    deinit { cmsCloseProfile(handle) }

    /// Why a profile is not used.
    fileprivate struct Unusable: Error {
      let reason: PhotoColour.Reason

      static func broken(_ detail: String) -> Unusable { Unusable(reason: .broken(detail)) }
    }

    fileprivate init(_ bytes: [UInt8]) throws(Unusable) {
      // Little CMS keeps a copy.
      let opened = bytes.withUnsafeBytes {
        cmsOpenProfileFromMem($0.baseAddress, UInt32($0.count))
      }
      guard let opened else { throw .broken("no ICC profile") }
      handle = opened
    }

    /// A profile made of primaries and a curve: (a·v + b)^g where v ≥ d, else c·v.
    /// - Parameter curve: g, a, b, c, d.
    private init?(_ primaries: Primaries, curve: [Double]) {
      func point(_ at: Primaries.Chromaticity) -> cmsCIExyY { cmsCIExyY(x: at.x, y: at.y, Y: 1) }
      var white = point(primaries.white)
      var triple = cmsCIExyYTRIPLE(
        Red: point(primaries.red), Green: point(primaries.green), Blue: point(primaries.blue))
      let tone = cmsBuildParametricToneCurve(nil, 4, curve)
      defer { cmsFreeToneCurve(tone) }
      guard let tone, let opened = cmsCreateRGBProfile(&white, &triple, [tone, tone, tone]) else {
        return nil
      }
      handle = opened
    }

    /// Linear light with sRGB's primaries.
    fileprivate static func light() -> ICCProfile? { ICCProfile(.sRGB, curve: [1, 1, 0, 1, 0]) }

    /// What inks become: primaries that hold nearly every print's colours, and sRGB's curve.
    fileprivate static func inkTarget() -> ICCProfile? {
      ICCProfile(.bt2020, curve: [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
    }

    /// The profile's description; "unnamed" for one without.
    fileprivate var name: String {
      let info = cmsInfoDescription
      let length = cmsGetProfileInfo(handle, info, "en", "US", nil, 0)
      let capacity = min(Int(length), 4096) / MemoryLayout<wchar_t>.stride
      guard capacity > 1 else { return "unnamed" }
      var text = String.UnicodeScalarView()
      withUnsafeTemporaryAllocation(of: wchar_t.self, capacity: capacity) { buffer in
        buffer.initialize(repeating: 0)
        _ = cmsGetProfileInfo(
          handle, info, "en", "US", buffer.baseAddress,
          UInt32(capacity * MemoryLayout<wchar_t>.stride))
        for unit in buffer.prefix(while: { $0 != 0 }) {
          text.append(Unicode.Scalar(UInt32(truncatingIfNeeded: unit)) ?? "\u{FFFD}")
        }
      }
      return text.isEmpty ? "unnamed" : String(text)
    }

    /// The kind of its channels, as ICC.1 names them: "RGB", "GRAY", "CMYK".
    fileprivate var channels: String {
      let signature = cmsGetColorSpace(handle).rawValue
      let letters = (0..<4).map { UInt8(truncatingIfNeeded: signature >> (24 - 8 * $0)) }
      return String(decoding: letters, as: UTF8.self).split(separator: " ").joined()
    }
  }

  extension ICCProfile {
    /// What light samples mean by a profile.
    static func photoColour(
      _ bytes: [UInt8], of samples: Picture.Samples, bits: Int
    ) -> PhotoColour {
      var name: String?
      do throws(Unusable) {
        let profile = try ICCProfile(bytes)
        name = profile.name
        return try profile.photoColour(of: samples, bits: bits)
      } catch {
        return .ignored(name: name, error.reason)
      }
    }

    private func photoColour(
      of samples: Picture.Samples, bits: Int
    ) throws(Unusable) -> PhotoColour {
      let channels = channels
      let isGrey = channels == "GRAY"
      guard isGrey || channels == "RGB", !isGrey || samples.hasEqualChannels() else {
        throw Unusable(reason: .otherChannels(channels))
      }
      // Tables go before curves and a matrix where a profile has both.
      let tables = [
        cmsSigAToB0Tag, cmsSigAToB1Tag, cmsSigAToB2Tag, cmsSigDToB0Tag, cmsSigDToB1Tag,
      ]
      let hasTables = tables.contains { cmsIsTag(handle, $0) != 0 }
      if hasTables || cmsGetPCS(handle) != cmsSigXYZData {
        return .function(name: name, try rowConversion(channels: isGrey ? 1 : 3))
      }
      if isGrey {
        return .curves(
          name: name, CodeCurves([try light(of: cmsSigGrayTRCTag, bits: bits)]))
      }
      var curves: [[Float]] = []
      for tag in [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag] {
        curves.append(try light(of: tag, bits: bits))
      }
      var columns: [[Double]] = []
      for tag in [cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag] {
        columns.append(try colorant(tag))
      }
      let matrix = Primaries.sRGBFromXYZ * ColourMatrix(columns: columns)
      // Every sound profile makes a white of white.
      guard matrix(1, 1, 1).allSatisfy({ 0.5...1.5 ~= $0 }) else { throw .broken("its white") }
      return .curves(name: name, CodeCurves(curves), matrix)
    }

    private func colorant(_ tag: cmsTagSignature) throws(Unusable) -> [Double] {
      guard let value = cmsReadTag(handle, tag) else { throw .broken("its primaries") }
      let xyz = value.load(as: cmsCIEXYZ.self)
      return [xyz.X, xyz.Y, xyz.Z]
    }

    /// A curve at every code. Little CMS rounds a curve of samples to 16 bits of light, too few for the
    /// shadows of 16-bit photos, so those are interpolated here.
    private func light(of tag: cmsTagSignature, bits: Int) throws(Unusable) -> [Float] {
      guard let value = cmsReadTag(handle, tag) else { throw .broken("its curves") }
      let curve = OpaquePointer(value)
      let largest = Float(1 << bits - 1)
      let count = Int(cmsGetToneCurveEstimatedTableEntries(curve))
      let samples =
        cmsGetToneCurveParametricType(curve) == 0 && count > 1
        ? cmsGetToneCurveEstimatedTable(curve) : nil
      let light = (0..<1 << bits).map { code in
        let value = Float(code) / largest
        guard let samples else { return cmsEvalToneCurveFloat(curve, value) }
        let place = value * Float(count - 1)
        let index = min(Int(place), count - 2)
        let (below, above) = (Float(samples[index]), Float(samples[index + 1]))
        return (below + (above - below) * (place - Float(index))) / 65535
      }
      guard light.allSatisfy(\.isFinite) else { throw .broken("its curves") }
      return light.map { min(max($0, 0), 1) }
    }

    private func rowConversion(channels: Int) throws(Unusable) -> PhotoColour.RowConversion {
      guard let light = ICCProfile.light(),
        let transform = Transform(self, clcms_floats(Int32(channels)), light, clcms_floats(3))
      else { throw .broken("its tables") }
      return { row in
        transform.convert(
          UnsafeMutableRawPointer(row.baseAddress!), to: row.baseAddress!, row.count)
        for x in row.indices where !row[x].x.isFinite || !row[x].y.isFinite || !row[x].z.isFinite {
          row[x] = SIMD4(0, 0, 0, row[x].w)
        }
      }
    }

    /// A conversion between two profiles.
    ///
    /// `@unchecked`: Little CMS only reads a transform without a cache while it converts.
    fileprivate final class Transform: @unchecked Sendable {
      private let handle: cmsHTRANSFORM

      init?(
        _ from: ICCProfile, _ input: UInt32, _ to: ICCProfile, _ output: UInt32
      ) {
        let intent = UInt32(INTENT_RELATIVE_COLORIMETRIC)
        guard
          let made = cmsCreateTransform(
            from.handle, input, to.handle, output, intent, clcms_flags())
        else { return nil }
        handle = made
      }

      deinit { cmsDeleteTransform(handle) }

      /// Both hold `count` pixels of the formats that the conversion was made for.
      func convert(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ count: Int) {
        cmsDoTransform(handle, source, target, UInt32(count))
      }
    }
  }

  /// The profile of a picture in inks.
  struct InkProfile: Sendable {
    let name: String
    private let transform: ICCProfile.Transform

    /// - Parameter kind: the picture's, for errors.
    /// - Throws: `unsupported` without a profile for four inks, `damaged` for a broken one.
    init(_ tag: ColourTag, kind: String) throws(Problem) {
      let format = "ICC profile"
      switch tag {
      case .icc(let bytes):
        let profile: ICCProfile
        do { profile = try ICCProfile(bytes) } catch {
          throw .damaged(kind: format, detail: "no ICC profile")
        }
        guard profile.channels == "CMYK" else { throw .unsupported(kind: kind, feature: .cmyk) }
        guard let target = ICCProfile.inkTarget(),
          let transform = ICCProfile.Transform(profile, clcms_inks(), target, clcms_rgba16())
        else { throw .damaged(kind: format, detail: "its tables") }
        (name, self.transform) = (profile.name, transform)
      case .brokenICC(let detail): throw .damaged(kind: format, detail: detail)
      default: throw .unsupported(kind: kind, feature: .cmyk)
      }
    }

    /// Opaque colours with the primaries of BT.2020 and sRGB's curve.
    /// - Parameter inks: C, M, Y, K, where 0 is no ink.
    func colours(of inks: Plane<SIMD4<UInt8>>) -> Plane<SIMD4<UInt16>> {
      inks.withUnsafeSamples { source in
        Plane(width: inks.width, height: inks.height) { y, row in
          row.initialize(repeating: SIMD4(repeating: .max))
          transform.convert(source.baseAddress! + y * inks.width, to: row.baseAddress!, row.count)
        }
      }
    }
  }
#else
  /// Profiles in a build without Little CMS.
  enum ICCProfile {
    static func photoColour(
      _ bytes: [UInt8], of samples: Picture.Samples, bits: Int
    ) -> PhotoColour { .ignored(name: nil, .noProfiles) }
  }

  /// Inks in a build without Little CMS: there are none.
  enum InkProfile {
    init(_ tag: ColourTag, kind: String) throws(Problem) {
      throw .unsupported(kind: kind, feature: .cmykProfile)
    }

    var name: String { switch self {} }

    func colours(of inks: Plane<SIMD4<UInt8>>) -> Plane<SIMD4<UInt16>> { switch self {} }
  }
#endif
