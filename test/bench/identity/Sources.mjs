import { createHash } from "node:crypto"

/**
 * Files as lists of lines that know themselves: whatever is edited around a line, moved or renamed, it stays the same
 * line, so that what was found on it before and after is known to be the same without asking the engine.
 */
let lastId = 0
const line = (text, id = ++lastId) => ({ text, id })

const extension = (path) => path.slice(path.lastIndexOf(".") + 1)
const indentOf = (text) => /^\s*/.exec(text)[0].length
const commentMarks = { py: "#", rb: "#", yml: "#", yaml: "#", sh: "#", tf: "#", php: "//", sql: "--" }
const codeMarks = new Set("js ts jsx tsx mjs cjs go java cs php rs py rb".split(" "))

const starts = {
  js: /^(?:export\s+)?(?:default\s+)?(?:async\s+)?function\b[^(]*\(|^(?:export\s+)?const \w+ = (?:async )?\([^)]*\) =>\s*\{$/,
  py: /^(?:async\s+)?def \w+/,
  go: /^func /,
  php: /^function \w+/,
  rb: /^\s*def /,
  java: /^\s+(?:public|private|protected)[\w<>[\], ]+\([^;]*\{$/,
  cs: /^\s+(?:public|private|protected|internal)[\w<>[\], ?]+\([^;]*$/,
  rs: /^\s*(?:pub )?(?:async )?fn \w+/
}
const startOf = (path) => starts[extension(path)] ?? (/[cm]?[jt]sx?$/.test(extension(path)) ? starts.js : null)

export class Sources {
  constructor(texts) {
    this.files = new Map(Object.entries(texts).map(([path, text]) => [path, text.split("\n").map((t) => line(t))]))
    this.renames = new Map()
  }

  paths() {
    return [...this.files.keys()].sort()
  }

  codePaths() {
    return this.paths().filter((path) => codeMarks.has(extension(path)))
  }

  lines(path) {
    return this.files.get(path)
  }

  comment(path, text) {
    return line(`${commentMarks[extension(path)] ?? "//"} ${text}`)
  }

  insert(path, at, ...added) {
    this.lines(path).splice(at, 0, ...added)
  }

  /** Functions as ranges of lines, from the first to after the last. */
  functions(path) {
    const start = startOf(path)
    const lines = this.lines(path)
    if (start === null) return []
    const found = []
    for (let from = 0; from < lines.length; from++) {
      if (!start.test(lines[from].text)) continue
      const to = this.endOf(path, from)
      if (to === null) continue
      found.push([from, to])
      from = to - 1
    }
    return found
  }

  endOf(path, from) {
    const lines = this.lines(path)
    const indent = indentOf(lines[from].text)
    for (let at = from + 1; at < lines.length; at++) {
      const { text } = lines[at]
      if (text.trim() === "" || indentOf(text) > indent) continue
      if (extension(path) === "py") return at
      if (/^\s*(?:\}|end\b)/.test(text)) return at + 1
      if (!/^\s*[{)]/.test(text)) return null
    }
    return extension(path) === "py" ? lines.length : null
  }

  rename(path, to, isReported) {
    this.files.set(to, this.lines(path))
    this.files.delete(path)
    if (isReported) this.renames.set(path, to)
  }

  /** Copies are other lines. */
  copyOf(lines) {
    return lines.map(({ text }) => line(text))
  }

  text(path) {
    return this.lines(path)
      .map(({ text }) => text)
      .join("\n")
  }

  /** The line of every line of the file's text: one that a formatter broke is several there. */
  origins(path) {
    return this.lines(path).flatMap(({ text, id }) => text.split("\n").map(() => id))
  }

  /** As the engine reads it. */
  tree() {
    const contents = this.paths().map((path) => {
      const bytes = new TextEncoder().encode(this.text(path))
      const blob = createHash("sha1").update(bytes).digest("hex")
      return { entry: { path, escaped: false, blob, size: bytes.length, mode: "100644" }, bytes }
    })
    const byPath = new Map(contents.map((content) => [content.entry.path, content]))
    return {
      list: async () => contents.map(({ entry }) => entry),
      skipped: async () => [],
      async *read(entries) {
        for (const { path } of entries) yield byPath.get(path)
      },
      close: async () => undefined
    }
  }
}
