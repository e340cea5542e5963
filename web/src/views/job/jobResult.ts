import type { Job } from "../../api/jobs.ts"

export interface AuditOutcome {
  readonly created: number
  readonly seen_again: number
  readonly resurfaced: number
  readonly expired: number
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Results differ by workflow: what is in one has to be looked at. */
const valuesOf = (result: Job["result"]): Readonly<Record<string, unknown>> => result ?? {}

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const count = (value: unknown) => (typeof value === "number" ? value : 0)

/** What an audit has recorded; null for other jobs and until the end. */
export const auditOutcomeOf = ({ result }: Pick<Job, "result">): AuditOutcome | null => {
  const { observations } = valuesOf(result)
  if (!isRecord(observations) || typeof observations.created !== "number") return null
  return {
    created: observations.created,
    seen_again: count(observations.seen_again),
    resurfaced: count(observations.resurfaced),
    expired: count(observations.expired)
  }
}

const messageOf = (warning: unknown): ReadonlyArray<string> =>
  isRecord(warning) && typeof warning.message === "string" ? [warning.message] : []

/** Warnings of a scan that a reader should know: settings that were not followed, tools that did not finish. */
export const warningsOf = ({ result }: Pick<Job, "result">): ReadonlyArray<string> => {
  const values = valuesOf(result)
  const warnings = listOf(values.warnings).flatMap(messageOf)
  const tools = isRecord(values.tools) ? listOf(values.tools.unfinished) : []
  const names = tools.flatMap((tool) => (isRecord(tool) && typeof tool.id === "string" ? [tool.id] : []))
  return names.length === 0 ? warnings : [...warnings, `These tools did not finish: ${names.join(", ")}.`]
}
