internal import CXML

/// The properties and structures of an XMP packet, of the namespaces that matter here.
///
/// Source: ISO 16684-1. A property is an attribute of a description or an element in it. A structure
/// is what any other element holds of one namespace, again as attributes or as elements, so that it
/// does not matter by which of RDF's many forms lists and structures are written. The packet is
/// taken to be UTF-8, as it must be in a JPEG.
struct XMP: Sendable {
  enum Namespace: String, Sendable, CaseIterable {
    case apple = "http://ns.apple.com/pixeldatainfo/1.0/"
    case depthMap = "http://ns.google.com/photos/1.0/depthmap/"
    case deviceDepthMap = "http://ns.google.com/photos/dd/1.0/depthmap/"
    case deviceItem = "http://ns.google.com/photos/dd/1.0/item/"
    case image = "http://ns.google.com/photos/1.0/image/"
    case note = "http://ns.adobe.com/xmp/note/"
  }

  fileprivate struct Name: Hashable {
    let namespace: Namespace
    let local: String
  }

  /// The simple properties of one element, of one namespace, by their local names.
  struct Structure: Sendable {
    let namespace: Namespace
    fileprivate(set) var values: [String: [UInt8]] = [:]

    func text(_ local: String) -> String? { values[local].map(XMP.trimmed) }

    func number(_ local: String) -> Double? { text(local).flatMap { Double($0) } }
  }

  private var values: [Name: [UInt8]] = [:]
  private var structures: [Structure] = []

  static let kind = "XMP"

  /// More than a depth and a photograph in base64 need.
  static let maximumBytes = 64 << 20
  /// More tags and attributes than any packet has. The parser's time grows with the square of them.
  static let maximumMarks = 20_000

  init() {}

  /// - Throws: `damaged` for what is no well-formed XML or has a document type, in which a packet
  ///   could hide more than it says; `tooManyBytes`.
  init(_ packet: RawSpan) throws(Problem) {
    guard packet.byteCount <= Self.maximumBytes else {
      throw .tooManyBytes(limit: Self.maximumBytes)
    }
    guard Self.isHarmless(packet) else { throw .damaged(kind: Self.kind, detail: "unusual XML") }
    let collector = Collector()
    guard collector.parse(packet) else { throw .damaged(kind: Self.kind, detail: "no sound XML") }
    (values, structures) = (collector.values, collector.structures)
  }

  /// A property's text, of which megabytes may be base64.
  func bytes(_ namespace: Namespace, _ local: String) -> [UInt8]? {
    values[Name(namespace: namespace, local: local)]
  }

  /// A property's text without the white space around it.
  func text(_ namespace: Namespace, _ local: String) -> String? {
    bytes(namespace, local).map(Self.trimmed)
  }

  func number(_ namespace: Namespace, _ local: String) -> Double? {
    text(namespace, local).flatMap { Double($0) }
  }

  /// The structures of a namespace, in the packet's order.
  func structures(_ namespace: Namespace) -> [Structure] {
    structures.filter { $0.namespace == namespace }
  }

  /// Takes over what only the other packet has.
  mutating func add(_ other: XMP) {
    values.merge(other.values) { own, _ in own }
    let own = Set(structures.map { $0.namespace })
    structures += other.structures.filter { !own.contains($0.namespace) }
  }

  private static func trimmed(_ bytes: [UInt8]) -> String {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    let first = bytes.firstIndex { !isSpace($0) } ?? bytes.endIndex
    let last = bytes.lastIndex { !isSpace($0) } ?? first - 1
    return String(decoding: bytes[first..<(last + 1)], as: UTF8.self)
  }

  /// Whether the parser may see it: no document type, so no entities, and few enough marks.
  private static func isHarmless(_ packet: RawSpan) -> Bool {
    let documentType = Array("<!DOCTYPE".utf8)
    return packet.withUnsafeBytes { raw in
      var (tags, attributes) = (0, 0)
      for (offset, byte) in raw.enumerated() {
        if byte == UInt8(ascii: "=") { attributes += 1 }
        guard byte == UInt8(ascii: "<") else { continue }
        tags += 1
        if raw[offset...].starts(with: documentType) { return false }
      }
      return tags <= maximumMarks && attributes <= maximumMarks
    }
  }
}

/// Listens to the parser.
private final class Collector {
  var values: [XMP.Name: [UInt8]] = [:]
  var structures: [XMP.Structure] = []

