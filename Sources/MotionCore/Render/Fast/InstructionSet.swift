package import CVector
internal import Kernels

#if arch(x86_64)
  internal import KernelsV3
#endif

/// Which instructions of the processor the fast renderer's kernels use. Frames are the same bytes by
/// each.
public struct InstructionSet: Sendable {
  /// As the user says it.
  public let name: String

  package let place:
    @Sendable (
      _ upper: MSEdges, _ lower: MSEdges, _ placing: MSPlacing, _ pixels: Int32,
      _ eights: MSBlocks,
      _ into: MSSegments
    ) -> Void
  package let drawLuma:
    @Sendable (
      _ samples: MSSamples, _ along: MSSegments, _ blocks: MSBlocks,
      _ codes: UnsafePointer<UInt8>, _ light: UnsafeMutablePointer<UInt16>,
      _ into: UnsafeMutablePointer<UInt8>
    ) -> Void
  package let drawChroma:
    @Sendable (
      _ samples: MSSamples, _ along: MSSegments, _ blocks: MSBlocks, _ into: MSChromaTarget
    ) -> Void
  package let solve:
    @Sendable (
      _ sheet: MSSheet, _ row: MSPinnedRow, _ columns: UnsafePointer<Float>, _ count: Int,
      _ x: UnsafeMutablePointer<Float>, _ y: UnsafeMutablePointer<Float>
    ) -> Void
  package let check:
    @Sendable (
      _ sheet: MSSheet, _ upper: (edges: MSEdges, row: MSPinnedRow),
      _ lower: (edges: MSEdges, row: MSPinnedRow), _ block: Int, _ tolerance: Float,
      _ holds: UnsafeMutablePointer<Bool>
    ) -> Void

  package let placePixels:
    @Sendable (
      _ edges: MSEdges, _ blocks: MSBlocks, _ first: Int, _ x: UnsafeMutablePointer<Float>,
      _ y: UnsafeMutablePointer<Float>
    ) -> Void
  package let layColour:
    @Sendable (
      _ layer: MSColours, _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ count: Int,
      _ isOver: Bool, _ places: MSPlaces, _ into: UnsafeMutablePointer<SIMD4<Float>>
    ) -> Void
  package let encodeLight:
    @Sendable (
      _ light: UnsafePointer<SIMD4<Float>>, _ count: Int, _ table: UnsafePointer<Float>,
      _ steps: Float, _ into: UnsafeMutablePointer<Float>
    ) -> Void
  package let putLuma:
    @Sendable (
      _ encoded: UnsafePointer<Float>, _ count: Int, _ blocks: MSBlocks, _ matrix: MSMatrixRow,
      _ into: UnsafeMutablePointer<UInt8>
    ) -> Void
  package let putChroma:
    @Sendable (
      _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, _ count: Int,
      _ blocks: MSBlocks, _ filter: MSSiteFilter, _ cb: MSMatrixRow, _ cr: MSMatrixRow,
      _ into: MSChromaTarget
    ) -> Void

  /// What every processor of the architecture has.
  public static let baseline = InstructionSet(
    name: "baseline", place: Kernels.placeSegments, drawLuma: Kernels.drawLuma,
    drawChroma: Kernels.drawChroma, solve: Kernels.solvePoints, check: Kernels.checkLines,
    placePixels: Kernels.placePixels, layColour: Kernels.layColour,
    encodeLight: Kernels.encodeLight,
    putLuma: Kernels.putLuma, putChroma: Kernels.putChroma)

  /// The plain twins of all kernels: what the others are judged by.
  package static let plain = InstructionSet(
    name: "plain", place: Kernels.placeSegmentsPlainly, drawLuma: Kernels.drawLumaPlainly,
    drawChroma: Kernels.drawChromaPlainly, solve: Kernels.solvePointsPlainly,
    check: Kernels.checkLinesPlainly,
    placePixels: Kernels.placePixelsPlainly, layColour: Kernels.layColourPlainly,
    encodeLight: Kernels.encodeLightPlainly,
    putLuma: Kernels.putLumaPlainly, putChroma: Kernels.putChromaPlainly)

  #if arch(x86_64)
    /// Nil where the processor or the system lacks some of x86-64-v3.
    private static let v3: InstructionSet? =
      msHasV3() == 0
      ? nil
      : InstructionSet(
        name: "v3", place: KernelsV3.placeSegments, drawLuma: KernelsV3.drawLuma,
        drawChroma: KernelsV3.drawChroma, solve: KernelsV3.solvePoints,
        check: KernelsV3.checkLines,
        placePixels: KernelsV3.placePixels, layColour: KernelsV3.layColour,
        encodeLight: KernelsV3.encodeLight,
        putLuma: KernelsV3.putLuma, putChroma: KernelsV3.putChroma)
  #else
    private static let v3: InstructionSet? = nil
  #endif

  /// Those that run here, the fastest last.
  public static let all = [baseline] + [v3].compactMap(\.self)

  public static var best: InstructionSet { all.last! }
}
