import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { listItemAt } from "./listItem.ts"

const propose = ({ file, match }: FixSite): Proposal => {
  const item = listItemAt(file, match.start, match.end)
  if (item === null) return declined("The list was not found again.")
  const { tree, callback, tag, key } = item
  const attribute = [...tree.within(tag, "jsx_attribute")].find((node) => /^key\s*=/.test(tree.textOf(node)))
  const [first, second, ...others] = tree.namedChildren(tree.child(callback, "parameters"))
  if (key === null || attribute === undefined || first === undefined || second === undefined) {
    return declined("What identifies an item of this list cannot be read from the code.")
  }
  const name = /^\w+/.exec(tree.textOf(second))?.[0] ?? ""
  const body = tree.child(callback, "body")
  const isUsed = [...tree.within(body, "identifier", "shorthand_property_identifier")].some(
    (node) => tree.textOf(node) === name && !tree.contains(attribute, node)
  )
  const edits = [{ start: tree.start(attribute), end: tree.end(attribute), text: `key={${key}}` }]
  const parameter = { start: tree.end(first), end: tree.end(second), text: "" }
  return {
    edits: isUsed || others.length > 0 ? edits : [parameter, ...edits],
    summary: "Give the items of the list their own keys"
  }
}

export default fixer({ tool: "frontend_quality", rule: "index_as_key", languages: ["javascript"], propose })
