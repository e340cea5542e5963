import type { Attribute, Element, Markup } from "./Element.ts"

interface Open extends Element {
  readonly children: Array<Element>
  hasText: boolean
  hasDynamic: boolean
}

/** How code of a template engine is written into the markup. */
export type Hole = readonly [open: string, close: string]

const voidTags = new Set("area base br col embed hr img input link meta param source track wbr".split(" "))
const rawTags = new Set(["script", "style", "textarea", "title"])
const repeated = new Set(["li", "p", "option", "td", "th", "tr", "dt", "dd"])

const nameStart = /[A-Za-z]/
const tagName = /[^\s/>]+/y
const attributeName = /[^\s/>=]+/y
const space = /[\s/]+/y
const escaping = /^\{%[-~]?\s*filter\s[^%]*escape/
const bare = /[^\s>]+/y

/** One pass over the text, tolerant as browsers are; linear, since what is searched for in vain is remembered. */
class Scanner {
  readonly elements: Array<Open> = []
  isTemplate = false
  private readonly text: string
  private readonly holes: ReadonlyArray<Hole>
  private readonly end: number
  private readonly stack: Array<Open> = []
  private readonly openTags = new Map<string, number>()
  private readonly absent = new Set<string>()
  private at: number

  constructor(text: string, from: number, to: number, holes: ReadonlyArray<Hole>) {
    this.text = text
    this.at = from
    this.end = to
    this.holes = holes
  }

  run(): Markup {
    while (this.at < this.end) {
      if (this.skipHole()) {
        const top = this.stack.at(-1)
        if (top !== undefined) top.hasDynamic = true
      } else if (this.text[this.at] === "<") this.angle()
      else this.characters()
    }
    return { elements: this.elements, isTemplate: this.isTemplate }
  }

  private find(what: string, from: number): number {
    if (this.absent.has(what)) return -1
    const found = this.text.indexOf(what, from)
    if (found >= 0 && found < this.end) return found
    this.absent.add(what)
    return -1
  }

  private holeAt(at: number): Hole | undefined {
    const c = this.text[at]
    return this.holes.find(([open]) => open[0] === c && this.text.startsWith(open, at))
  }

  private skipHole(): boolean {
    const hole = this.holeAt(this.at)
    if (hole === undefined) return false
    const close = this.find(hole[1], this.at + hole[0].length)
    const isEscaped = close >= 0 && escaping.test(this.text.slice(this.at, Math.min(close, this.at + 60)))
    this.at = close < 0 ? this.end : close + hole[1].length
    if (isEscaped) this.skipEscaped()
    this.isTemplate = true
    return true
  }

  /** Markup that a filter escapes is shown as text. */
  private skipEscaped(): void {
    const found = this.find("endfilter", this.at)
    if (found >= 0) this.at = found
  }

  private characters(): void {
    const from = this.at
    while (this.at < this.end && this.text[this.at] !== "<" && this.holeAt(this.at) === undefined) this.at++
    const top = this.stack.at(-1)
    if (top !== undefined && !top.hasText) top.hasText = /\S/.test(this.text.slice(from, this.at))
  }

  private angle(): void {
    const next = this.text[this.at + 1] ?? ""
    if (this.text.startsWith("<!--", this.at)) this.skipTo("-->")
    else if (next === "!" || next === "?") this.skipTo(">")
    else if (next === "/") this.close()
    else if (nameStart.test(next)) this.open()
    else this.at++
  }

  private skipTo(what: string): void {
    const found = this.find(what, this.at)
    this.at = found < 0 ? this.end : found + what.length
  }

  private close(): void {
    tagName.lastIndex = this.at + 2
    const tag = tagName.exec(this.text)?.[0].toLowerCase() ?? ""
    this.skipTo(">")
    this.closeTag(tag)
  }

  /** A closing tag without its opening one is ignored: the other half may be in another file. */
  private closeTag(tag: string): void {
    if ((this.openTags.get(tag) ?? 0) === 0) return
    for (let top = this.stack.pop(); top !== undefined; top = this.stack.pop()) {
      const name = top.tag.toLowerCase()
      this.openTags.set(name, this.openTags.get(name)! - 1)
      if (name === tag) return
    }
  }

  private open(): void {
    const start = this.at
    tagName.lastIndex = start + 1
    const written = tagName.exec(this.text)?.[0] ?? ""
    this.at = Math.min(start + 1 + written.length, this.end)
    const { attributes, hasSpread } = this.attributes()
    const isSelfClosed = this.text[this.at - 1] === "/"
    this.at = Math.min(this.at + 1, this.end)
    const isComponent = /[A-Z]/.test(written) ? written !== written.toUpperCase() : /[-:.]/.test(written)
    const tag = isComponent ? written : written.toLowerCase()
    const top = this.stack.at(-1)
    if (top !== undefined && top.tag === tag && repeated.has(tag)) this.closeTag(tag)
    const parent = this.stack.at(-1) ?? null
    const element: Open = {
      tag,
      isComponent,
      attributes,
      hasSpread,
      parent,
      children: [],
      hasText: false,
      hasDynamic: false,
      start,
      end: this.at,
      node: -1
    }
    parent?.children.push(element)
    this.elements.push(element)
    if (voidTags.has(tag) || isSelfClosed) return
    if (rawTags.has(tag)) this.raw(element)
    else {
      this.stack.push(element)
      this.openTags.set(tag.toLowerCase(), (this.openTags.get(tag.toLowerCase()) ?? 0) + 1)
    }
  }

  private raw(element: Open): void {
    const close = this.find(`</${element.tag}`, this.at)
    const to = close < 0 ? this.end : close
    element.hasText = to > this.at && /\S/.test(this.text.slice(this.at, to))
    this.at = to
    if (close >= 0) this.skipTo(">")
  }

  private attributes() {
    const attributes: Array<Attribute> = []
    let hasSpread = false
    for (;;) {
      space.lastIndex = this.at
      this.at += space.exec(this.text)?.[0].length ?? 0
      if (this.at >= this.end || this.text[this.at] === ">") break
      if (this.skipHole()) {
        hasSpread = true
        continue
      }
      const from = this.at
      attributeName.lastIndex = from
      const name = attributeName.exec(this.text)?.[0]
      if (name === undefined) {
        this.at++
        continue
      }
      this.at = from + name.length
      const raw = this.value()
      if (
        this.holes.some(([open]) => name.includes(open)) ||
        name === "v-bind" ||
        name === "v-on" ||
        severalAttributes.test(name)
      )
        hasSpread = true
      attributes.push({ ...plainName(name, raw), written: name, start: from, end: this.at })
    }
    return { attributes, hasSpread }
  }

  private bareValue(): string | null {
    if (this.skipHole()) return null
    bare.lastIndex = this.at
    const value = bare.exec(this.text)?.[0] ?? ""
    this.at += value.length
    return this.holes.some(([open]) => value.includes(open)) ? null : value
  }

  /** Null for a value with code in it. */
  private value(): string | null {
    if (this.text[this.at] !== "=") return ""
    this.at++
    while (/\s/.test(this.text[this.at] ?? "")) this.at++
    const quote = this.text[this.at]
    if (quote !== '"' && quote !== "'") return this.bareValue()
    const from = ++this.at
    let isDynamic = false
    while (this.at < this.end && this.text[this.at] !== quote) {
      // Code of the template may hold the same quotes.
      if (this.skipHole()) isDynamic = true
      else this.at++
    }
    const value = this.text.slice(from, this.at)
    this.at++
    return isDynamic ? null : value
  }
}

/** What Thymeleaf writes into an element, or in its place. */
const written = /^(?:data-)?th[:-](?:text|utext|replace|insert|include|substituteby|remove)$/
/** Attributes that Thymeleaf computes all at once. */
const severalAttributes = /^(?:data-)?th[:-](?:attr|attrappend|attrprepend|alt-title|lang-xmllang|each-attr)$/

const bound = /^(?:v-bind:|(?:data-)?th[:-]|ng-attr-|x-bind:|bind:|\[\(?(?:attr\.)?|:)([\w-]+)\)?\]?/
const event = /^(?:v-on:|@|x-on:|on:|\()([\w-]+)/

/** Through the spellings of Vue, Angular, Alpine and Thymeleaf to what the browser gets. */
const plainName = (spelled: string, value: string | null): { readonly name: string; readonly value: string | null } => {
  if (written.test(spelled)) return { name: "th-content", value: null }
  const isEvent = event.exec(spelled)
  if (isEvent !== null) return { name: `on${isEvent[1]!.toLowerCase()}`, value }
  const isBound = bound.exec(spelled)
  if (isBound !== null) return { name: isBound[1]!.toLowerCase(), value: null }
  return { name: spelled.toLowerCase(), value }
}

export const parseHtml = (text: string, holes: ReadonlyArray<Hole>, from = 0, to = text.length): Markup =>
  new Scanner(text, from, to, holes).run()
