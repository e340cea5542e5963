import type { ParseResult } from "effect"
import type { FieldProblem } from "../../schema/ApiError.ts"
import { InvalidPayload } from "../../schema/Errors.ts"

/** One entry per field, without the value that was refused. */
export const invalidPayload = (issues: ReadonlyArray<ParseResult.ArrayFormatterIssue>): InvalidPayload => {
  const byPath = new Map<string, FieldProblem>()
  for (const issue of issues) {
    const loc = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part))
    const key = JSON.stringify(loc)
    if (!byPath.has(key)) byPath.set(key, { loc, msg: wording(issue), type: problemTypes[issue._tag] ?? "value_error" })
  }
  const errors = [...byPath.values()]
  const first = errors[0]
  const param = first?.loc.join(".") ?? ""
  return new InvalidPayload({
    message: first === undefined ? "The request is not valid." : param === "" ? first.msg : `${param}: ${first.msg}`,
    errors,
    ...(param === "" ? {} : { param })
  })
}

const problemTypes: Partial<Record<ParseResult.ArrayFormatterIssue["_tag"], string>> = {
  Missing: "missing",
  Unexpected: "extra_forbidden",
  Type: "type_error"
}

const wording = (issue: ParseResult.ArrayFormatterIssue): string =>
  issue._tag === "Missing"
    ? "is required"
    : issue._tag === "Unexpected"
      ? "is not a known field"
      : issue.message.replace(/,? actual [\s\S]*$/, "").replace(/^Expected /, "must be ")
