import { Context, Effect } from "effect"
import { loadCatalogue } from "../../engine/index.ts"

/** Loads the tools with their rules: most of the engine's code, which no start of the service waits for. */
export class RulesCatalogue extends Context.Reference<RulesCatalogue>()("RulesCatalogue", {
  defaultValue: () => Effect.promise(loadCatalogue)
}) {}

/** The tools with their rules. Load them while no transaction is open: anyone who waits for its rows would wait for them. */
export const rulesCatalogue = Effect.flatten(RulesCatalogue)
