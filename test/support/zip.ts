import { crc32, deflateRawSync } from "node:zlib"

export interface ZipMember {
  readonly name: string
  readonly content: string | Buffer
  /** What the directory claims instead of the truth. */
  readonly claimedSize?: number
}

/** The bytes of a zip file, for tests: no names are checked, so hostile ones can be made. */
export const zipOf = (members: ReadonlyArray<ZipMember>): Buffer => {
  const locals: Array<Buffer> = []
  const directory: Array<Buffer> = []
  let offset = 0
  for (const { name, content, claimedSize } of members) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const names = Buffer.from(name)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(0x0800, 2)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(claimedSize ?? bytes.length, 18)
    fields.writeUInt16LE(names.length, 22)
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), fields, names, packed])
    const entry = Buffer.alloc(16)
    entry.writeUInt32LE(offset, 12)
    // Version made by, the common fields, then comment, disk, attributes and the place of the member.
    directory.push(
      Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0000", "latin1"), fields, entry.subarray(2, 16), names])
    )
    locals.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write("PK\u0005\u0006", 0, "latin1")
  end.writeUInt16LE(members.length, 8)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, listed, end])
}
