import { declined, type FixSite, type Proposal } from "../../../../core/fix/Fixer.ts"
import { removal } from "../../../../languages/edits/removal.ts"
import { type FlatTree, NONE } from "../../../../languages/tree/FlatTree.ts"
import { regionOf } from "./region.ts"
import { type Resource, resourceOf } from "./resource.ts"
import { wrapped } from "./wrapped.ts"

const checked = {
  unclosed_file: /\b(?:IOException|Exception|Throwable)\b/,
  unclosed_connection: /\b(?:SQLException|Exception|Throwable)\b/
}

const catches = (tree: FlatTree, statement: number, types: RegExp): boolean =>
  tree
    .children(statement)
    .some(
      (node) =>
        tree.is(node, "catch_clause") && types.test(tree.textOf(tree.childOfKind(node, "catch_formal_parameter")))
    )

/** Whether an exception of `close` may leave the code here: it is caught or declared. */
const mayThrow = (tree: FlatTree, statement: number, types: RegExp): boolean => {
  for (let at = statement; at !== NONE; at = tree.parent(at)) {
    const up = tree.parent(at)
    const isGuarded = tree.is(up, "try_statement", "try_with_resources_statement") && tree.child(up, "body") === at
    if (isGuarded && catches(tree, up, types)) return true
    if (tree.is(at, "lambda_expression", "static_initializer")) return false
    if (tree.is(at, "method_declaration", "constructor_declaration")) {
      return types.test(tree.textOf(tree.childOfKind(at, "throws")))
    }
  }
  return false
}

/** `try {` with the declaration as its first statement becomes `try (X x = …) {`; null where there is no such `try`. */
const merged = ({ file }: FixSite, { tree, statement, name }: Resource): Proposal | null => {
  const block = tree.parent(statement)
  const outer = tree.parent(block)
  if (!tree.is(outer, "try_statement") || tree.child(outer, "body") !== block) return null
  if (tree.children(block).find((node) => tree.isNamed(node)) !== statement) return null
  if (regionOf(file, tree, statement, name) === null) return null
  const opening = tree.start(block)
  const line = removal(file, tree.start(statement), tree.end(statement))
  if (line.start <= opening) return null
  const declaration = tree.textOf(statement).replace(/\s*;$/, "")
  return {
    edits: [{ start: opening, end: opening, text: `(${declaration}) ` }, line],
    summary: `Close \`${name}\` in every case`
  }
}

/** `try (X x = …) { … }` around everything that uses the resource. */
export const tryWithResources = (site: FixSite): Proposal => {
  const resource = resourceOf(site, "local_variable_declaration")
  if ("declined" in resource) return resource
  const types = site.match.rule === "unclosed_connection" ? checked.unclosed_connection : checked.unclosed_file
  if (!mayThrow(resource.tree, resource.statement, types)) {
    return declined("No code here catches or declares the exception that closing it may throw.")
  }
  return merged(site, resource) ?? wrapped(site.file, resource, { open: "try (", head: ") {" })
}
