import type { SourceFile } from "../../core/files/SourceFile.ts"
import { functions } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"

export interface Step {
  readonly state: "absent" | "empty" | "throws" | "works"
  readonly line: number
  /** Text of its body. */
  readonly body: string
}

const nothing =
  /^(?:pass|\.\.\.|return(?:\s+(?:None|null|nil|undefined|Promise\.resolve\(\s*\)))?;?|(?:await\s+)?Promise\.resolve\(\s*\);?|;|nil|"""[\s\S]*"""|'''[\s\S]*'''|"[^"\n]*"|'[^'\n]*')$/
const rejects =
  /^(?:throw\b|raise\b|return\s+Promise\.reject\b|\$this->throwIrreversibleMigrationException\b|abort\b|panic\()|NotImplementedError|IrreversibleMigration/

/** What a direction of a migration does, by the name of its function. */
export const stepOf = (file: SourceFile, name: string): Step => {
  const { tree } = file
  const found = functions(file).find(
    (one) => one.name !== null && /[\w$]+$/.exec(one.name)?.[0] === name && one.body !== NONE
  )
  if (tree === null || found === undefined) return { state: "absent", line: 1, body: "" }
  const line = file.line(tree.start(found.node))
  const body = tree.textOf(found.body)
  const isBlock = tree.is(found.body, "statement_block", "block", "compound_statement", "body_statement")
  const statements = (isBlock ? tree.namedChildren(found.body) : [found.body])
    .map((node) => tree.textOf(node).trim())
    .filter((text) => !nothing.test(text))
  if (statements.length === 0) return { state: "empty", line, body }
  return { state: rejects.test(statements[0] ?? "") ? "throws" : "works", line, body }
}
