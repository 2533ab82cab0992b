/// A scene, a move and a format: every frame of an endless loop.
public struct Shot: Sendable {
  public let format: VideoFormat
  public let framing: Framing
  public let loop: Loop
  private let reference: Reference
  /// Nil where the reference draws.
  private let fast: Fast?

  /// - Parameter amount: how far the move goes, 0…3; less is used where the photo has no room.
  public init(
    _ scene: Scene, _ framing: Framing, _ loop: Loop, _ format: VideoFormat,
    _ method: Method = .layered, layers selection: LayerSelection = .all,
    renderer: Renderer = .fast, instructions: InstructionSet = .best
  ) async {
    precondition(framing.window.output == format.size && framing.amountUsed == loop.amount)
    self.format = format
    self.framing = framing
    self.loop = loop
    // What one stage leaves is of no size that the next one wants.
    PlaneMemory.returnKept()
    let layers = await scene.layers(method, for: framing).filter(selection.takes)
    PlaneMemory.returnKept()
    reference = Reference(layers: layers, framing: framing, format: format)
    fast =
      renderer == .fast
      ? await Fast(
        layers: layers, framing: framing, loop: loop, format: format, kernels: instructions) : nil
    // Drawing takes no more planes.
    PlaneMemory.returnKept()
  }

  /// Frame `n`: a pure function of the shot and the pose that the loop shows there.
  public func frame(_ n: UInt64) -> Frame { frame(poseID: loop.poseID(ofFrame: n)) }

  func frame(poseID: Int) -> Frame {
    let pose = loop.pose(id: poseID)
    return fast?.frame(pose) ?? reference.frame(pose)
  }

  /// What draws the frames.
  public var renderer: Renderer { fast == nil ? .reference : .fast }

  /// The picture seen from `pose` in linear light: R, G, B, and nothing in w.
  func linear(_ pose: Pose) -> Plane<SIMD4<Float>> { reference.linear(pose) }
}

/// What draws a shot's frames.
public enum Renderer: String, Sendable, CaseIterable {
  /// Quickly, where it can: a frame differs from the reference's by less than anyone can see.
  case fast
  /// The plain way, pixel by pixel.
  case reference
}

/// Which of a scene's layers a shot shows.
public enum LayerSelection: String, Sendable, CaseIterable {
  case all
  /// The cards alone, on nothing: what they leave open is transparent, or black in a format that is
  /// opaque.
  case subject
  /// The sheet alone, with what the subject hid filled in.
  case background

  fileprivate func takes(_ layer: Layer) -> Bool {
    switch (self, layer.shape) {
    case (.all, _), (.subject, .card), (.background, .sheet): true
    case (.subject, .sheet), (.background, .card): false
    }
  }
}

/// Which frames of a loop are wanted.
public struct FrameRange: Sendable, Hashable {
  public let start: UInt64
  /// How many, nil for no end.
  public let count: Int?

  public init(start: UInt64 = 0, count: Int?) {
    (self.start, self.count) = (start, count)
  }
}

extension Shot {
  /// Draws frames on `threads` threads and hands them over in order.
  ///
  /// At most a few frames are drawn ahead of the one handed over; poses are kept up to `cacheBytes`
  /// so that a loop's second half, and its repetitions, are not drawn again.
  ///
  /// - Parameter deliver: takes each frame, on the caller's own thread; returns false to stop.
  public func render(
    _ range: FrameRange, threads: Int, cacheBytes: Int = Shot.defaultCacheBytes,
    _ deliver: (Frame) throws -> Bool
  ) async throws {
    let queue = RenderQueue(
      loop: loop, range: range, lookAhead: 2 * threads,
      kept: cacheBytes / max(format.frameBytes, 1))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<threads {
        group.addTask {
          while let id = await queue.nextPose() {
            await queue.finish(id, frame(poseID: id))
          }
        }
      }
      do {
        while let frame = await queue.nextFrame(), try deliver(frame) {}
      } catch {
        await queue.close()
        throw error
      }
      await queue.close()
    }
  }

  /// Enough for a loop of 120 frames at 1080p in 4:2:0, both halves of which share their poses.
  public static let defaultCacheBytes = 200 << 20
}
