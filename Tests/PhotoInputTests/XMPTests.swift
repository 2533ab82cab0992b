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

  /// Whichever of RDF's forms they have, each element's own are together.
  @Test func structures() throws {
    let xmp = try Self.parse(
      Self.wrapped(
        """
        <rdf:Description Item:Mime='flat'>
        <Container:Directory><rdf:Seq>
        <rdf:li><Container:Item Item:Mime='a' Item:Length=' 1 '><Item:Padding>2</Item:Padding>
        </Container:Item></rdf:li>
        <rdf:li rdf:parseType='Resource'><Item:Mime>b</Item:Mime><Item:Length>3<x/></Item:Length>
        <DepthMap:Near>4</DepthMap:Near></rdf:li>
        <rdf:li><rdf:Description Item:Mime='c'/></rdf:li>
        </rdf:Seq></Container:Directory></rdf:Description>
        """))
    let items = xmp.structures(.deviceItem)
    #expect(items.map { $0.text("Mime") } == ["a", "b", "c"])
    #expect(items.map { $0.number("Length") } == [1, nil, nil])
    #expect(items.map { $0.number("Padding") } == [2, nil, nil])
    #expect(xmp.structures(.deviceDepthMap).map { $0.number("Near") } == [4])
    #expect(xmp.structures(.apple).isEmpty)
    #expect(xmp.text(.deviceItem, "Mime") == "flat" && xmp.text(.deviceItem, "Length") == nil)
  }

  /// Of each namespace, the structures of one packet alone.
  @Test func structuresOfTwoPackets() throws {
    func packet(_ mime: String, _ beside: String) throws -> XMP {
      try Self.parse(
        Self.wrapped(
          "<rdf:Description><Device:Container><Container:Item Item:Mime='\(mime)'/>\(beside)"
            + "</Device:Container></rdf:Description>"))
    }
    var xmp = try packet("a", "")
    xmp.add(try packet("b", "<Camera:DepthMap DepthMap:Near='1'/>"))
    #expect(xmp.structures(.deviceItem).map { $0.text("Mime") } == ["a"])
    #expect(xmp.structures(.deviceDepthMap).count == 1)
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
