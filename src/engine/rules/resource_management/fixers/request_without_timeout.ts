import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { argumentList, itemAddition } from "../../../languages/edits/arguments.ts"
import { addedField } from "../../../languages/edits/goFields.ts"
import { importing } from "../../../languages/edits/importing.ts"
import { enclosingFunction } from "../../../languages/syntax/vocabulary.ts"
import type { FlatTree } from "../../../languages/tree/FlatTree.ts"

const SECONDS = 30
const summary = "Give the HTTP request a timeout"

/** Calls that are meant to last: a server that holds its answer back, and models that write one. */
const lastsLong =
  /poll|stream\s*=\s*True|\bwait\b|longpoll|sse|event-stream|completions|generate|invocations|predict|infer|train/i

const proposePython = (file: SourceFile, tree: FlatTree, call: number): Proposal => {
  if (lastsLong.test(tree.textOf(call)))
    return declined("The answer may rightly take long: how long is up to its author.")
  return { edits: [itemAddition(file, argumentList(tree, call), `timeout=${SECONDS}`)], summary }
}

/** The timeout of a Go client covers the body, too. */
const readsLongBody = /io\.Copy|bufio\.New|\.Body\)?\.Read\(|[Dd]ownload|stream|Stream|poll|Poll|\bwatch|Watch/

/** The code that a client is for: its function, or the file for one of the package; null where that is not known. */
const usesOf = (file: SourceFile, tree: FlatTree, node: number): string | null => {
  const holder = enclosingFunction(file, node)
  if (!tree.is(node, "composite_literal")) return tree.textOf(holder?.node ?? 0)
  const value = tree.is(tree.parent(node), "unary_expression") ? tree.parent(tree.parent(node)) : tree.parent(node)
  const declaration = tree.is(value, "expression_list") ? tree.parent(value) : value
  if (tree.is(declaration, "short_var_declaration") && holder !== null) return tree.textOf(holder.node)
  return tree.is(declaration, "var_spec") ? file.text : null
}

const proposeGo = ({ file }: FixSite, tree: FlatTree, node: number): Proposal => {
  const uses = usesOf(file, tree, node)
  if (uses === null)
    return declined("What the client is used for is decided elsewhere, and its timeout covers the body, too.")
  if (readsLongBody.test(uses)) return declined("What is read may rightly take long: how long is up to its author.")
  const time = importing(file, { module: "time", name: "Second" })
  if (time === null) return declined("`time` means something else in this file.")
  if (tree.is(node, "composite_literal")) {
    const edits = addedField(tree, tree.child(node, "body"), "Timeout", `${SECONDS} * ${time.local}`)
    return edits === null
      ? declined("The client's fields are not named.")
      : { edits: [...time.edits, ...edits], summary }
  }
  const callee = tree.child(node, "function")
  const name = tree.child(callee, "operand")
  return {
    edits: [
      ...time.edits,
      { start: tree.start(name), end: tree.end(name), text: `(&http.Client{Timeout: ${SECONDS} * ${time.local}})` }
    ],
    summary
  }
}

const propose = (site: FixSite): Proposal => {
  const tree = site.file.tree
  if (tree === null) return declined("The file could not be parsed.")
  const node = tree.covering(site.match.start, site.match.end)
  return site.file.language === "go" ? proposeGo(site, tree, node) : proposePython(site.file, tree, node)
}

export default fixer({
  tool: "resource_management",
  rule: "request_without_timeout",
  languages: ["go", "python"],
  propose
})
