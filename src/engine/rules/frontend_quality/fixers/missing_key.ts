import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"
import { listItemAt } from "./listItem.ts"

const propose = ({ file, match }: FixSite): Proposal => {
  const item = listItemAt(file, match.start, match.end)
  const name = item === null ? NONE : item.tree.child(item.tag, "name")
  if (item === null || name === NONE) return declined("A fragment takes a key only under its full name.")
  if (item.key === null) return declined("What identifies an item of this list cannot be read from the code.")
  const at = item.tree.end(name)
  return {
    edits: [{ start: at, end: at, text: ` key={${item.key}}` }],
    summary: "Give the items of the list their own keys"
  }
}

export default fixer({ tool: "frontend_quality", rule: "missing_key", languages: ["javascript"], propose })
