import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"

interface Entry {
  readonly id: string
  readonly package: string
  readonly ecosystem: string
  readonly before?: string
  readonly after?: string
  readonly version?: string
  readonly patches?: ReadonlyArray<string>
  readonly weakness: number
  readonly files: ReadonlyArray<string>
}

const textOf = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8")

const corrected: ReadonlyArray<Entry> = JSON.parse(textOf("./published.json"))
const second: ReadonlyArray<Entry> = JSON.parse(textOf("./published-second.json"))
const unseen: ReadonlyArray<Entry> = JSON.parse(textOf("./published-unseen.json"))
const third: ReadonlyArray<Entry> = JSON.parse(textOf("./published-third.json"))
const entries = [...corrected, ...second, ...unseen, ...third]
const page = textOf("../../docs/published-vulnerabilities.md")

describe("the lists of published vulnerabilities", () => {
  it("name each vulnerability once, with its files and what their ecosystem needs to fetch both versions", () => {
    const ids = entries.map(({ id }) => id)
    assert.deepStrictEqual(
      ids.filter((id, at) => ids.indexOf(id) !== at || !/^CVE-\d{4}-\d{4,}$/.test(id)),
      []
    )
    const incomplete = entries.filter(({ ecosystem, before, after, version, patches, files }) => {
      const npm = ecosystem === "npm" && before !== undefined && after !== undefined && before !== after
      const debian = ecosystem === "debian" && version !== undefined && (patches ?? []).length > 0
      return files.length === 0 || !(npm || debian)
    })
    assert.deepStrictEqual(incomplete, [])
  })

  it("are those that the documentation shows, row by row, and it counts the classes of the first", () => {
    const rows = [
      ...page.matchAll(/^\| (CVE-\S+) \| (\S+)(?: \(Debian\))? \| \S.* \| CWE-(\d+) \| (?:reported|missed): /gm)
    ]
    const shown = rows.map(([, id, name, weakness]) => `${id} ${name} ${weakness}`)
    const listed = entries.map((entry) => `${entry.id} ${entry.package} ${entry.weakness}`)
    assert.deepStrictEqual(shown.toSorted(), listed.toSorted())
    const counted = new Map(
      [...page.matchAll(/^\| CWE-(\d+) [^|]+ \| (\d+) \|/gm)].map(([, cwe, n]) => [cwe, Number(n)])
    )
    const sizes = new Map<string, number>()
    for (const { weakness } of corrected) sizes.set(String(weakness), (sizes.get(String(weakness)) ?? 0) + 1)
    const inOrder = (counts: Iterable<readonly [string | undefined, number]>) => [...counts].map(String).toSorted()
    assert.deepStrictEqual(inOrder(counted), inOrder(sizes))
  })
})
