#if H264
  internal import CFFmpeg
  internal import MotionCore
  internal import Synchronization

  #if canImport(Darwin)
    internal import Darwin
  #else
    internal import Glibc
  #endif

  /// libavformat's functions, and what libav says when something fails.
  enum Libav {
    /// Loaded when they are first asked for.
    ///
    /// - Throws: `noLibrary`.
    static func format() throws(StreamOutError) -> CAVFormat { try loaded.get() }

    private static let loaded: Result<CAVFormat, StreamOutError> = {
      var functions = CAVFormat()
      guard let reason = cav_load_format(&functions) else { return .success(functions) }
      return .failure(.noLibrary("libavformat", detail: String(cString: reason)))
    }()

    /// What libav has said since `listen` or `forget`: the first complaint, and the last remark, which
    /// is all that some devices leave.
    private static let said = Mutex<(complaint: String?, remark: String?)>((nil, nil))

    /// Keeps libav from writing to the terminal, and what it says for `reason`.
    static func listen() {
      forget()
      av_log_set_callback { _, level, format, arguments in
        guard level <= AV_LOG_VERBOSE, let format, let arguments else { return }
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
          #if canImport(Darwin)
            vsnprintf(buffer.baseAddress, buffer.count, format, arguments)
          #else
            _ = vsnprintf(buffer.baseAddress!, buffer.count, format, arguments)
          #endif
          return String(cString: buffer.baseAddress!)
        }
        guard let line = text.split(whereSeparator: \.isNewline).first.map(String.init) else {
          return
        }
        Libav.said.withLock {
          if level <= AV_LOG_ERROR { $0.complaint = $0.complaint ?? line } else { $0.remark = line }
        }
      }
    }

    /// What was said before a call that succeeded explains no later failure.
    static func forget() { said.withLock { $0 = (nil, nil) } }

    /// The first complaint since `listen` or `forget`.
    static var complaint: String? { said.withLock { $0.complaint } }

    /// Why a call failed: what was complained of, else what its status means.
    static func reason(_ status: Int32) -> String {
      let said = said.withLock { $0 }
      let remark = status == cav_external() ? said.remark : nil
      var text = said.complaint ?? remark ?? meaning(status)
      while text.hasSuffix(".") || text.hasSuffix(" ") { text.removeLast() }
      return text
    }

    private static func meaning(_ status: Int32) -> String {
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
        av_strerror(status, buffer.baseAddress, buffer.count)
        return String(cString: buffer.baseAddress!)
      }
    }

    /// The system's error number that a status stands for; nil where it is one of libav's own.
    static func systemCode(_ status: Int32) -> Int32? {
      status < 0 && status > -4096 ? -status : nil
    }
  }

  extension AVRational {
    /// Seconds a frame, and frames a second.
    init(frameOf rate: FrameRate) {
      self.init(num: Int32(rate.denominator), den: Int32(rate.numerator))
    }
    init(_ rate: FrameRate) {
      self.init(num: Int32(rate.numerator), den: Int32(rate.denominator))
    }
  }

#endif
