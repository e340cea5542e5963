/** Where a member's key stands, without its quotes; an empty range for items of arrays. */
export interface JsonKey {
  readonly text: string
  readonly start: number
  readonly end: number
}

export interface JsonEvents {
  /** An object or array begins inside of `path`; false passes over what is in it. */
  readonly enter: (path: ReadonlyArray<string>, key: JsonKey) => boolean
  readonly leave: (path: ReadonlyArray<string>) => void
  /** A string (without its quotes), number or word, as it is written. */
  readonly scalar: (path: ReadonlyArray<string>, key: JsonKey, start: number, end: number) => void
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const COLON = 0x3a
const COMMA = 0x2c
const MAX_DEPTH = 128

/** Index of the closing quote of the string that opens at `open`; the text's end when there is none. */
const stringEnd = (text: string, open: number): number => {
  let at = text.indexOf('"', open + 1)
  while (at > 0) {
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return at
    at = text.indexOf('"', at + 1)
  }
  return text.length
}

/** Index after the container that opens at `open`. */
const containerEnd = (text: string, open: number): number => {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    const c = text.charCodeAt(at)
    if (c === QUOTE) at = stringEnd(text, at)
    else if (c === OPEN_OBJECT || c === OPEN_ARRAY) depth++
    else if ((c === CLOSE_OBJECT || c === CLOSE_ARRAY) && --depth === 0) return at + 1
  }
  return text.length
}

const wordEnd = (text: string, start: number): number => {
  let at = start + 1
  for (; at < text.length; at++) {
    const c = text.charCodeAt(at)
    if (c === COMMA || c === CLOSE_OBJECT || c === CLOSE_ARRAY || c <= 0x20) break
  }
  return at
}

const none: JsonKey = { text: "", start: 0, end: 0 }

/**
 * Members of a JSON text with their places, in one pass and without building the value: lock files are megabytes. It
 * does not check the text; one that is cut off or not JSON gives the members there are.
 */
export const readJson = (text: string, events: JsonEvents): void => new Reader(text, events).read()

class Reader {
  private readonly text: string
  private readonly events: JsonEvents
  private readonly path: Array<string> = []
  private readonly inArray: Array<boolean> = []
  private key = none
  private expectsKey = false

  constructor(text: string, events: JsonEvents) {
    this.text = text
    this.events = events
  }

  read(): void {
    for (let at = 0; at < this.text.length; ) at = this.next(at, this.text.charCodeAt(at))
  }

  /** Reads what begins here, and answers where the next begins. */
  private next(at: number, c: number): number {
    if (c <= 0x20 || c === COLON) return at + 1
    if (c === QUOTE) return this.string(at)
    if (c === COMMA) return this.comma(at)
    if (c === OPEN_OBJECT || c === OPEN_ARRAY) return this.open(at, c === OPEN_ARRAY)
    return c === CLOSE_OBJECT || c === CLOSE_ARRAY ? this.close(at) : this.word(at)
  }

  private string(at: number): number {
    const end = stringEnd(this.text, at)
    if (this.expectsKey) this.key = { text: this.text.slice(at + 1, end), start: at + 1, end }
    else this.events.scalar(this.path, this.key, at + 1, end)
    this.expectsKey = false
    return end + 1
  }

  private word(at: number): number {
    const end = wordEnd(this.text, at)
    if (!this.expectsKey) this.events.scalar(this.path, this.key, at, end)
    return end
  }

  private comma(at: number): number {
    this.expectsKey = this.inArray.at(-1) === false
    if (this.expectsKey) this.key = none
    return at + 1
  }

  private open(at: number, isArray: boolean): number {
    if (this.inArray.length >= MAX_DEPTH || !this.events.enter(this.path, this.key)) return containerEnd(this.text, at)
    this.path.push(this.key.text)
    this.inArray.push(isArray)
    this.expectsKey = !isArray
    this.key = none
    return at + 1
  }

  private close(at: number): number {
    if (this.inArray.pop() !== undefined) {
      this.events.leave(this.path)
      this.path.pop()
    }
    this.expectsKey = false
    this.key = none
    return at + 1
  }
}

/** The text of a string as JSON means it; as it is written when that is not JSON. */
export const unescaped = (written: string): string => {
  if (!written.includes("\\")) return written
  try {
    return String(JSON.parse(`"${written}"`))
  } catch {
    return written
  }
}
