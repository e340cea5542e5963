import { digestOf } from "../cache/digest.ts"
import type { ToolMatch } from "./LocatedFinding.ts"

/** What cross-file passes matched, by file. */
export class CrossFileMatches {
  private readonly byPath = new Map<string, Array<ToolMatch>>()

  add(matches: ReadonlyArray<readonly [path: string, match: ToolMatch]>): void {
    for (const [path, match] of matches) {
      const known = this.byPath.get(path)
      if (known === undefined) this.byPath.set(path, [match])
      else known.push(match)
    }
  }

  get paths(): ReadonlyArray<string> {
    return [...this.byPath.keys()].sort()
  }

  of(path: string): ReadonlyArray<ToolMatch> {
    return this.byPath.get(path) ?? []
  }

  /** Of all matches in one file. */
  digest(path: string): string {
    return digestOf(JSON.stringify(this.of(path)))
  }
}
