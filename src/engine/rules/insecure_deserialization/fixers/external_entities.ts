import { declined, type Edit, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { entryNamed, itemRemoval, replacement } from "../../../languages/edits/arguments.ts"
import { matchedCall } from "../../../languages/edits/atMatch.ts"
import type { Call } from "../../../languages/syntax/vocabulary.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

const summary = "Do not load external entities"

const inPython = ({ file }: FixSite, call: Call): Proposal => {
  const tree = file.tree!
  if (call.method === "setFeature") {
    const state = call.args[1] ?? NONE
    return { edits: [replacement(tree, state, tree.textOf(state) === "1" ? "0" : "False")], summary }
  }
  const settings: ReadonlyArray<readonly [name: string, unsafe: string, safe: string]> = [
    ["resolve_entities", "True", "False"],
    ["no_network", "False", "True"]
  ]
  const edits = settings.flatMap(([name, unsafe, safe]): ReadonlyArray<Edit> => {
    const value = call.named.get(name)
    return value !== undefined && tree.textOf(value) === unsafe ? [replacement(tree, value, safe)] : []
  })
  return edits.length > 0 ? { edits, summary } : declined("The parser is configured elsewhere.")
}

/** `A | LIBXML_NOENT` without the flag; null for anything else than flags. */
const withoutFlag = (flags: string): string | null => {
  const parts = flags.split("|").map((part) => part.trim())
  if (!parts.every((part) => /^\\?[A-Z_]+$/.test(part))) return null
  return parts.filter((part) => !/^\\?LIBXML_NOENT$/.test(part)).join(" | ")
}

const inPhp = ({ file }: FixSite, call: Call): Proposal => {
  const tree = file.tree!
  if (/libxml_disable_entity_loader$/.test(call.callee)) {
    return declined("The call is about every document of the process; each parser needs the setting instead.")
  }
  const flags = call.args.find((node) => /\bLIBXML_NOENT\b/.test(tree.textOf(node)))
  const kept = flags === undefined ? null : withoutFlag(tree.textOf(flags))
  if (flags === undefined || kept === null) return declined("The flags are not written out in the call.")
  if (kept !== "") return { edits: [replacement(tree, flags, kept)], summary }
  const argument = tree.is(tree.parent(flags), "argument") ? tree.parent(flags) : flags
  const isLast = call.args.at(-1) === flags
  return isLast
    ? { edits: itemRemoval(file, tree.parent(argument), argument), summary }
    : { edits: [replacement(tree, flags, "0")], summary }
}

const inScript = ({ file }: FixSite, call: Call): Proposal => {
  const tree = file.tree!
  const options = call.args.find((node) => tree.is(node, "object"))
  const entry = options === undefined ? NONE : entryNamed(tree, options, "noent")
  if (entry === NONE) return declined("The options of the call are set elsewhere.")
  return { edits: [replacement(tree, tree.child(entry, "value"), "false")], summary }
}

/** Turns off what makes an XML parser load the entities that a document names. */
export default fixer({
  tool: "insecure_deserialization",
  rule: "external_entities",
  languages: ["javascript", "php", "python"],
  propose: (site) => {
    const call = matchedCall(site.file, site.match)
    if (call === undefined) return declined("The call is not found.")
    if (site.file.language === "python") return inPython(site, call)
    return site.file.language === "php" ? inPhp(site, call) : inScript(site, call)
  }
})
