import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { assert, describe, it } from "vitest"
import { fixCases } from "../support/fixFixtures.ts"
import { aFolder } from "../support/gitRepository.ts"

interface Checker {
  readonly ending: RegExp
  readonly command: string
  /** Arguments whose run says that the tool is there. */
  readonly probe: ReadonlyArray<string>
  readonly args: ReadonlyArray<string>
  /** It takes one file at a time. */
  readonly isSingle?: true
}

/** What parses a file as the language's own users run it, without what the file imports. */
const checkers: ReadonlyArray<Checker> = [
  { ending: /\.[cm]?js$/, command: process.execPath, probe: ["--version"], args: ["--check"], isSingle: true },
  { ending: /\.py$/, command: "python3", probe: ["--version"], args: ["-m", "py_compile"] },
  { ending: /\.go$/, command: "gofmt", probe: ["-h"], args: ["-e", "-l"] },
  { ending: /\.php$/, command: "php", probe: ["--version"], args: ["-l"], isSingle: true },
  { ending: /\.rb$/, command: "ruby", probe: ["--version"], args: ["-c"] }
]

const run = (command: string, args: ReadonlyArray<string>) =>
  spawnSync(command, [...args], {
    encoding: "utf8",
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "/", PYTHONDONTWRITEBYTECODE: "1" }
  })

const isThere = ({ command, probe }: Checker): boolean => run(command, probe).error === undefined

/** The fixed files that end so, written to a folder. */
const writtenFiles = ({ ending }: Checker): ReadonlyArray<string> => {
  const root = aFolder()
  return fixCases().flatMap(({ name, after }) =>
    Object.entries(after ?? {})
      .filter(([path]) => ending.test(path))
      .map(([path, bytes]) => {
        const target = join(root, name, path)
        mkdirSync(dirname(target), { recursive: true })
        writeFileSync(target, bytes)
        // Scripts with imports are modules, as their package would say.
        if (/^(?:import|export)\b/m.test(bytes.toString())) {
          writeFileSync(join(dirname(target), "package.json"), '{"type":"module"}')
        }
        return target
      })
  )
}

describe("what a fixer leaves is accepted", () => {
  for (const checker of checkers) {
    const { command, args, isSingle } = checker
    const missing = !isThere(checker)
    it(`by ${basename(command)}${missing ? ", which is not on this machine: nothing is checked" : ""}`, () => {
      if (missing) return
      const paths = writtenFiles(checker)
      const runs = isSingle === true ? paths.map((path) => [path]) : [paths]
      const complaints = runs.map((files) => run(command, [...args, ...files])).filter(({ status }) => status !== 0)
      assert.deepStrictEqual(
        complaints.map(({ stderr }) => stderr),
        []
      )
      assert.isAbove(paths.length, 0)
    }, 600_000)
  }
})
