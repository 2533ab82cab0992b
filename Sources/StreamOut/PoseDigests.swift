public import MotionCore

/// The MD5 of every pose of a loop, and for films that are encoded its likeness, gathered from frames
/// that pass by or are drawn for it. Each pose is hashed once.
public struct PoseDigests: Sendable {
  /// The ids of the loop's poses, in the order in which frames show them.
  public let ids: [Int]
  private let loop: Loop
  /// A place in the loop of each pose that is still missing.
  private var places: [Int: Int]
  private var digests: [Int: Digest] = [:]
  /// The size of the pictures whose likeness is kept; nil where none is.
  private let picture: Size?

  struct Digest: Sendable, Hashable {
    let md5: MD5
    let likeness: Likeness?

    init(_ frame: Frame, picture: Size?) {
      md5 = MD5(frame)
      likeness = picture.map { Likeness(frame, size: $0) }
    }
  }

  /// - Parameter picture: the size of encoded pictures, whose likeness is wanted too.
  public init(_ loop: Loop, picture size: Size? = nil) {
    self.loop = loop
    picture = size
    var (ids, places): ([Int], [Int: Int]) = ([], [:])
    for place in 0..<loop.period {
      let id = loop.poseID(ofFrame: UInt64(place))
      if places.updateValue(place, forKey: id) == nil { ids.append(id) }
    }
    (self.ids, self.places) = (ids, places)
  }

  public var isComplete: Bool { places.isEmpty }

  subscript(id: Int) -> Digest? { digests[id] }

  /// Takes a frame at a place of the loop.
  public mutating func see(_ frame: Frame, at place: Int) {
    let id = loop.poseID(ofFrame: UInt64(place))
    guard places.removeValue(forKey: id) != nil else { return }
    digests[id] = Digest(frame, picture: picture)
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
    let drawn = await withTaskGroup(of: [(id: Int, digest: Digest)].self) { group in
      for first in 0..<min(threads, missing.count) {
        group.addTask { [picture] in
          var drawn: [(id: Int, digest: Digest)] = []
          for index in stride(from: first, to: missing.count, by: threads) where !isOver() {
            let frame = shot.frame(UInt64(missing[index].value))
            drawn.append((missing[index].key, Digest(frame, picture: picture)))
          }
          return drawn
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    for (id, digest) in drawn {
      digests[id] = digest
      places[id] = nil
    }
  }
}
