import type { FileFacts, Json } from "./AuditTool.ts"
import type { FactsText } from "./Inspector.ts"
import { factsDigest } from "./verification.ts"

/** Texts are parsed together, but not all at once: a text has a greatest length. */
const PARSED_TOGETHER = 2_000

/** Facts of all files as the texts they came as: most tools' are small, and a tool's are parsed when it concludes. */
export class ProjectFacts {
  private readonly byTool = new Map<string, Map<string, string | Buffer>>()

  add(path: string, facts: ReadonlyArray<FactsText>): void {
    for (const { tool, json } of facts) {
      const known = this.byTool.get(tool)
      if (known === undefined) this.byTool.set(tool, new Map([[path, json]]))
      else known.set(path, json)
    }
  }

  /** In order of path. */
  of(tool: string): ReadonlyArray<FileFacts> {
    const texts = this.byTool.get(tool) ?? new Map<string, string | Buffer>()
    const paths = [...texts.keys()].sort()
    const facts: Array<FileFacts> = []
    for (let at = 0; at < paths.length; at += PARSED_TOGETHER) {
      const some = paths.slice(at, at + PARSED_TOGETHER)
      const parsed = JSON.parse(`[${some.map((path) => texts.get(path)!.toString()).join(",")}]`) as ReadonlyArray<Json>
      for (const [i, path] of some.entries()) facts.push({ path, facts: parsed[i]! })
    }
    return facts
  }

  /** Of what each of the tools knows about one file. */
  digests(path: string, tools: Iterable<string>): Readonly<Record<string, string>> {
    const digests: Record<string, string> = {}
    for (const tool of tools) {
      const json = this.byTool.get(tool)?.get(path)
      if (json !== undefined) digests[tool] = factsDigest(json)
    }
    return digests
  }
}
