import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { entryNamed, itemRemoval, replacement } from "../../../languages/edits/arguments.ts"
import { insertAt, matchedCall } from "../../../languages/edits/atMatch.ts"
import type { Call } from "../../../languages/syntax/vocabulary.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

const summary = "Load plain data only from YAML"

/** Constructors and classes that a file teaches the unsafe loader. */
const registers = /\badd_(?:multi_)?(?:constructor|implicit_resolver)\b|\bYAMLObject\b/

const safeLoader = (written: string): string => written.replace(/(?:Unsafe)?Loader$/, "SafeLoader")

const inPython = ({ file }: FixSite, call: Call): Proposal => {
  const tree = file.tree!
  if (registers.test(file.text)) return declined("The file registers constructors of its own with the loader.")
  if (!call.callee.includes(".")) return declined("The loader is imported by its name.")
  const loader = call.named.get("Loader") ?? call.args[1]
  if (loader !== undefined) {
    const written = tree.textOf(loader)
    if (!written.includes(".")) return declined("The class of the loader is imported by its name.")
    return { edits: [replacement(tree, loader, safeLoader(written))], summary }
  }
  const name = tree.child(tree.child(call.node, "function"), "attribute")
  const safe = call.method.replace(/^(?:unsafe_)?load/, "safe_load")
  return { edits: [replacement(tree, name, safe)], summary }
}

const inScript = ({ file }: FixSite, call: Call): Proposal => {
  const tree = file.tree!
  const options = call.args.find((node) => tree.is(node, "object"))
  const schema = options === undefined ? NONE : entryNamed(tree, options, "schema")
  if (options === undefined || schema === NONE) return declined("The options of the call are set elsewhere.")
  const names = [...tree.within(schema, "identifier")].map((node) => tree.textOf(node))
  const isOnly = tree.namedChildren(options).length === 1
  const removed = isOnly ? options : schema
  return {
    edits: itemRemoval(file, tree.parent(removed), removed),
    summary,
    unusedImports: names.filter((name) => !call.callee.startsWith(`${name}.`))
  }
}

const inRuby = ({ file }: FixSite, call: Call): Proposal => {
  const tree = file.tree!
  const method = tree.child(call.node, "method")
  const last = call.args.at(-1)
  if (method === NONE || last === undefined || !/^(?:unsafe_)?load$/.test(call.method)) {
    return declined("There is no safe call that takes the same arguments.")
  }
  if (call.args.length > 1 || call.named.size > 0) return declined("The call has options of its own.")
  return {
    edits: [
      replacement(tree, method, "safe_load"),
      insertAt(tree.end(last), ", permitted_classes: [Symbol], aliases: true")
    ],
    summary
  }
}

/** `yaml.load(text)` becomes `yaml.safe_load(text)`, and the like in other languages. */
export default fixer({
  tool: "insecure_deserialization",
  rule: "unsafe_yaml_load",
  languages: ["javascript", "python", "ruby"],
  propose: (site) => {
    const call = matchedCall(site.file, site.match)
    if (call === undefined) return declined("The call is not found.")
    switch (site.file.language) {
      case "python":
        return inPython(site, call)
      case "java":
        return declined("Which classes the documents need is not known.")
      case "ruby":
        return inRuby(site, call)
      default:
        return inScript(site, call)
    }
  }
})
