import TestSupport
import Testing

@testable import PhotoInput

@Suite struct XMPTests {
  static func parse(_ text: String) throws(Problem) -> XMP {
    let bytes = Array(text.utf8)
    return try XMP(bytes.span.bytes)
  }

  static func wrapped(_ description: String) -> String {
    let declared = TestXMP.namespaces.map { "xmlns:\($0)='\($1)'" }.joined(separator: " ")
    return "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF \(declared)>\(description)</rdf:RDF>"
      + "</x:xmpmeta>"
  }

  @Test func attributesAndElements() throws {
    let xmp = try Self.parse(
      "<?xpacket begin='\u{FEFF}' id='W5M0MpCehiHzreSzNTczkc9d'?>"
        + Self.wrapped(
          """
          <rdf:Description GDepth:Near=' 1.5 ' GDepth:Format='a&amp;b'>
            <GDepth:Far>\n 7 </GDepth:Far>
            <GDepth:Mime><![CDATA[image/]]>png</GDepth:Mime>
          </rdf:Description>
          <rdf:Description apdi:NativeFormat='9'/>
          """) + "<?xpacket end='w'?>\0\0")
    #expect(xmp.number(.depthMap, "Near") == 1.5)
    #expect(xmp.number(.depthMap, "Far") == 7)
    #expect(xmp.text(.depthMap, "Format") == "a&b")
    #expect(xmp.text(.depthMap, "Mime") == "image/png")
    #expect(xmp.text(.apple, "NativeFormat") == "9")
    #expect(xmp.text(.depthMap, "NativeFormat") == nil)
  }

  /// Prefixes are anybody's choice; namespaces are not.
  @Test func namespacesDecide() throws {
    let xmp = try Self.parse(
      Self.wrapped(
        """
        <rdf:Description xmlns:d='http://ns.google.com/photos/1.0/depthmap/' d:Near='3'
          xmlns:GDepth='http://elsewhere/' GDepth:Far='4'/>
        """))
    #expect(xmp.number(.depthMap, "Near") == 3)
    #expect(xmp.number(.depthMap, "Far") == nil)
  }

  @Test func structuresAreNoProperties() throws {
    let xmp = try Self.parse(
      Self.wrapped(
        """
        <rdf:Description><GDepth:Near>1<rdf:Seq><rdf:li>2</rdf:li></rdf:Seq>3</GDepth:Near>
        <GDepth:Far><rdf:Description GDepth:Format='x'/></GDepth:Far></rdf:Description>
        """))
    for name in ["Near", "Far", "Format"] { #expect(xmp.text(.depthMap, name) == nil) }
  }

  @Test func textsOfManyMegabytes() throws {
    let data = String(repeating: "QUJD", count: 4 << 20)
    for packet in [
      "<rdf:Description GDepth:Data='\(data)'/>",
      "<rdf:Description><GDepth:Data>\(data)</GDepth:Data></rdf:Description>",
    ] {
      #expect(try Self.parse(Self.wrapped(packet)).bytes(.depthMap, "Data")?.count == 16 << 20)
    }
  }

  @Test(arguments: [
    "", "\0\0", "no xml", "<a>", "<a></b>", wrapped("<rdf:Description"),
    "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<a>&b;</a>",
    "<!DOCTYPE a SYSTEM 'file:///etc/hostname'><a/>",
    wrapped(String(repeating: "<rdf:li/>", count: 20_001)),
    wrapped("<rdf:li " + (0..<20_001).map { "a\($0)='' " }.joined() + "/>"),
  ])
  func refused(text: String) {
    #expect(throws: Problem.self) { try Self.parse(text) }
  }

  @Test func tooLarge() {
    #expect(throws: Problem.tooManyBytes(limit: XMP.maximumBytes)) {
      try Self.parse(String(repeating: " ", count: XMP.maximumBytes + 1))
    }
  }
}
