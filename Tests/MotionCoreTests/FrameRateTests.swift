import Testing

@testable import MotionCore

@Suite struct FrameRateTests {
  @Test(arguments: [
    ("30", 30, 1), ("25", 25, 1), ("23.976", 24000, 1001), ("29.97", 30000, 1001),
    ("59.94", 60000, 1001), ("119.88", 120000, 1001), ("12.5", 25, 2), ("30000/1001", 30000, 1001),
    ("30000:1001", 30000, 1001), ("60/2", 30, 1), ("0.5", 1, 2),
  ])
  func itReads(text: String, numerator: Int, denominator: Int) {
    let rate = FrameRate(parsing: text)
    #expect(rate?.numerator == numerator && rate?.denominator == denominator)
  }

  @Test(arguments: [
    "", "0", "-30", "1/0", "abc", "30/", "/30", "1e3", "30.", "1.2.3", "1001", "nan", "+3",
    "99999999999999999999", "1/1000",
  ])
  func itRefuses(text: String) {
    #expect(FrameRate(parsing: text) == nil)
  }
}
