import type { ParseResult } from "effect"
import type { FieldProblem } from "../../schema/ApiError.ts"
import { InvalidPayload } from "../../schema/Errors.ts"

type Issue = ParseResult.ArrayFormatterIssue

/** One entry per field, without the value that was refused. `known`: fields to name beside one that is not known. */
export const invalidPayload = (issues: ReadonlyArray<Issue>, known: ReadonlyArray<string> = []): InvalidPayload => {
  const byPath = new Map<string, FieldProblem>()
  for (const issue of issues) {
    if (isOtherwiseNull(issue, issues)) continue
    const loc = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part))
    const key = JSON.stringify(loc)
    if (byPath.has(key)) continue
    const msg = wording(issue, issue.path.length === 1 ? known : [])
    byPath.set(key, { loc, msg, type: problemTypes[issue._tag] ?? "value_error" })
  }
  const errors = [...byPath.values()]
  const first = errors[0]
  const param = first?.loc.join(".") ?? ""
  return new InvalidPayload({
    message: first === undefined ? "The request is not valid." : param === "" ? bodyProblem : `${param}: ${first.msg}`,
    errors,
    ...(param === "" ? {} : { param })
  })
}

const bodyProblem = "The request needs a body that is a JSON object."

// What may be null fails twice: as what it is, and as null. Only the first helps.
const isOtherwiseNull = (issue: Issue, issues: ReadonlyArray<Issue>): boolean =>
  expectedOf(issue) === "null" &&
  issues.some((other) => other !== issue && issue.path.every((part, i) => other.path[i] === part))

const problemTypes: Partial<Record<Issue["_tag"], string>> = {
  Missing: "missing",
  Unexpected: "extra_forbidden",
  Type: "type_error"
}

const typeIssue = /^Expected ([\s\S]*?), actual ([\s\S]*)$/

const expectedOf = (issue: Issue): string | undefined => typeIssue.exec(issue.message)?.[1]

const wording = (issue: Issue, known: ReadonlyArray<string>): string => {
  if (issue._tag === "Missing") return "is required"
  if (issue._tag === "Unexpected") {
    return `is not a known field${known.length === 0 ? "" : `; known are ${known.join(", ")}`}`
  }
  const [, expected, actual = ""] = typeIssue.exec(issue.message) ?? []
  return expected === undefined ? issue.message : `must be ${typeName(expected, actual.startsWith("["))}`
}

// The library names types as TypeScript does, which means nothing to a caller.
const typeName = (expected: string, isList: boolean): string => {
  if (/^(ReadonlyArray|readonly \[)/.test(expected)) return "a list"
  if (expected === "string") return isList ? "one string, not a list" : "a string"
  if (expected === "number") return "a number"
  if (expected === "boolean") return "true or false"
  return /^(null$|"|-?\d)/.test(expected) ? expected : "a JSON object"
}
