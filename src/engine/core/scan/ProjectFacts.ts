import { digestOf } from "../cache/digest.ts"
import type { FactsColumn } from "./crossFilePass.ts"
import type { FactsText } from "./Inspector.ts"

/** A text has a greatest length. */
const FILES_PER_TEXT = 2_000

/** Facts of all files as the texts they came as: they are parsed where they are used, a tool at a time. */
export class ProjectFacts {
  private readonly byTool = new Map<string, Map<string, FactsText["json"]>>()

  add(path: string, facts: ReadonlyArray<FactsText>): void {
    for (const { tools, json } of facts) {
      for (const tool of tools) {
        const known = this.byTool.get(tool)
        if (known === undefined) this.byTool.set(tool, new Map([[path, json]]))
        else known.set(path, json)
      }
    }
  }

  /** Tools that know the same share a column. */
  columns(): ReadonlyMap<string, FactsColumn> {
    const columns: Array<readonly [Texts, FactsColumn]> = []
    return new Map(
      [...this.byTool].map(([tool, texts]) => {
        const [, column] = columns.find(([others]) => isSame(texts, others)) ?? [texts, columnOf(texts)]
        columns.push([texts, column])
        return [tool, column]
      })
    )
  }

  /** Of what each of the tools knows about one file. */
  digests(path: string, tools: Iterable<string>): Readonly<Record<string, string>> {
    const digests: Record<string, string> = {}
    for (const tool of tools) {
      const json = this.byTool.get(tool)?.get(path)
      if (json !== undefined) digests[tool] = digestOf(json)
    }
    return digests
  }
}

type Texts = ReadonlyMap<string, FactsText["json"]>

/** The very same texts, not merely equal ones: comparing costs nothing. */
const isSame = (a: Texts, b: Texts): boolean => {
  if (a.size !== b.size) return false
  for (const [path, json] of a) if (b.get(path) !== json) return false
  return true
}

const columnOf = (byPath: Texts): FactsColumn => {
  const paths = [...byPath.keys()].sort()
  const texts: Array<string> = []
  for (let at = 0; at < paths.length; at += FILES_PER_TEXT) {
    const some = paths.slice(at, at + FILES_PER_TEXT)
    texts.push(`[${some.map((path) => byPath.get(path)!.toString()).join(",")}]`)
  }
  return { paths, texts }
}
