import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { calls, importedNames } from "../../../languages/syntax/vocabulary.ts"

const summary = "Run all tests again, not only the focused one"

const proposeScript = ({ file, match }: FixSite): Proposal => {
  const callee = file.text.slice(match.start, match.end)
  const only = callee.indexOf(".only")
  if (only >= 0) {
    const start = match.start + only
    return { edits: [{ start, end: start + ".only".length, text: "" }], summary }
  }
  const name = /^\w+/.exec(callee)?.[0] ?? ""
  if (importedNames(file).has(name)) {
    return declined(`\`${name}\` is imported by its name, and the function without focus may not be.`)
  }
  return { edits: [{ start: match.start, end: match.start + 1, text: "" }], summary }
}

/** `FIt` and `ginkgo.FDescribe`. */
const proposeGo = ({ file, match }: FixSite): Proposal => {
  const start = match.start + file.text.slice(match.start, match.end).lastIndexOf(".") + 1
  return { edits: [{ start, end: start + 1, text: "" }], summary }
}

const mark = /,\s*(?::focus\b(?!\s*=>)|focus:\s*true\b|:focus\s*=>\s*true\b)/

const proposeRuby = ({ file, match }: FixSite): Proposal => {
  const tree = file.tree
  const call = calls(file).find(({ node }) => tree?.start(node) === match.start)
  if (tree === null || call === undefined) return declined("The call was not found.")
  if (call.receiver === null && /^f(?:it|describe|context)$/.test(call.method)) {
    return { edits: [{ start: match.start, end: match.start + 1, text: "" }], summary }
  }
  const list = tree.child(call.node, "arguments")
  const found = mark.exec(tree.textOf(list))
  if (found === null) return declined("The mark is not written as an argument of its own.")
  const start = tree.start(list) + found.index
  return { edits: [{ start, end: start + found[0].length, text: "" }], summary }
}

const propose = (site: FixSite): Proposal => {
  if (site.file.language === "ruby") return proposeRuby(site)
  return site.file.language === "go" ? proposeGo(site) : proposeScript(site)
}

export default fixer({ tool: "test_quality", rule: "focused_test", languages: ["javascript", "ruby", "go"], propose })
