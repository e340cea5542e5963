import { Buffer } from "node:buffer"

const SLAB_BYTES = 4 * 1024 * 1024

/** Texts of a store as another thread reads them: nothing is copied. */
export interface SharedTexts {
  readonly slabs: ReadonlyArray<SharedArrayBuffer>
  /** Slab, start and end of each text, in threes. */
  readonly slots: Int32Array
}

/**
 * Many texts in few large pieces outside of the JavaScript heap. As strings they would fill it: facts of 200,000 files are
 * millions of objects for the garbage collector to follow.
 */
export class TextStore {
  private readonly memory: Array<SharedArrayBuffer> = []
  private readonly slabs: Array<Buffer> = []
  /** The slab that has room, and where it begins. */
  private open = -1
  private free = 0
  private readonly slots: Array<number> = []

  /** Keeps a text; the number is its key for `get`. */
  put(text: string | Buffer): number {
    if (typeof text !== "string" && text.buffer instanceof SharedArrayBuffer) return this.adopt(text, text.buffer)
    const length = typeof text === "string" ? Buffer.byteLength(text) : text.length
    const slab = this.slabWith(length)
    if (typeof text === "string") slab.write(text, this.free)
    else text.copy(slab, this.free)
    const key = this.note(this.open, this.free, length)
    this.free += length
    return key
  }

  /** A text that is in shared memory already stays where it is. */
  private adopt({ byteOffset, length }: Buffer, memory: SharedArrayBuffer): number {
    const known = this.memory.lastIndexOf(memory)
    return this.note(known < 0 ? this.add(memory) : known, byteOffset, length)
  }

  private note(slab: number, from: number, length: number): number {
    this.slots.push(slab, from, from + length)
    return this.slots.length / 3 - 1
  }

  private add(memory: SharedArrayBuffer): number {
    this.slabs.push(Buffer.from(memory))
    return this.memory.push(memory) - 1
  }

  private slabWith(room: number): Buffer {
    const last = this.slabs[this.open]
    if (last !== undefined && this.free + room <= last.length) return last
    this.open = this.add(new SharedArrayBuffer(Math.max(SLAB_BYTES, room)))
    this.free = 0
    return this.slabs[this.open]!
  }

  get(key: number): string {
    return textAt(this.slabs, this.slots, key)
  }

  shared(): SharedTexts {
    return { slabs: this.memory, slots: Int32Array.from(this.slots) }
  }
}

/** Reads texts that another thread keeps. */
export class SharedTextReader {
  private readonly slabs: ReadonlyArray<Buffer>
  private readonly slots: Int32Array

  constructor({ slabs, slots }: SharedTexts) {
    this.slabs = slabs.map((slab) => Buffer.from(slab))
    this.slots = slots
  }

  get(key: number): string {
    return textAt(this.slabs, this.slots, key)
  }
}

const textAt = (slabs: ReadonlyArray<Buffer>, slots: ArrayLike<number>, key: number): string =>
  slabs[slots[3 * key]!]!.toString("utf8", slots[3 * key + 1], slots[3 * key + 2])
