import Testing

@testable import PhotoInput
