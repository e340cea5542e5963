import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Language, Parser } from "web-tree-sitter"
import { forbiddenInNames, forbiddenInTexts } from "./forbiddenWords.mjs"

/**
 * `npm run lint` and `npm run lint:words` fail for names and texts that use another word where the field has a standard term.
 * It reads identifiers, strings and comments of the sources, and the Markdown that users read; `forbiddenWords.mjs` is the
 * list. A line that ends with `words-ok: <reason>` in a comment is passed over.
 */
const root = fileURLToPath(new URL("../", import.meta.url))
/** The list itself, and what a generator writes. */
const notWritten = new Set(["scripts/forbiddenWords.mjs", "web/src/api/schema.d.ts"])

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 1e8
})
  .split("\n")
  .filter((path) => /^(?:src|bin|scripts|web|docs|examples)\/|^[A-Z]+\.md$|^test\/(?!fixtures|snapshots)/.test(path))
  .filter((path) => /\.(?:ts|tsx|mjs|js|md)$/.test(path) && !notWritten.has(path))

const grammar = (name) => Language.load(`${root}grammars/tree-sitter-${name}.wasm`)
await Parser.init()
const parsers = new Map()
for (const [ending, name] of [
  ["ts", "typescript"],
  ["tsx", "tsx"],
  ["mjs", "javascript"],
  ["js", "javascript"]
]) {
  const parser = new Parser()
  parser.setLanguage(await grammar(name))
  parsers.set(ending, parser)
}

const words = (name) =>
  name.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z]+/).filter((word) => word !== "")

const problems = []
const report = (path, line, word, instead) => problems.push(`${path}:${line}: "${word}": write ${instead}`)

/** A refused connection is the network's own term; other APIs' names contain it. A verdict's name is the contract's. */
const foreignNames = new Set(["ConnectionRefusedError", "ECONNREFUSED", "cannot_tell"])

const checkName = (path, line, name) => {
  if (foreignNames.has(name)) return
  for (const word of words(name)) {
    const instead = forbiddenInNames[word.toLowerCase()]
    if (instead !== undefined && Object.hasOwn(forbiddenInNames, word.toLowerCase())) report(path, line, name, instead)
  }
}

const textPattern = new RegExp(`(?<![\\w./-])(?:${Object.keys(forbiddenInTexts).join("|")})(?![\\w/-])`, "gi")

const checkText = (path, firstLine, text) => {
  for (const match of text.matchAll(textPattern)) {
    const line = firstLine + text.slice(0, match.index).split("\n").length - 1
    report(path, line, match[0], forbiddenInTexts[match[0].toLowerCase()])
  }
}

const isName = /identifier$|^property_identifier$/
const isText = /^(?:string_fragment|comment|jsx_text|template_string)$/

const codeSpans = /```[\s\S]*?```|`[^`\n]*`/g
const blank = (code) => code.replace(/[^\n]/g, " ")
/** The Unix account `nobody` is a name, like code in backticks; also in a line of /etc/passwd. */
const isAccount = (node) => node.type === "string_fragment" && /^nobody(?:$|:x:)/.test(node.text)

const checkCode = (path, source, parser) => {
  const excused = new Set(source.split("\n").flatMap((line, i) => (/words-ok: \S/.test(line) ? [i + 1] : [])))
  const before = problems.length
  const walk = (node) => {
    const line = node.startPosition.row + 1
    if (isName.test(node.type)) checkName(path, line, node.text)
    else if (isText.test(node.type) && !isAccount(node))
      checkText(path, line, node.text.replace(node.type === "comment" ? codeSpans : /\$\{[^{}]*\}/g, blank))
    if (node.type !== "template_string") for (const child of node.children) walk(child)
    else for (const child of node.children) if (child.type === "template_substitution") walk(child)
  }
  const tree = parser.parse(source)
  walk(tree.rootNode)
  tree.delete()
  const kept = problems.splice(before).filter((problem) => !excused.has(Number(/:(\d+):/.exec(problem)[1])))
  problems.push(...kept)
}

for (const path of files) {
  const source = readFileSync(root + path, "utf8")
  const parser = parsers.get(path.slice(path.lastIndexOf(".") + 1))
  if (parser === undefined) checkText(path, 1, source.replace(codeSpans, blank))
  else checkCode(path, source, parser)
}

for (const problem of problems) console.error(problem)
if (problems.length > 0) {
  console.error(
    `${problems.length} words of which the field has a standard term; scripts/forbiddenWords.mjs lists them.`
  )
  process.exitCode = 1
}
