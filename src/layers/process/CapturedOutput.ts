import { Buffer } from "node:buffer"

/** The beginning and the end of an output of any length. */
export class CapturedOutput {
  #head = Buffer.alloc(0)
  #tail = Buffer.alloc(0)
  #left = 0
  readonly #headBytes: number
  readonly #tailBytes: number

  constructor(limits: { readonly headBytes: number; readonly tailBytes: number }) {
    this.#headBytes = limits.headBytes
    this.#tailBytes = limits.tailBytes
  }

  add(chunk: Buffer): void {
    const room = this.#headBytes - this.#head.length
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)])
    const rest = Buffer.concat([this.#tail, chunk.subarray(Math.max(0, room))])
    const cut = Math.max(0, rest.length - this.#tailBytes)
    this.#left += cut
    this.#tail = Buffer.from(rest.subarray(cut))
  }

  get isTruncated(): boolean {
    return this.#left > 0
  }

  /** As text; where something is left out, a line says so. Lines stay whole: half a credential would not be recognised. */
  text(): string {
    const [head, tail] = [this.#head.toString("utf8"), this.#tail.toString("utf8")]
    if (!this.isTruncated) return head + tail
    return `${head.slice(0, head.lastIndexOf("\n") + 1)}[${this.#left} bytes or more left out]\n${tail.slice(tail.indexOf("\n") + 1)}`
  }
}
