import type { Language } from "../../core/files/Language.ts"
import { auditTool, type Match, type Project } from "../../core/tool/AuditTool.ts"
import { accessors } from "./accessors.ts"
import { branches } from "./branches.ts"
import type { Check } from "./Check.ts"
import { conditions } from "./conditions.ts"
import { duplicates } from "./duplicates.ts"
import { actingNames, type ExceptionClass, exceptionClassesIn } from "./exceptions/classes.ts"
import { formats } from "./formats.ts"
import { go, type LoopCapture, loopCaptures } from "./go.ts"
import { goChecks } from "./goChecks.ts"
import { java } from "./java.ts"
import { loops } from "./loops.ts"
import { inspectNative } from "./native/native.ts"
import { operands } from "./operands.ts"
import { python } from "./python.ts"
import { pythonCalls } from "./pythonCalls.ts"
import { pythonNames } from "./pythonNames.ts"
import { results } from "./results.ts"
import { type RuleId, rules } from "./rules.ts"
import { scriptScopes } from "./scriptScopes.ts"
import { scripts } from "./scripts.ts"
import { scriptValues } from "./scriptValues.ts"
import { javaChecks, phpChecks, rustChecks } from "./typedChecks.ts"
import { unreachable } from "./unreachable.ts"

const checks: ReadonlyArray<Check> = [
  operands,
  branches,
  duplicates,
  unreachable,
  conditions,
  python,
  pythonNames,
  pythonCalls,
  formats,
  results,
  java,
  loops,
  go,
  scripts,
  scriptValues,
  scriptScopes,
  accessors,
  goChecks,
  javaChecks,
  phpChecks,
  rustChecks
]

interface Facts {
  readonly captures: ReadonlyArray<LoopCapture>
  /** Exceptions that are created and not thrown, of which other files may show that creating them does something. */
  readonly notThrown: ReadonlyArray<Match<RuleId>>
  readonly exceptions: ReadonlyArray<ExceptionClass>
}

const languages = new Set<Language>(["c", "cpp", ...checks.flatMap((check) => [...check.languages])])

export default auditTool({
  id: "correctness_bugs",
  suite: "standard",
  kind: "finding",
  domain: "code_quality",
  category: "correctness",
  priority: "P2",
  version: 7,
  rules,
  appliesTo: ({ language, role }) => languages.has(language) && role === "source",
  inspect: (file, emit) => {
    const tree = file.tree
    if (tree === null) return undefined
    inspectNative(file, emit)
    // A broken tree has wrong neighbours: after a syntax error, duplicates are a guess.
    const isSound = soundnessOf(tree.hasError, file.text.length, tree.of("ERROR").length)
    if (!isSound) return undefined
    const isNearError = (match: Match<RuleId>): boolean =>
      tree.hasError && tree.of("ERROR").some((n) => Math.abs(tree.start(n) - match.start) < 2_000)
    const notThrown: Array<Match<RuleId>> = []
    const keep = (match: Match<RuleId>): void => {
      if (isNearError(match)) return
      if (match.rule === "exception_not_thrown") notThrown.push(match)
      else emit(match)
    }
    for (const check of checks) if (check.languages.has(file.language)) check.inspect(file, tree, keep)
    const captures = file.language === "go" && file.text.includes("go func(") ? loopCaptures(file, tree) : []
    const exceptions = exceptionClassesIn(tree)
    return captures.length + notThrown.length + exceptions.length === 0
      ? undefined
      : { captures, notThrown, exceptions }
  },
  finish: (summaries, project, emit) => {
    const acting = actingNames(summaries.flatMap(({ facts }) => facts.exceptions))
    for (const { path, facts } of summaries) {
      for (const match of facts.notThrown) if (!actsWhenCreated(match, facts, acting)) emit(path, match)
      if (facts.captures.length === 0 || !isBeforeLoopVariables(path, project)) continue
      for (const { start, end, message, name } of facts.captures) {
        emit(path, { rule: "loop_variable_capture", start, end, message, identifiers: [name] })
      }
    }
  }
})

/** Whether to create the exception of a match is to log or to end the program: of classes of one name that of its own file counts. */
const actsWhenCreated = (
  { identifiers }: Match<RuleId>,
  { exceptions }: Facts,
  acting: ReadonlySet<string>
): boolean => {
  const name = identifiers?.[0]?.split(".").at(-1) ?? ""
  const own = exceptions.find((one) => one.name === name)
  return own === undefined ? acting.has(name) : own.acts || own.bases.some((base) => acting.has(base))
}

/** Each iteration of a loop has variables of its own from Go 1.22 on, as declared by the module's go.mod. */
const isBeforeLoopVariables = (path: string, project: Project): boolean => {
  for (let at = path.lastIndexOf("/"); ; at = path.lastIndexOf("/", at - 1)) {
    const module = project.manifest(at < 0 ? "go.mod" : `${path.slice(0, at)}/go.mod`)
    const version = module === null ? null : /^go[ \t]+1\.(\d+)/m.exec(module)
    if (version !== null) return Number(version[1]) < 22
    if (module !== null || at <= 0) return false
  }
}

const soundnessOf = (hasError: boolean, length: number, errors: number): boolean =>
  !hasError || errors < 2 + length / 20_000
