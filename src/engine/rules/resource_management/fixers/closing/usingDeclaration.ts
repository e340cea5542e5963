import { declined, type FixSite, type Proposal } from "../../../../core/fix/Fixer.ts"
import { indentationAt } from "../../../../languages/edits/style.ts"
import { resourceOf } from "./resource.ts"
import { wrapped } from "./wrapped.ts"

/** Signs of C# 8, which has declarations with `using`. */
const isModern =
  /\busing var\b|^namespace [\w.]+;|^#nullable\b|\bis not\b|\brecord (?:struct |class )?\w+|\bawait foreach\b|\binit;|\w\? \w+[,)]|=> \w+ switch\b/m

/** `using var x = …`, which the end of the block closes, or `using (…) { … }` around everything that uses it. */
export const usingDeclaration = (site: FixSite): Proposal => {
  const { file } = site
  const resource = resourceOf(site, "local_declaration_statement")
  if ("declined" in resource) return resource
  const { tree, statement, name } = resource
  if (!tree.is(tree.parent(statement), "block")) return declined("The resource is not opened in a block of its own.")
  const start = tree.start(statement)
  if (isModern.test(file.text)) {
    return { edits: [{ start, end: start, text: "using " }], summary: `Close \`${name}\` in every case` }
  }
  const indent = indentationAt(file, start)
  const isAllman = /\)\s*\r?\n[ \t]*\{/.test(file.text)
  return wrapped(file, resource, { open: "using (", head: isAllman ? `)\n${indent}{` : ") {" })
}
