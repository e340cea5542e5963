/** Values as SSH writes them: RFC 4251, section 5. */

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export const string = (value: string | Uint8Array): Buffer => {
  const bytes = Buffer.from(value)
  return Buffer.concat([uint32(bytes.length), bytes])
}

/** A whole number that is not negative, of big-endian bytes. */
export const mpint = (bytes: Uint8Array): Buffer => {
  const start = bytes.findIndex((byte) => byte !== 0)
  const digits = start === -1 ? new Uint8Array() : bytes.subarray(start)
  // A first bit that is set would make it negative.
  return string((digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), digits]) : digits)
}

/** The bytes end before what they should hold. */
export class Truncated extends Error {}

/** Reads values one after another. */
export class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  bytes(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) throw new Truncated("The data end too early.")
    const start = this.#at
    this.#at += length
    return this.#bytes.subarray(start, this.#at)
  }

  uint32(): number {
    return this.bytes(4).readUInt32BE()
  }

  string(): Buffer {
    return this.bytes(this.uint32())
  }

  text(): string {
    return this.string().toString("utf8")
  }
}
