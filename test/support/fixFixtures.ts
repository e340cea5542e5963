import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import { withMadeUp } from "./madeUp.ts"

const root = join(import.meta.dirname, "../fixtures/fixes")

export type Tree = Readonly<Record<string, Buffer>>

/** A small tree with findings of one rule, and what its fixer makes of it. */
export interface FixCase {
  /** `tool.rule/case` */
  readonly name: string
  readonly rule: string
  readonly before: Tree
  /** Null where the fixer declines, with the reason in `declined`. */
  readonly after: Tree | null
  readonly declined: string | null
}

const treeIn = (folder: string): Tree => {
  const tree: Record<string, Buffer> = {}
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const path = join(folder, name)
    if (!statSync(path).isFile()) continue
    const bytes = readFileSync(path)
    const text = bytes.toString("utf8")
    tree[relative(folder, path)] = text.includes("{{made-up") ? Buffer.from(withMadeUp(text)) : bytes
  }
  return tree
}

const caseIn = (rule: string, name: string): FixCase => {
  const folder = join(root, rule, name)
  const reason = join(folder, "declined.txt")
  const after = join(folder, "after")
  return {
    name: `${rule}/${name}`,
    rule,
    before: treeIn(join(folder, "before")),
    after: existsSync(after) ? treeIn(after) : null,
    declined: existsSync(reason) ? readFileSync(reason, "utf8").trim() : null
  }
}

/** Every case of test/fixtures/fixes. */
export const fixCases = (): ReadonlyArray<FixCase> =>
  readdirSync(root).flatMap((rule) => readdirSync(join(root, rule)).map((name) => caseIn(rule, name)))
