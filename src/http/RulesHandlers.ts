import { Effect } from "effect"
import { RuleSettings } from "../services/settings/RuleSettings.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"

export const RulesHandlers = group(
  Api,
  "rules",
  Effect.fnUntraced(function* (handlers) {
    const settings = yield* RuleSettings
    return handlers
      .handle("list", ({ urlParams }) => settings.rules(urlParams))
      .handle("settings", () => settings.list())
      .handle("setSetting", ({ path, payload }) => settings.set(path.rule, payload))
      .handle("proposals", () => settings.proposals())
  })
)
