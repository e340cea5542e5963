import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { type AuditTool, confidenceOf, MIN_CONFIDENCE, measuredOf } from "../../engine/index.ts"
import { InvalidPayload } from "../../schema/Errors.ts"
import type { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import {
  type AuditRule,
  type MuteProposal,
  minDecidedForProposal,
  type RuleListQuery,
  type RuleSetting,
  type SetRuleSetting
} from "../../schema/Rule.ts"
import { Uuid } from "../../schema/Text.ts"
import { Caller } from "../access/Caller.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { RuleOutcomesRepo } from "../observations/RuleOutcomesRepo.ts"
import { nothingDecided, outcomesInWords, outcomesOf } from "../observations/ruleOutcomes.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { rulesCatalogue } from "../support/rulesCatalogue.ts"
import { transactional } from "../support/transactional.ts"
import { RuleSettingsRepo } from "./RuleSettingsRepo.ts"
import { stateOf } from "./ruleStates.ts"

/** Which rules a workspace wants to hear of, in all of its repositories or in one. */
export class RuleSettings extends Effect.Service<RuleSettings>()("RuleSettings", {
  effect: Effect.gen(function* () {
    const repo = yield* RuleSettingsRepo
    const repositories = yield* Repositories
    const outcomes = yield* RuleOutcomesRepo
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    /** To be asked for before a transaction: the first to do so loads most of the engine's code. */
    const catalogue = rulesCatalogue

    const repositoryOf = (slug: string | undefined) =>
      slug === undefined ? Effect.succeed(null) : repositories.resolveSlug(slug)

    const decisions = Effect.fnUntraced(function* (repository_id: RepositoryId | null) {
      const { workspace_id } = yield* Caller
      const found = yield* outcomes.byRule({ workspace_id, repository_id, rule: null })
      return new Map(found.map((one) => [one.rule, outcomesOf(one)]))
    })

    const rules = Effect.fn("RuleSettings.rules")(function* ({ repo: slug, tool }: RuleListQuery) {
      const { workspace_id } = yield* Caller
      const repository_id = yield* repositoryOf(slug)
      const settings = yield* repo.inForce({ workspace_id, repository_id })
      const decided = yield* decisions(repository_id)
      const described = (yield* catalogue)
        .filter(({ id }) => tool === undefined || id === tool)
        .flatMap(rulesOf)
        .map((rule) => ({
          ...rule,
          state: stateOf(settings, rule.rule) ?? rule.default_state,
          outcomes: decided.get(rule.rule) ?? nothingDecided
        }))
      return { data: described.sort((a, b) => (a.rule < b.rule ? -1 : 1)) }
    })

    const list = Effect.fn("RuleSettings.list")(function* () {
      const { workspace_id } = yield* Caller
      const data: ReadonlyArray<RuleSetting> = yield* repo.list(workspace_id)
      return { data }
    })

    const write = Effect.fnUntraced(function* (key: Key, slug: string | undefined, after: Decision) {
      const { actor } = yield* Caller
      yield* repo.lock(key.workspace_id)
      const before = decisionOf(Option.getOrUndefined(yield* repo.find(key)))
      if (before.state === after.state && before.reason === after.reason) return
      const { state, reason } = after
      if (state === "default") yield* repo.remove(key)
      else yield* repo.put({ ...key, id: yield* newId(Uuid), state, reason, actor, at: yield* now })
      const ref = slug === undefined ? key.rule : `${key.rule} in ${slug}`
      yield* auditLog.record({ object: { kind: "rule_setting", ref }, before, after })
    })

    const decide = Effect.fnUntraced(function* (rule: string, { state, repo: slug, reason }: SetRuleSetting) {
      const { workspace_id } = yield* Caller
      const key = { workspace_id, repository_id: yield* repositoryOf(slug), rule }
      yield* write(key, slug, { state, reason: state === "default" ? null : (reason ?? null) })
      return Option.getOrElse(yield* repo.find(key), () => unset(rule, slug))
    }, inTransaction)

    const set = Effect.fn("RuleSettings.set")(function* (rule: string, request: SetRuleSetting) {
      yield* requireRule(yield* catalogue, rule)
      if (request.state === "off" && request.reason === undefined) return yield* noReason
      return yield* decide(rule, request)
    })

    const proposals = Effect.fn("RuleSettings.proposals")(function* () {
      const { workspace_id } = yield* Caller
      const settings = yield* repo.inForce({ workspace_id, repository_id: null })
      const decided = yield* decisions(null)
      const data = (yield* catalogue)
        .flatMap(rulesOf)
        .flatMap(({ rule, title, default_state }): ReadonlyArray<MuteProposal> => {
          const found = decided.get(rule) ?? nothingDecided
          const isReported = (stateOf(settings, rule) ?? default_state) === "on"
          const isPoor = found.decided >= minDecidedForProposal && (found.confidence ?? 1) < 0.5
          return isReported && isPoor
            ? [{ rule, title, ...found, text: proposalText(rule, outcomesInWords(found)) }]
            : []
        })
        .sort((a, b) => (a.confidence ?? 1) - (b.confidence ?? 1) || (a.rule < b.rule ? -1 : 1))
      return { data }
    })

    /** What a scan of the repository is given. Needs no caller: workers have none. */
    const of = Effect.fn("RuleSettings.of")(function* (key: {
      readonly workspace_id: WorkspaceId
      readonly repository_id: RepositoryId
    }) {
      const settings = yield* repo.inForce(key)
      // Few workspaces set any, and the catalogue is most of the engine's code.
      if (settings.length === 0) return { rulesOff: [], rulesOn: [] }
      const ids = (yield* catalogue).flatMap((tool) => Object.keys(tool.rules).map((id) => `${tool.id}.${id}`))
      const inState = (state: "on" | "off") => ids.filter((id) => stateOf(settings, id) === state)
      return { rulesOff: inState("off"), rulesOn: inState("on") }
    })

    return { rules, list, set, proposals, of }
  })
}) {}

interface Key {
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId | null
  readonly rule: string
}

type Decision = Pick<RuleSetting, "state" | "reason">

const decisionOf = (stored: Decision | undefined): Decision => ({
  state: stored?.state ?? "default",
  reason: stored?.reason ?? null
})

const rulesOf = (tool: AuditTool): ReadonlyArray<Omit<AuditRule, "state" | "outcomes">> =>
  Object.entries(tool.rules).map(([id, rule]) => {
    const ruleId = `${tool.id}.${id}`
    const confidence = confidenceOf(ruleId, rule.confidence)
    return {
      rule: ruleId,
      tool: tool.id,
      title: rule.title,
      suite: tool.suite,
      kind: rule.kind ?? tool.kind,
      priority: rule.priority ?? tool.priority,
      category: rule.category ?? tool.category,
      domain: tool.domain,
      cwe: rule.cwe,
      languages: rule.languages,
      confidence,
      measured: measuredOf(ruleId),
      default_state: confidence < MIN_CONFIDENCE ? "off" : "on"
    }
  })

const unset = (rule: string, slug: string | undefined): RuleSetting => ({
  rule,
  repo_name: slug?.replace(/^[^@/]+\//, "") ?? null,
  state: "default",
  reason: null,
  changed_at: null,
  changed_by: null
})

const proposalText = (rule: string, outcomes: string): string =>
  `${outcomes} Mute the rule: PUT /api/rules/settings/${rule} with state "off" and a reason.`

const noReason = new InvalidPayload({ message: "reason: say why the rule is switched off.", param: "reason" })

const requireRule = (tools: ReadonlyArray<AuditTool>, name: string): Effect.Effect<void, InvalidPayload> => {
  const [toolId = "", id] = name.split(".", 2)
  const tool = tools.find((one) => one.id === toolId)
  if (tool !== undefined && (id === undefined || Object.hasOwn(tool.rules, id))) return Effect.void
  const known =
    tool === undefined ? "list them with GET /api/rules" : `list its rules with GET /api/rules?tool=${toolId}`
  return Effect.fail(
    new InvalidPayload({ message: `rule: there is no tool or rule "${name}"; ${known}.`, param: "rule" })
  )
}
