import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { enclosingFunction } from "../../../languages/syntax/vocabulary.ts"
import { deferClose } from "./closing/deferClose.ts"

const fromPackage = /^\w+\s*,\s*\w+\s*:=\s*http\.(?:Get|Post|PostForm|DefaultClient\.)/

/** Clients of other services have methods of the same names; their answers have no body to close. */
const isHttp = ({ file, match }: FixSite): boolean => {
  const code = file.text.slice(match.start, match.end)
  if (fromPackage.test(code)) return true
  const tree = file.tree
  const name = /^\w+/.exec(code)?.[0]
  const holder = tree === null ? null : enclosingFunction(file, tree.covering(match.start, match.end))
  if (tree === null || holder === null || name === undefined || !file.text.includes('"net/http"')) return false
  return new RegExp(`\\b${name}\\.Body\\b`).test(tree.textOf(holder.node))
}

const propose = (site: FixSite): Proposal =>
  isHttp(site)
    ? deferClose(site, "Body.Close")
    : declined("Nothing here reads a body, so the client may be one of another protocol.")

export default fixer({ tool: "resource_management", rule: "unclosed_response", languages: ["go"], propose })
