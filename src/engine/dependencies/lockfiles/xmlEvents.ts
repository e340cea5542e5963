export interface XmlEvents {
  /** `tag` is the range between the angle brackets. */
  readonly open: (path: ReadonlyArray<string>, tag: readonly [start: number, end: number]) => void
  readonly close: (path: ReadonlyArray<string>) => void
  /** Text directly inside an element, trimmed. */
  readonly text: (path: ReadonlyArray<string>, start: number, end: number) => void
}

const MAX_DEPTH = 128
const tagName = /[\w:.-]+/y

/** Elements of an XML text in one pass; neither entities nor documents types are followed, and nothing is checked. */
export const readXml = (text: string, events: XmlEvents): void => {
  const path: Array<string> = []
  let textStart = 0
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    emitText(text, path, textStart, at, events)
    if (text.startsWith("<!--", at)) at = after(text, "-->", at + 4)
    else if (text.startsWith("<![CDATA[", at)) at = after(text, "]]>", at + 9)
    else if (text[at + 1] === "!" || text[at + 1] === "?") at = after(text, ">", at + 1)
    else {
      const end = tagEnd(text, at)
      readTag(text, path, at + 1, end, events)
      at = end + 1
    }
    textStart = at
    if (at > text.length) return
  }
}

const after = (text: string, mark: string, from: number): number => {
  const at = text.indexOf(mark, from)
  return at < 0 ? text.length + 1 : at + mark.length
}

const emitText = (text: string, path: ReadonlyArray<string>, from: number, to: number, events: XmlEvents): void => {
  if (path.length === 0) return
  let [start, end] = [from, to]
  while (start < end && text.charCodeAt(start) <= 0x20) start++
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--
  if (end > start) events.text(path, start, end)
}

/** A `>` inside of quotes does not end a tag. */
const tagEnd = (text: string, open: number): number => {
  let quote = 0
  for (let at = open + 1; at < text.length; at++) {
    const c = text.charCodeAt(at)
    if (quote !== 0) quote = c === quote ? 0 : quote
    else if (c === 0x22 || c === 0x27) quote = c
    else if (c === 0x3e) return at
  }
  return text.length
}

const readTag = (text: string, path: Array<string>, start: number, end: number, events: XmlEvents): void => {
  if (text[start] === "/") {
    if (path.length > 0) events.close(path)
    path.pop()
    return
  }
  tagName.lastIndex = start
  const name = tagName.exec(text)?.[0]
  if (name === undefined || path.length >= MAX_DEPTH) return
  path.push(name)
  events.open(path, [start, end])
  if (text[end - 1] === "/") {
    events.close(path)
    path.pop()
  }
}

export interface XmlAttribute {
  readonly value: string
  readonly start: number
  readonly end: number
}

/** Names of attributes are given in lower case: MSBuild takes any. */
const attributes = /(?<![\w:.-])([\w:.-]+)\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)')/g
const MAX_TAG = 4_096

/** `name` in lower case: MSBuild takes any. */
export const attribute = (
  text: string,
  [start, end]: readonly [start: number, end: number],
  name: string
): XmlAttribute | null => {
  if (end - start > MAX_TAG) return null
  for (const match of text.slice(start, end).matchAll(attributes)) {
    if (match[1]!.toLowerCase() !== name) continue
    const value = match[2] ?? match[3]!
    const valueEnd = start + match.index + match[0].length - 1
    return { value, start: valueEnd - value.length, end: valueEnd }
  }
  return null
}
