import type { Fixer } from "../core/fix/Fixer.ts"

type Load = () => Promise<{ readonly default: Fixer }>

/**
 * Every fixer by the full id of its rule, a line each, in order. The code of one is loaded when its rule matches
 * something; a new fixer is a file, a line here and a folder of fixtures.
 */
export const fixers: Readonly<Record<string, Load>> = {
  "frontend_quality.opener_exposed": () => import("./frontend_quality/fixers/opener_exposed.ts")
}

const loaded = new Map<string, Promise<Fixer>>()

/** The fixer of a rule; null for a rule that has none. */
export const loadFixer = async (ruleId: string): Promise<Fixer | null> => {
  if (!Object.hasOwn(fixers, ruleId)) return null
  const pending = loaded.get(ruleId) ?? fixers[ruleId]!().then((module) => module.default)
  loaded.set(ruleId, pending)
  return pending
}
