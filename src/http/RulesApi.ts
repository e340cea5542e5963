import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { InvalidPayload, RouteNotFound } from "../schema/Errors.ts"
import { rules } from "../schema/operations/index.ts"
import {
  AuditRules,
  MuteProposals,
  RuleListQuery,
  RulePath,
  RuleSetting,
  RuleSettings,
  SetRuleSetting
} from "../schema/Rule.ts"
import { Authorization } from "./Authorization.ts"
import { RepositoryFilterErrors } from "./errors.ts"
import { onWire, serves } from "./wire.ts"

export const RulesApi = HttpApiGroup.make("rules")
  .add(
    HttpApiEndpoint.get("list", "/api/rules")
      .annotateContext(
        serves(
          rules.listRules,
          "Lists all audit rules. `confidence` is the share of findings that are right on code that the rule was not written for; `outcomes` is what people decided here, in the workspace or in `repo`."
        )
      )
      .setUrlParams(RuleListQuery)
      .addSuccess(AuditRules)
      .addError(RepositoryFilterErrors)
  )
  .add(
    HttpApiEndpoint.get("settings", "/api/rules/settings")
      .annotateContext(serves(rules.listSettings))
      .addSuccess(RuleSettings)
  )
  .add(
    HttpApiEndpoint.put("setSetting", "/api/rules/settings/:rule")
      .annotateContext(
        serves(
          rules.setSetting,
          "Switches a rule or a tool on or off for the workspace, or with `repo` for one repository, whose settings go first. Audits and reviews count the findings of what is off and do not report them; `on` also reports what is off by default. `default` removes what is set."
        )
      )
      .setPath(RulePath)
      .addError(onWire(RouteNotFound))
      .setPayload(SetRuleSetting)
      .addSuccess(RuleSetting)
      .addError(RepositoryFilterErrors)
      .addError(onWire(InvalidPayload))
  )
  .add(
    HttpApiEndpoint.get("proposals", "/api/rules/proposals")
      .annotateContext(serves(rules.listProposals, "Lists rules to mute. Accept a proposal by switching the rule off."))
      .addSuccess(MuteProposals)
  )
  .annotate(OpenApi.Description, "Audit rules: what they are, how often they are right, and which are switched off.")
  .middleware(Authorization)
