import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { charactersOf } from "../../schema/characters.ts"
import { InvalidPayload } from "../../schema/Errors.ts"
import type { WorkspaceId } from "../../schema/Ids.ts"
import {
  settings as known,
  maxGuidance,
  type Setting,
  type SettingName,
  type SettingValue,
  settingNames
} from "../../schema/Setting.ts"
import { Uuid } from "../../schema/Text.ts"
import { Caller } from "../access/Caller.ts"
import { Features } from "../access/Features.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { scanText } from "../context/secretScan.ts"
import { AgentRunner } from "../ports/AgentRunner.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { checkInstructions } from "./checkInstructions.ts"
import { SettingsRepo } from "./SettingsRepo.ts"

/** What a workspace decides for itself; plan, credit and limits are the operator's. */
export class Settings extends Effect.Service<Settings>()("Settings", {
  effect: Effect.gen(function* () {
    const repo = yield* SettingsRepo
    const features = yield* Features
    const auditLog = yield* AuditLog
    const agent = yield* AgentRunner
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    /** All values; locked until the transaction ends when asked for. */
    const valuesOf = Effect.fnUntraced(function* (workspace_id: WorkspaceId, lock: boolean) {
      const row = yield* repo.ofWorkspace(workspace_id, lock)
      return { ...row, audit_suggestions: yield* features.suggestionsAreOn(workspace_id) }
    })

    const list = Effect.fn("Settings.list")(function* () {
      const { workspace_id } = yield* Caller
      const values = yield* valuesOf(workspace_id, false)
      const changes = yield* repo.lastChanges({ workspace_id, repository_id: null })
      const data = settingNames.map((name): Setting => {
        const change = changes.find((one) => one.name === name)
        const { fallback, description } = known[name]
        return {
          name,
          value: values[name],
          default: fallback,
          description,
          changed_at: change?.changed_at ?? null,
          changed_by: change?.changed_by ?? null
        }
      })
      return { data }
    })

    const one = (name: SettingName) => Effect.map(list(), ({ data }) => data.find((setting) => setting.name === name)!)

    const write = Effect.fnUntraced(function* (name: SettingName, value: SettingValue) {
      const { workspace_id, actor } = yield* Caller
      const values = yield* valuesOf(workspace_id, true)
      const prev = values[name]
      if (prev !== value) {
        const { audit_suggestions, ...row } = { ...values, [name]: value }
        yield* repo.update(workspace_id, row)
        if (name === "audit_suggestions") yield* features.setSuggestions(workspace_id, audit_suggestions)
        const [id, at] = [yield* newId(Uuid), yield* now]
        yield* repo.addChange({ id, workspace_id, repository_id: null, name, actor, prev, value, at })
        yield* auditLog.record({ object: { kind: "setting", ref: name }, before: { value: prev }, after: { value } })
      }
      return yield* one(name)
    }, inTransaction)

    const set = Effect.fn("Settings.set")(function* (name: SettingName, value: SettingValue) {
      yield* check(name, value)
      if (name === "audit_suggestions" && value === true)
        yield* features.requireSuggestions((yield* Caller).workspace_id)
      if (name === "fix_runner" && value !== "rules" && !agent.configured) return yield* noAgent
      if (name === "review_instructions" && typeof value === "string") yield* checkInstructions("value", value)
      if (typeof value === "string") yield* scanText("value", value)
      return yield* write(name, value)
    })

    const clear = Effect.fn("Settings.clear")((name: SettingName) => write(name, known[name].fallback))

    return { list, set, clear }
  })
}) {}

const invalidValue = (problem: string) => new InvalidPayload({ message: `value: ${problem}`, param: "value" })

const noAgent = invalidValue("needs a coding agent; the operator names one in ASSAY_AGENT_COMMAND")

const problemOf = (name: SettingName, value: SettingValue): string | null => {
  const { fallback, values } = known[name]
  if (typeof value !== typeof fallback) {
    return `must be ${typeof fallback === "boolean" ? "true or false" : "a text"} for ${name}`
  }
  if (typeof value !== "string") return null
  if (values !== undefined) return values.includes(value) ? null : `must be ${values.join(", ")} for ${name}`
  return charactersOf(value) > maxGuidance ? `must have at most ${maxGuidance} characters` : null
}

const check = (name: SettingName, value: SettingValue): Effect.Effect<void, InvalidPayload> => {
  const problem = problemOf(name, value)
  return problem === null ? Effect.void : Effect.fail(invalidValue(problem))
}
