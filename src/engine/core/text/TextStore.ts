import { Buffer } from "node:buffer"

const SLAB_BYTES = 4 * 1024 * 1024

/**
 * Many texts in few large pieces outside of the JavaScript heap. As strings they would fill it: facts of 200,000 files are
 * millions of objects for the garbage collector to follow.
 */
export class TextStore {
  private readonly slabs: Array<Buffer> = []
  private free = 0
  /** Slab, start and end of each text, in threes. */
  private readonly slots: Array<number> = []

  /** Keeps a text; the number is its key for `get`. */
  put(text: string | Buffer): number {
    const length = typeof text === "string" ? Buffer.byteLength(text) : text.length
    if (this.slabs.length === 0 || this.free + length > this.slabs.at(-1)!.length) {
      this.slabs.push(Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, length)))
      this.free = 0
    }
    const slab = this.slabs.at(-1)!
    if (typeof text === "string") slab.write(text, this.free)
    else text.copy(slab, this.free)
    this.slots.push(this.slabs.length - 1, this.free, this.free + length)
    this.free += length
    return this.slots.length / 3 - 1
  }

  /** The bytes of a text, not a copy. */
  bytes(key: number): Buffer {
    const slab = this.slabs[this.slots[3 * key]!]!
    return slab.subarray(this.slots[3 * key + 1]!, this.slots[3 * key + 2]!)
  }

  get(key: number): string {
    return this.bytes(key).toString()
  }
}
