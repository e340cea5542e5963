import { digestOf } from "./cache/digest.ts"
import type { FactsColumn } from "./concludeTools.ts"
import type { FactsText } from "./Inspector.ts"

/** A text has a greatest length. */
const FILES_PER_TEXT = 2_000

/** Facts of all files as the texts they came as: they are parsed where they are used, a tool at a time. */
export class ProjectFacts {
  private readonly byTool = new Map<string, Map<string, string | Buffer>>()

  add(path: string, facts: ReadonlyArray<FactsText>): void {
    for (const { tool, json } of facts) {
      const known = this.byTool.get(tool)
      if (known === undefined) this.byTool.set(tool, new Map([[path, json]]))
      else known.set(path, json)
    }
  }

  columns(): ReadonlyMap<string, FactsColumn> {
    return new Map([...this.byTool].map(([tool, texts]) => [tool, columnOf(texts)]))
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

const columnOf = (byPath: ReadonlyMap<string, string | Buffer>): FactsColumn => {
  const paths = [...byPath.keys()].sort()
  const texts: Array<string> = []
  for (let at = 0; at < paths.length; at += FILES_PER_TEXT) {
    const some = paths.slice(at, at + FILES_PER_TEXT)
    texts.push(`[${some.map((path) => byPath.get(path)!.toString()).join(",")}]`)
  }
  return { paths, texts }
}
