import Testing

@testable import StreamOut
