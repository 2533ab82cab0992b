/// A 3×3 matrix on colours: between the light of two sets of primaries, or X, Y, Z.
public struct ColourMatrix: Hashable, Sendable {
  /// Column after column: where one unit of each of the three goes.
  private let elements: [Double]

  /// - Parameter columns: three of three numbers.
  public init(columns: [[Double]]) {
    precondition(columns.count == 3 && columns.allSatisfy { $0.count == 3 })
    elements = Array(columns.joined())
  }

  static let identity = ColourMatrix(columns: [[1, 0, 0], [0, 1, 0], [0, 0, 1]])

  /// Whether it does so little that the difference is the rounding of a profile's numbers.
  var isNearIdentity: Bool {
    zip(elements, Self.identity.elements).allSatisfy { abs($0 - $1) < 0.001 }
  }

  subscript(row: Int, column: Int) -> Double { elements[3 * column + row] }

  /// What the matrix makes of three numbers.
  public func callAsFunction(_ x: Double, _ y: Double, _ z: Double) -> [Double] {
    (0..<3).map { self[$0, 0] * x + self[$0, 1] * y + self[$0, 2] * z }
  }

  public static func * (left: ColourMatrix, right: ColourMatrix) -> ColourMatrix {
    ColourMatrix(columns: (0..<3).map { left(right[0, $0], right[1, $0], right[2, $0]) })
  }

  /// Nil where there is none.
  var inverse: ColourMatrix? {
    func minor(_ row: Int, _ column: Int) -> Double {
      let (r, s) = ((row + 1) % 3, (row + 2) % 3)
      let (c, d) = ((column + 1) % 3, (column + 2) % 3)
      return self[r, c] * self[s, d] - self[r, d] * self[s, c]
    }
    let determinant = (0..<3).reduce(0) { $0 + self[0, $1] * minor(0, $1) }
    guard determinant != 0, determinant.isFinite else { return nil }
    return ColourMatrix(
      columns: (0..<3).map { column in (0..<3).map { minor(column, $0) / determinant } })
  }

  /// Multiplies x, y and z of each element; w stays.
  func apply(to row: UnsafeMutableBufferPointer<SIMD4<Float>>) {
    func column(_ index: Int) -> SIMD4<Float> {
      SIMD4(Float(self[0, index]), Float(self[1, index]), Float(self[2, index]), 0)
    }
    let (first, second, third) = (column(0), column(1), column(2))
    for x in row.indices {
      let colour = row[x]
      var product = first * colour.x + second * colour.y + third * colour.z
      product.w = colour.w
      row[x] = product
    }
  }
}
