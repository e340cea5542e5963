import { commandsOf } from "../../src/engine/discovery/commands.ts"
import type { Observed } from "../../src/engine/discovery/Observed.ts"
import { surveyOf } from "./survey.ts"

/** The commands for a purpose in a tree of these texts, each with where it is stated, in the order in which they are found. */
export const commandsIn = (
  texts: Readonly<Record<string, string>>,
  purpose: string,
  observed: Readonly<Record<string, Partial<Observed>>> = {}
): ReadonlyArray<string> =>
  commandsOf(surveyOf(texts, observed))
    .filter((one) => one.purpose === purpose)
    .map(({ command, path }) => `${command} @ ${path}`)
