import { Effect } from "effect"
import { Files } from "../../../engine/index.ts"
import type { ChangeFacts, FileFacts, Side } from "../ChangeFacts.ts"
import { hasChangedLines, roles } from "./fileRoles.ts"
import { isRemark } from "./remarks.ts"
import { type Spot, spotAt, verdictsOn } from "./verdict.ts"
import { counted, named } from "./wording.ts"

/** Whether tests changed together with the code of the product. */
export const testsChanged = Effect.fnUntraced(function* (facts: ChangeFacts) {
  const { met, notMet } = verdictsOn(facts)
  const roleOf = roles(facts)
  const changed = facts.files.filter(hasChangedLines)
  const begins = yield* testModules(facts, changed)
  const source = new Map<string, ReadonlyArray<Line>>()
  const tests = new Map<string, ReadonlyArray<Line>>()
  for (const file of changed) {
    const role = roleOf(file)
    const lines = codeLines(file)
    if (role === "test" || role === "fixture") note(tests, file.path, lines)
    if (role !== "source" || Files.programLanguageOf(file.path) === null) continue
    const isTest = (line: Line): boolean =>
      line.line >= (begins[line.side].get(pathAt(file, line.side)) ?? Number.POSITIVE_INFINITY)
    note(
      source,
      file.path,
      lines.filter((line) => !isTest(line))
    )
    note(tests, file.path, lines.filter(isTest))
  }
  const written = [...tests].filter(([, lines]) => lines.some(({ side }) => side === "head"))
  if (source.size === 0) {
    return met(
      `No code of the product changed (${counted(facts.files.length, "file")} did), so no test has to.`,
      spotsOf(written)
    )
  }
  const what = `${counted(source.size, "source file")} changed (${named([...source.keys()])})`
  if (written.length > 0) {
    const paths = written.map(([path]) => path)
    return met(`${what}, and so did ${counted(paths.length, "file")} with tests (${named(paths)}).`, spotsOf(written))
  }
  const rest = tests.size === 0 ? "no test did" : `tests only lost lines (${named([...tests.keys()])})`
  return notMet(`${what}, and ${rest}.`, spotsOf(source))
})

interface Line {
  readonly side: Side
  readonly line: number
}

const note = (known: Map<string, ReadonlyArray<Line>>, path: string, lines: ReadonlyArray<Line>): void => {
  if (lines.length > 0) known.set(path, lines)
}

const pathAt = ({ path, previous_path }: FileFacts, side: Side): string =>
  side === "head" ? path : (previous_path ?? path)

/** Changed lines that hold code. */
const codeLines = ({ path, added, removed }: FileFacts): ReadonlyArray<Line> => {
  const language = Files.languageOf(path)
  const onSide = (side: Side, lines: FileFacts["added"]): ReadonlyArray<Line> =>
    lines.flatMap(({ line, text }) => (isRemark(language, text) ? [] : [{ side, line }]))
  return [...onSide("head", added), ...onSide("base", removed)]
}

/** The line in which the tests of a module begin: Rust keeps them at the end of its file. */
const testModules = (facts: ChangeFacts, files: ReadonlyArray<FileFacts>) => {
  const rust = files.filter(({ path }) => Files.languageOf(path) === "rust")
  const begins = (side: Side) =>
    Effect.map(
      facts.read(
        side,
        rust.map((file) => pathAt(file, side))
      ),
      (texts) =>
        new Map(
          [...texts].flatMap(([path, text]) => {
            const at = text.search(/^[ \t]*#\[cfg\((?:all\()?test\b/m)
            return at < 0 ? [] : [[path, text.slice(0, at).split("\n").length] as const]
          })
        )
    )
  return Effect.all({ base: begins("base"), head: begins("head") })
}

/** Runs of lines of one side, one location for each. */
const spotsOf = (files: Iterable<readonly [string, ReadonlyArray<Line>]>): ReadonlyArray<Spot> =>
  [...files].flatMap(([path, lines]) => {
    const runs: Array<Spot> = []
    for (const { side, line } of lines) {
      const last = runs.at(-1)
      if (last?.side === side && last.line_end + 1 === line) runs[runs.length - 1] = { ...last, line_end: line }
      else runs.push(spotAt(side, path, line))
    }
    return runs
  })
