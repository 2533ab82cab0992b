// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// The kernels are built twice; which of them run is chosen by the processor.
#if arch(x86_64)
  let v3Targets: [Target] = [
    .target(
      name: "KernelsV3", dependencies: ["CVector"],
      swiftSettings: strict + [.unsafeFlags(["-Xcc", "-march=x86-64-v3"])])
  ]
  let v3: [Target.Dependency] = ["KernelsV3"]
#else
  let v3Targets: [Target] = []
  let v3: [Target.Dependency] = []
#endif

let package = Package(
  name: "motion-stream",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "motion-stream", targets: ["motion-stream"]),
    .library(name: "MotionCore", targets: ["MotionCore"]),
    .library(name: "PhotoInput", targets: ["PhotoInput"]),
    .library(name: "StreamOut", targets: ["StreamOut"]),
    .executable(name: "motion-estimate", targets: ["motion-estimate"]),
  ],
  traits: [
    .trait(name: "HEIC", description: "Reads HEIC and AVIF, through libheif."),
    .trait(
      name: "LittleCMS",
      description: "Colour profiles, through Little CMS; without it photos are taken to be sRGB."),
    .trait(
      name: "H264",
      description: "Encodes films and reads them, through libavcodec and libavformat."),
    .trait(
      name: "Estimation",
      description: "Finds subjects and guesses depth by models, through OpenCV in a worker."),
    .default(enabledTraits: ["HEIC", "LittleCMS", "H264", "Estimation"]),
  ],
  targets: [
    .systemLibrary(
      name: "CFFmpeg", pkgConfig: "libavcodec libavutil",
      providers: [.apt(["libavcodec-dev", "libavutil-dev"]), .brew(["ffmpeg"])]),
    .systemLibrary(
      name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CLCMS", pkgConfig: "lcms2",
      providers: [.apt(["liblcms2-dev"]), .brew(["little-cms2"])]),
    .systemLibrary(
      name: "CLibYUV", providers: [.apt(["libyuv-dev"]), .brew(["libyuv"])]),
    .systemLibrary(
      name: "CTIFF", pkgConfig: "libtiff-4",
      providers: [.apt(["libtiff-dev"]), .brew(["libtiff"])]),
    .systemLibrary(
      name: "CXML", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .systemLibrary(
      name: "CHEIF", pkgConfig: "libheif",
      providers: [.apt(["libheif-dev"]), .brew(["libheif"])]),
    .systemLibrary(name: "CSystem"),

    .target(name: "CVector"),
    .target(name: "Kernels", dependencies: ["CVector"], swiftSettings: strict),
    .target(
      name: "MotionCore", dependencies: ["CVector", "Kernels"] + v3, swiftSettings: strict),
    .target(
      name: "PhotoInput",
      dependencies: [
        "MotionCore", "CFFmpeg", "CPNG", "CLibYUV", "CTIFF", "CXML",
        .target(name: "CHEIF", condition: .when(traits: ["HEIC"])),
        .target(name: "CLCMS", condition: .when(traits: ["LittleCMS"])),
      ],
      swiftSettings: strict),
    .target(
      name: "StreamOut", dependencies: ["MotionCore", "CFFmpeg", "CPNG", "CSystem"],
      swiftSettings: strict),
    .target(name: "Estimation", dependencies: ["MotionCore"], swiftSettings: strict),
    .executableTarget(
      name: "motion-stream",
      dependencies: ["MotionCore", "PhotoInput", "StreamOut", "Estimation", "CSystem"],
      swiftSettings: strict),
    .executableTarget(
      name: "motion-estimate",
      cxxSettings: [
        .define("ESTIMATION", .when(traits: ["Estimation"])),
        // Debian's OpenCV tells pkg-config nothing without its whole development package.
        .unsafeFlags(["-I/usr/include/opencv4", "-I/opt/homebrew/include/opencv4"]),
      ],
      linkerSettings: ["opencv_core", "opencv_dnn", "opencv_imgproc"].map {
        .linkedLibrary($0, .when(traits: ["Estimation"]))
      }),

    .executableTarget(
      name: "motion-bench",
      dependencies: ["MotionCore", "PhotoInput", "Estimation", "KernelTrials"],
      swiftSettings: strict),
    .target(
      name: "KernelTrials", dependencies: ["MotionCore", "CVector"], swiftSettings: strict),

    .executableTarget(
      name: "motion-judge", dependencies: ["MotionCore", "PhotoInput", "StreamOut", "Estimation"],
      swiftSettings: strict),

    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(
      name: "MotionCoreTests", dependencies: ["MotionCore", "KernelTrials"], swiftSettings: strict),
    .testTarget(
      name: "PhotoInputTests", dependencies: ["PhotoInput", "MotionCore", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "StreamOutTests",
      dependencies: ["StreamOut", "MotionCore", "PhotoInput", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "EstimationTests", dependencies: ["Estimation", "MotionCore", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "motion-stream", "MotionCore", "PhotoInput", "StreamOut", "Estimation", "TestSupport",
      ],
      swiftSettings: strict),
  ] + v3Targets,
  cxxLanguageStandard: .cxx17
)
