import { assert, describe, it } from "vitest"
import { termsOf } from "../../src/engine/core/files/FileTerms.ts"
import { SourceFile } from "../../src/engine/core/files/SourceFile.ts"
import complexity from "../../src/engine/rules/complexity/tool.ts"
import { inspectFiles, inspectProject } from "../support/audit.ts"

/** A function of nested conditions: one of depth 8 has a cognitive complexity of 36. */
const nested = (name: string, depth: number): string =>
  `export function ${name}(order) {\n${Array.from({ length: depth }, (_, i) => `if (order.a${i}) {\n`).join("")}send(order)\n${"}\n".repeat(depth + 1)}`

const files = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`src/f${10 + i}.js`, nested(`f${10 + i}`, i < 2 ? 7 : 8)])
  )

const commit = (path: number) => ({ author: 0, changes: [[path, 3]] as ReadonlyArray<readonly [number, number]> })

describe("complexity", () => {
  it("reports the ten worst functions of a repository as one finding, and counts the others", async () => {
    const matches = await inspectProject(complexity, files(12))
    assert.deepStrictEqual(
      matches.map(({ path }) => path),
      Array.from({ length: 10 }, (_, i) => `src/f${12 + i}.js`)
    )
    assert.deepStrictEqual([...new Set(matches.map(({ subject }) => subject))], ["cognitive_complexity"])
    assert.include(matches[0]!.message, "and 7 more. 12 functions are above the limit in all.")
  })

  it("says whether the files of the worst functions change more or less often than before", async () => {
    const history = { paths: ["src/f10.js", "src/other.js"], commits: [0, 0, 0, 1, 1, 0, 1, 1, 1, 1].map(commit) }
    const [match] = await inspectProject(complexity, files(1), history)
    assert.include(match!.message, "changed in 3 of the newest 5 commits, and in 1 of the 5 before.")
  })

  it("counts no function that was taken from elsewhere, nor those of a file that others may have written", () => {
    const owner = {
      words: new Set(["till"]),
      people: new Set<string>(),
      licences: new Set(["mit"]),
      isNamed: true,
      home: null,
      isHeaded: false,
      isSigned: false,
      foreign: new Set<string>(),
      uncertain: new Set<string>(),
      listed: new Set<string>(),
      digest: ""
    }
    const taken = `// Taken from https://github.com/maker/bells\n${nested("ring", 8)}`
    const texts = {
      "src/a.js": `import { send } from "./send.js"\n\n${taken}\n// Taken as a whole from the order.\n${nested("count", 8)}`,
      "src/b.js": `/* Adapted from https://github.com/maker/bells */\nimport x from "x"\n${nested("chime", 8)}`
    }
    const files = Object.entries(texts).map(([path, text]): [string, SourceFile] => [
      path,
      new SourceFile({ path, text, terms: { ...termsOf(path), owner } })
    ])
    const matches = inspectFiles(complexity, new Map(files), null)
    assert.deepStrictEqual(
      matches.map(({ identifiers }) => identifiers),
      [["count"]]
    )
  })
})
