#if HEIC
  internal import CHEIF
  internal import MotionCore

  /// A HEIF file that libheif has opened, and its images.
  struct HEIFFile: ~Copyable {
    let kind: String
    let maxPixels: Int
    let items: HEIFItems
    private let context: OpaquePointer

    deinit { heif_context_free(context) }

    /// Opens a file for as long as `body` runs.
    ///
    /// - Parameter maxPixels: compared with the header before libheif sees the file.
    static func open<Result>(
      _ bytes: RawSpan, kind: String, maxPixels: Int,
      _ body: (borrowing HEIFFile) throws(Problem) -> Result
    ) throws(Problem) -> Result {
      let items = HEIFItems(bytes)
      if let size = items.size {
        _ = try Size(header: size.width, size.height, maxPixels: maxPixels)
      }
      return try bytes.withUnsafeBytes { (raw) throws(Problem) in
        guard let context = heif_context_alloc() else {
          throw .damaged(kind: kind, detail: "out of memory")
        }
        let file = HEIFFile(kind: kind, maxPixels: maxPixels, items: items, context: context)
        // libheif does not copy the bytes, which outlive the file.
        try file.read(raw)
        return try body(file)
      }
    }

    private func read(_ raw: UnsafeRawBufferPointer) throws(Problem) {
      // A grid, which has a size of its own, must be smaller than the limit.
      cheif_limit(context, Int32(clamping: items.longSide + 1), UInt64(maxPixels))
      try check(
        heif_context_read_from_memory_without_copy(context, raw.baseAddress, raw.count, nil))
      guard items.size != nil else { throw .damaged(kind: kind, detail: "no size") }
    }

    /// - Throws: what an error of libheif's means.
    func check(_ error: heif_error) throws(Problem) {
      guard error.code != heif_error_Ok else { return }
      let text = String(cString: error.message).split(separator: "\n").joined(separator: " ")
      let lacksTable =
        error.subcode == heif_suberror_No_meta_box || error.subcode == heif_suberror_No_ftyp_box
      if error.subcode == heif_suberror_End_of_data || lacksTable && items.isCut {
        throw .truncated(kind: kind)
      }
      if text.contains("Too many auxiliary image references") {
        throw .needsLibrary(
          kind: kind, Self.referencesLimit, found: String(cString: heif_get_version()))
      }
      if let type = items.type, !Self.codings.contains(type) {
        throw .unsupported(kind: kind, feature: .coding(type))
      }
      if error.subcode == heif_suberror_Unsupported_codec {
        throw .unsupported(kind: kind, feature: .coding(items.type ?? "unknown"))
      }
      throw .damaged(kind: kind, detail: text)
    }

    /// Newer telephones let a map belong to two images.
    static let referencesLimit = PhotoInputError.Library(
      name: "libheif", version: "1.18", reason: "too many auxiliary image references")

    /// The codings, and the ways to make an image of others, that libheif has always read.
    private static let codings: Set<String> = ["hvc1", "av01", "grid", "iden", "iovl"]

    /// The photo.
    func photo() throws(Problem) -> Picture {
      var handle: OpaquePointer?
      try check(heif_context_get_primary_image_handle(context, &handle))
      return try HEIFImage(handle, items.primary ?? 0).photo(in: self)
    }

    /// Does something with each image that belongs to the photo and is not the photo.
    /// - Returns: why one of them could not be opened.
    func forEachAuxiliary(
      _ body: (_ image: borrowing HEIFImage, _ type: String) -> Void
    ) throws(Problem) -> Problem? {
      var handle: OpaquePointer?
      try check(heif_context_get_primary_image_handle(context, &handle))
      let photo = HEIFImage(handle, items.primary ?? 0)
      let count = heif_image_handle_get_number_of_auxiliary_images(photo.handle, 0)
      var identifiers = [heif_item_id](repeating: 0, count: Int(count))
      let filled = heif_image_handle_get_list_of_auxiliary_image_IDs(
        photo.handle, 0, &identifiers, count)
      var untold: Problem?
      for identifier in identifiers.prefix(Int(filled)) {
        var handle: OpaquePointer?
        do throws(Problem) {
          try check(
            heif_image_handle_get_auxiliary_image_handle(photo.handle, identifier, &handle))
        } catch {
          untold = error
          continue
        }
        let image = HEIFImage(handle, Int(identifier))
        if let type = image.auxiliaryType { body(image, type) }
      }
      return untold
    }
  }

  extension HEIFItems {
    /// The photo's size as stored.
    var size: Size? { primary.flatMap { items[$0]?.size } }
    /// The photo's coding.
    var type: String? { primary.flatMap { items[$0]?.type } }

    /// What an image goes through to lie as the photo does: its own steps, else the photo's, and the
    /// stored size that they are told of.
    func steps(of identifier: Int) -> (steps: [Step], size: Size)? {
      guard let own = items[identifier], let size = own.size else { return nil }
      if !own.steps.isEmpty { return (own.steps, size) }
      guard let primary, let photo = items[primary], let photoSize = photo.size else { return nil }
      return (photo.steps, photoSize)
    }
  }

  /// An image of a file, not decoded yet.
  struct HEIFImage: ~Copyable {
    let identifier: Int
    /// Libheif's, of an image that exists.
    let handle: OpaquePointer

    deinit { heif_image_handle_release(handle) }

    /// Takes over a handle that libheif gave without an error.
    init(_ handle: OpaquePointer?, _ identifier: Int) {
      (self.handle, self.identifier) = (handle!, identifier)
    }

    /// What an auxiliary image is, as a URN.
    var auxiliaryType: String? {
      var type: UnsafePointer<CChar>?
      guard heif_image_handle_get_auxiliary_type(handle, &type).code == heif_error_Ok, let type
      else { return nil }
      defer {
        var type: UnsafePointer<CChar>? = type
        heif_image_handle_free_auxiliary_types(handle, &type)
      }
      return String(cString: type)
    }

    /// The first block of metadata of a type, "Exif" or "mime", and of a content type.
    func metadata(_ type: String, content: String = "") -> [UInt8]? {
      let count = heif_image_handle_get_number_of_metadata_blocks(handle, type)
      var identifiers = [heif_item_id](repeating: 0, count: Int(count))
      let filled = heif_image_handle_get_list_of_metadata_block_IDs(
        handle, type, &identifiers, count)
      for identifier in identifiers.prefix(Int(filled)) {
        let found = heif_image_handle_get_metadata_content_type(handle, identifier)
        guard found.map({ String(cString: $0) }) ?? "" == content else { continue }
        let size = heif_image_handle_get_metadata_size(handle, identifier)
        var bytes = [UInt8](repeating: 0, count: size)
        guard heif_image_handle_get_metadata(handle, identifier, &bytes).code == heif_error_Ok
        else { continue }
        return bytes
      }
      return nil
    }
  }
#endif
