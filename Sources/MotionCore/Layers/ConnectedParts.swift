/// The parts of a mask that hang together by their sides.
struct ConnectedParts: Sendable {
  /// A number from 1 for each sample of a part, in row order; 0 is outside.
  var labels: [Int]
  let count: Int

  /// - Parameter areLinked: whether two neighbours of the mask, by their indices, hang together.
  init(_ mask: [Bool], width: Int, areLinked: (Int, Int) -> Bool = { _, _ in true }) {
    var labels = [Int](repeating: 0, count: mask.count)
    var (count, open) = (0, [Int]())
    func reach(_ next: Int, from i: Int) {
      guard mask[next], labels[next] == 0, areLinked(i, next) else { return }
      labels[next] = count
      open.append(next)
    }
    for start in mask.indices where mask[start] && labels[start] == 0 {
      count += 1
      labels[start] = count
      open.append(start)
      while let i = open.popLast() {
        let x = i % width
        if x > 0 { reach(i - 1, from: i) }
        if x < width - 1 { reach(i + 1, from: i) }
        if i >= width { reach(i - width, from: i) }
        if i + width < mask.count { reach(i + width, from: i) }
      }
    }
    (self.labels, self.count) = (labels, count)
  }
}
