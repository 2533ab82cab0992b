import Foundation
import MotionCore
import StreamOut
import Testing

@testable import motion_stream

/// The lines of `--print-consumer`; `scripts/consumers.sh` runs them.
@Suite struct ConsumerTests {
  private func film(
    _ pixelFormat: PixelFormat, _ container: Container, width: Int = 128, height: Int = 96,
    range: ColorRange? = nil, siting: ChromaSiting = .mpeg2, command: [String] = ["motion-stream"],
    endless: Bool = false
  ) throws -> Film {
    let size = Size(width: width, height: height)
    return Film(
      command: command, container: container,
      format: try VideoFormat(
        size: size, rate: FrameRate(30000, 1001)!, pixelFormat: pixelFormat,
        matrix: .assumed(for: size), range: range ?? .assumed(for: pixelFormat), siting: siting),
      isEndless: endless)
  }

  /// Every film that can be made gets its line, or advice with which it does.
  @Test(arguments: Consumer.all)
  func everyFilmHasALineOrAdvice(_ consumer: Consumer) throws {
    let colours = ColorRange.allCases.flatMap { range in
      ChromaSiting.allCases.map { (range, $0) }
    }
    for container in Container.all {
      for pixelFormat in container.pixelFormats {
        for (width, height) in [(128, 96), (127, 95), (1, 1), (3, 5), (16384, 16384)] {
          for (range, siting) in colours
          where container.canCarry(pixelFormat, siting)
            && (siting == .mpeg2 || pixelFormat.hasSiting)
          {
            let film = try film(
              pixelFormat, container, width: width, height: height, range: range, siting: siting,
              endless: true)
            do throws(ConsumerError) {
              #expect(try !consumer.commandLine(for: film).contains("\n"))
            } catch {
              let arguments =
                ["--format", container.name, "--pix-fmt", pixelFormat.name]
                + (siting == .mpeg2 ? [] : ["--chroma-siting", siting.rawValue])
              let asked =
                arguments + [
                  "--size", "\(width)x\(height)", "--range", range.rawValue, "--endless",
                ]
              // The last of two counts, and of the options that exclude each other one is left.
              let settings = try Settings(
                arguments: (error.use.contains("--loops") ? asked.dropLast() : asked) + error.use)
              let better = Film(
                command: ["motion-stream"], container: try settings.resolvedContainer(),
                format: try settings.format(photo: Settings.stillLifeSize),
                isEndless: try settings.frames(period: 1).count == nil)
              _ = try consumer.commandLine(for: better)
              #expect(sentence(error).contains(": give "))
            }
          }
        }
      }
    }
  }