  /// An element that is being read.
  private struct Element {
    /// Nil for one of another namespace.
    let name: XMP.Name?
    let isDescription: Bool
    /// Its text, as long as there is no element in it: that makes it a structure.
    var text: [UInt8]? = []
    /// Where in `structures` its own are.
    var own: [XMP.Namespace: Int] = [:]
  }
  /// From the outermost to the innermost.
  private var open: [Element] = []
  /// How many of them are descriptions.
  private var descriptions = 0

  private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  private static let setUp: Void = xmlInitParser()

  /// False where the XML is not well-formed.
  func parse(_ packet: RawSpan) -> Bool {
    Self.setUp
    guard let context = xmlNewParserCtxt() else { return false }
    defer { xmlFreeParserCtxt(context) }
    var handler = xmlSAXHandler()
    handler.initialized = XML_SAX2_MAGIC
    handler.startElementNs = { data, local, _, uri, _, _, count, _, attributes in
      Collector.from(data).start(local, uri, Int(count), attributes)
    }
    handler.endElementNs = { data, _, _, _ in Collector.from(data).end() }
    handler.characters = { data, text, count in Collector.from(data).add(text, Int(count)) }
    handler.cdataBlock = handler.characters
    context.pointee.sax.pointee = handler
    // The parser runs inside this function only, while `self` is alive.
    context.pointee.userData = Unmanaged.passUnretained(self).toOpaque()

    // HUGE lifts the limit of 10 MB a text; what it no longer guards against is kept out before.
    // NOENT turns "&amp;" into "&": without a document type there are no other entities.
    let options =
      XML_PARSE_NONET.rawValue | XML_PARSE_HUGE.rawValue | XML_PARSE_NOENT.rawValue
      | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
    return packet.withUnsafeBytes { raw in
      // A packet may be padded with zeros.
      let count = (raw.lastIndex { $0 != 0 } ?? -1) + 1
      guard count > 0 else { return false }
      let document = xmlCtxtReadMemory(
        context, raw.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(count), nil, "UTF-8",
        Int32(options))
      xmlFreeDoc(document)
      return context.pointee.wellFormed == 1
    }
  }

  private static func from(_ data: UnsafeMutableRawPointer?) -> Collector {
    Unmanaged.fromOpaque(data!).takeUnretainedValue()  // what `parse` gave
  }

  private func start(
    _ local: UnsafePointer<xmlChar>?, _ uri: UnsafePointer<xmlChar>?, _ count: Int,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) {
    let isDescription =
      local.map { String(cString: $0) == "Description" } ?? false
      && uri.map { String(cString: $0) == Self.rdf } ?? false
    if let parent = open.indices.last { open[parent].text = nil }
    open.append(Element(name: name(local, uri), isDescription: isDescription))
    if isDescription { descriptions += 1 }
    guard descriptions > 0, let attributes else { return }
    for attribute in 0..<count {
      // Five pointers each: name, prefix, namespace, the value's start and its end.
      let parts = attributes + 5 * attribute
      guard let name = name(parts[0], parts[2]), let start = parts[3], let end = parts[4] else {
        continue
      }
      add(name, Array(UnsafeBufferPointer(start: start, count: end - start)))
    }
  }

  private func end() {
    guard let element = open.popLast() else { return }
    if element.isDescription { descriptions -= 1 }
    if descriptions > 0, let name = element.name, let text = element.text { add(name, text) }
  }

  /// Adds a property to the innermost element.
  private func add(_ name: XMP.Name, _ value: [UInt8]) {
    let owner = open.count - 1
    if open[owner].isDescription && descriptions == 1 {
      values[name] = value
      return
    }
    let place = open[owner].own[name.namespace] ?? structures.count
    if place == structures.count {
      open[owner].own[name.namespace] = place
      structures.append(XMP.Structure(namespace: name.namespace))
    }
    structures[place].values[name.local] = value
  }

  private func add(_ characters: UnsafePointer<xmlChar>?, _ count: Int) {
    guard let last = open.indices.last, open[last].name != nil, let characters else { return }
    open[last].text? += UnsafeBufferPointer(start: characters, count: count)
  }

  private func name(_ local: UnsafePointer<xmlChar>?, _ uri: UnsafePointer<xmlChar>?) -> XMP.Name? {
    guard let local, let uri, let namespace = XMP.Namespace(rawValue: String(cString: uri)) else {
      return nil
    }
    return XMP.Name(namespace: namespace, local: String(cString: local))
  }
}
