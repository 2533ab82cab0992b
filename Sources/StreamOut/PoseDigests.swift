public import MotionCore

/// The MD5 of every pose of a loop, gathered from frames that pass by or are drawn for it. Each pose
/// is hashed once.
public struct PoseDigests: Sendable {
  /// The ids of the loop's poses, in the order in which frames show them.
  public let ids: [Int]
  private let loop: Loop
  /// A place in the loop of each pose that is still missing.
  private var places: [Int: Int]
  private var digests: [Int: MD5] = [:]

  public init(_ loop: Loop) {
    self.loop = loop
    var (ids, places): ([Int], [Int: Int]) = ([], [:])
    for place in 0..<loop.period {
      let id = loop.poseID(ofFrame: UInt64(place))
      if places.updateValue(place, forKey: id) == nil { ids.append(id) }
    }
    (self.ids, self.places) = (ids, places)
  }

  public var isComplete: Bool { places.isEmpty }

  subscript(id: Int) -> MD5? { digests[id] }

  /// Takes a frame at a place of the loop.
  public mutating func see(_ frame: Frame, at place: Int) {
    let id = loop.poseID(ofFrame: UInt64(place))
    guard places.removeValue(forKey: id) != nil else { return }
    digests[id] = MD5(frame)
  }

  /// Draws the poses that are missing, on `threads` threads.
  ///
  /// - Parameters:
  ///   - shot: of this loop.
  ///   - isOver: asked before each; true leaves the rest missing.
  public mutating func draw(
    from shot: Shot, threads: Int, unless isOver: @Sendable @escaping () -> Bool
  ) async {
    precondition(shot.loop == loop)
    let missing = places.sorted { $0.value < $1.value }
    let drawn = await withTaskGroup(of: [(id: Int, md5: MD5)].self) { group in
      for first in 0..<min(threads, missing.count) {
        group.addTask {
          var drawn: [(id: Int, md5: MD5)] = []
          for index in stride(from: first, to: missing.count, by: threads) where !isOver() {
            drawn.append((missing[index].key, MD5(shot.frame(UInt64(missing[index].value)))))
          }
          return drawn
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    for (id, md5) in drawn {
      digests[id] = md5
      places[id] = nil
    }
  }
}