  @Test func refusalsNameTheReason() throws {
    func line(_ name: String, _ film: Film) -> String? {
      do {
        _ = try Consumer.named(name)!.commandLine(for: film)
        return nil
      } catch {
        return sentence(error)
      }
    }
    #expect(
      line("x264", try film(.yuv420p, .y4m, width: 127, height: 95))
        == "x264 does not take the size 127x95: give --size 126x94")
    #expect(
      line("gst", try film(PixelFormat.named("gray")!, .y4m))
        == "GStreamer does not read gray in y4m rightly: give --format raw")
    #expect(
      line("ffmpeg", try film(PixelFormat.named("gray")!, .y4m, range: .limited))
        == "ffmpeg does not take gray for limited range: give --range full")
    #expect(
      line("svt-av1", try film(.yuv420p, .y4m, width: 64, height: 36))
        == "SVT-AV1 does not take the size 64x36: give --size 114x64")
    #expect(
      line("mpv", try film(.rgb24, Container.named("raw")!, width: 16384, height: 8192))
        == "mpv does not take the size 16384x8192: give --size 8192x4096")
    #expect(
      line("svt-av1", try film(.yuv420p, .y4m, siting: .jpeg))
        == "SVT-AV1 has no word for chroma as in jpeg: give --chroma-siting mpeg2")
    #expect(
      line("rav1e", try film(.yuv420p, .y4m, siting: .paldv))
        == "rav1e has no word for chroma as in paldv: give --chroma-siting mpeg2")
    #expect(
      line("vapoursynth", try film(.yuv420p, .y4m, endless: true))
        == "VapourSynth wants a film that ends: give --loops 1")
  }

  /// What a shell makes of the line's words, by bash itself.
  @Test(arguments: [
    "plain", "", "two words", "it's", "a\nb", "tab\t", "$HOME", "`x`", "a\\b", "*", "~", "ä→😀",
    "\u{1B}[2J", "-", "!", "!!", "a;b", "\\'",
  ])
  func wordsAreReadBack(_ word: String) throws {
    let quoted = shellQuoted(word)
    #expect(!quoted.contains("\n") && quoted.allSatisfy { $0.isASCII || word.contains($0) })
    let run = try Command.shell("printf %s \(quoted)")
    #expect(run.output == Array(word.utf8))
  }

  @Test func bytesThatAreNoTextAreReadBack() throws {
    let bytes: [UInt8] = [0x61, 0xFF, 0xE4, 0x27, 0x0A, 0x31]
    let run = try Command.shell("printf %s \(shellQuoted(Arguments.text(bytes)))")
    #expect(run.output == bytes)
  }

  /// The arguments stand in the line as they were given, without what asked for it.
  @Test func lineRepeatsTheArguments() throws {
    let settings = try Settings(arguments: [
      "--move=sway", "--print-consumer", "mpv", "--loops", "2", "--", "-a b.png",
    ])
    #expect(settings.filmArguments == ["--move=sway", "--loops", "2", "--", "-a b.png"])
    let film = try film(.yuv420p, .y4m, command: ["motion-stream"] + settings.filmArguments)
    #expect(
      try Consumer.named("mpv")!.commandLine(for: film)
        == "motion-stream --move=sway --loops 2 -- '-a b.png' | mpv -")
    // What a consumer adds stands before "--".
    #expect(
      try Consumer.named("obs")!.commandLine(for: film)
        .hasPrefix("motion-stream --realtime --move=sway "))
  }

  @Test func matrixIsSaidWhereItIsNotAssumed() throws {
    for (arguments, wanted) in [
      (["mpv"], "| mpv -"), (["mpv", "--matrix", "bt601"], "colormatrix=bt.601"),
      (["ffmpeg"], "-colorspace bt709 -i -"),
      (["ffmpeg", "--matrix", "bt601"], "-colorspace smpte170m -i -"),
      (["gst"], "! y4mdec ! videoconvert !"), (["gst", "--range", "full"], "colorimetry=1:3:5:1"),
    ] {
      let run = try Child(
        ["--size", "1280x720", "--print-consumer"] + arguments
      ).result()
      #expect(run.ending == .exit(0) && run.error.isEmpty)
      #expect(
        run.text.contains(wanted) && run.text.split(separator: "\n").count == 1, "\(run.text)")
    }
  }

  @Test func sitingIsSaidWhereItIsNotAssumed() throws {
    func line(_ name: String, _ container: String, _ siting: ChromaSiting) throws -> String {
      try Consumer.named(name)!.commandLine(
        for: film(.yuv420p, Container.named(container)!, siting: siting))
    }
    for (siting, ffmpeg, x264, mpv, gstreamer, svt) in [
      (ChromaSiting.mpeg2, "left", "0", nil, "mpeg2", "left"),
      (.jpeg, "center", "1", "mpeg1/jpeg", nil, nil),
      (.paldv, "topleft", "2", "uhd", "cosited", "topleft"),
    ] as [(ChromaSiting, String, String, String?, String?, String?)] {
      for name in ["ffmpeg", "obs"] {
        #expect(try line(name, "raw", siting).contains(" -chroma_sample_location \(ffmpeg) -i - "))
        #expect(try !line(name, "y4m", siting).contains("chroma"))
      }
      #expect(try !line("mpv", "y4m", siting).contains("chroma"))
      let played = try line("mpv", "raw", siting)
      #expect(mpv.map { played.contains("chroma-location=\($0) ") } ?? !played.contains("chroma"))
      for container in ["y4m", "raw"] {
        #expect(try line("x264", container, siting).contains(" --chromaloc \(x264) "))
        let shown = try line("gst", container, siting)
        #expect(
          gstreamer.map { shown.contains("chroma-site=\($0)") } ?? !shown.contains("chroma"))
      }
      if let svt {
        #expect(try line("svt-av1", "y4m", siting).contains("--chroma-sample-position \(svt) "))
      }
    }
  }

  /// What the printed script is, read by Python with a stand-in for VapourSynth.
  @Test(.enabled(if: hasProgram("python3")))
  func vapourSynthScriptSaysFileAndMatrix() throws {
    let line = try Consumer.named("vapoursynth")!.commandLine(for: film(.yuv420p, .y4m))
    let scratch = ScratchFolder()
    let script = try #require(line.split(separator: "&&").dropFirst().first)
    try """
    class Clip:
        def set_output(self): print("output")
    class Space:
        def VideoSource(self, path): print(path); return Clip()
        def SetFrameProps(self, clip, **properties): print(properties); return clip
    class core: bs = Space(); std = Space()
    """.write(toFile: scratch.file("vapoursynth.py"), atomically: true, encoding: .utf8)
    let run = try Command.shell("cd '\(scratch.path)' && \(script) && python3 film.vpy")
    #expect(run.text == "film.y4m\n{'_Matrix': 6}\noutput\n", "\(run.error)")
  }

  @Test func printingALineWritesNothing() throws {
    let error = #expect(throws: UsageError.self) {
      try Settings(arguments: ["--print-consumer", "mpv", "-o", "a.y4m"])
    }
    #expect(error.map { sentence($0).contains("--output") } == true)
  }
}
