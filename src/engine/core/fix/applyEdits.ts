import type { Edit } from "./Fixer.ts"

/** The line end before an offset, or else the first after it; "\n" in a file of one line. */
const lineEndAt = (text: string, offset: number): string => {
  const before = text.lastIndexOf("\n", offset - 1)
  const at = before >= 0 && offset > 0 ? before : text.indexOf("\n", offset)
  return at > 0 && text[at - 1] === "\r" ? "\r\n" : "\n"
}

const inOrder = (edits: ReadonlyArray<Edit>): ReadonlyArray<Edit> =>
  [...edits].sort((a, b) => a.start - b.start || a.end - b.end)

/** Whether edits leave each other's ranges alone. */
export const areDisjoint = (edits: ReadonlyArray<Edit>): boolean => {
  const ordered = inOrder(edits)
  return ordered.every(({ start }, i) => i === 0 || start >= ordered[i - 1]!.end)
}

/** Edits in document order with the file's own line ends. */
const checked = (text: string, edits: ReadonlyArray<Edit>): ReadonlyArray<Edit> => {
  const ordered = inOrder(edits).map((edit) => ({
    ...edit,
    text: edit.text.replace(/\r?\n/g, lineEndAt(text, edit.start))
  }))
  const outside = ordered.find(({ start, end }) => start < 0 || end < start || end > text.length)
  if (outside !== undefined) {
    throw new RangeError(`An edit of ${outside.start}..${outside.end} is outside of ${text.length} characters.`)
  }
  if (!areDisjoint(ordered)) throw new RangeError("Edits of one file overlap.")
  return ordered
}

export const editedText = (text: string, edits: ReadonlyArray<Edit>): string => {
  let out = ""
  let at = 0
  for (const { start, end, text: replacement } of checked(text, edits)) {
    out += text.slice(at, start) + replacement
    at = end
  }
  return out + text.slice(at)
}

const BOM = [0xef, 0xbb, 0xbf]

/** Bytes of a character that starts with this byte, and the range of the one after it; 0 where none starts so. */
const sequenceOf = (lead: number): readonly [length: number, low: number, high: number] => {
  if (lead < 0x80) return [1, 0, 0]
  if (lead < 0xc2 || lead > 0xf4) return [0, 0, 0]
  if (lead < 0xe0) return [2, 0x80, 0xbf]
  if (lead < 0xf0) return [3, lead === 0xe0 ? 0xa0 : 0x80, lead === 0xed ? 0x9f : 0xbf]
  return [4, lead === 0xf0 ? 0x90 : 0x80, lead === 0xf4 ? 0x8f : 0xbf]
}

/** How many bytes the decoder takes for the next character, be it one or U+FFFD in place of what is none. */
const stepAt = (bytes: Uint8Array, at: number): { readonly bytes: number; readonly units: number } => {
  const [length, low, high] = sequenceOf(bytes[at]!)
  for (let taken = 1; taken < length; taken++) {
    const next = bytes[at + taken] ?? 0
    if (next < (taken === 1 ? low : 0x80) || next > (taken === 1 ? high : 0xbf)) return { bytes: taken, units: 1 }
  }
  return { bytes: Math.max(1, length), units: length === 4 ? 2 : 1 }
}

/** Offsets into the decoded text, in ascending order, as offsets into the bytes. */
const byteOffsets = (bytes: Uint8Array, offsets: ReadonlyArray<number>): ReadonlyArray<number> => {
  let byte = BOM.every((value, i) => bytes[i] === value) ? BOM.length : 0
  let unit = 0
  return offsets.map((offset) => {
    while (unit < offset && byte < bytes.length) {
      const step = stepAt(bytes, byte)
      byte += step.bytes
      unit += step.units
    }
    return byte
  })
}

/**
 * The file with its edits made. All other bytes stay as they are: a byte order mark, line ends, and what is not UTF-8.
 * `text` is what the bytes decode to.
 */
export const editedBytes = (bytes: Uint8Array, text: string, edits: ReadonlyArray<Edit>): Uint8Array => {
  const ordered = checked(text, edits)
  const offsets = byteOffsets(
    bytes,
    ordered.flatMap(({ start, end }) => [start, end])
  )
  const parts: Array<Uint8Array> = []
  let at = 0
  ordered.forEach((edit, i) => {
    parts.push(bytes.subarray(at, offsets[2 * i]), Buffer.from(edit.text))
    at = offsets[2 * i + 1]!
  })
  return Buffer.concat([...parts, bytes.subarray(at)])
}
