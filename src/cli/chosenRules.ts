import { Options } from "@effect/cli"
import { Effect } from "effect"
import { type AuditTool, type Finding, loadCatalogue } from "../engine/index.ts"
import { type CommandFailed, failed } from "./failures.ts"
import { nearest } from "./nearest.ts"

/** Which rules' findings are reported. */
export const ruleOptions = {
  only: Options.text("only").pipe(
    Options.withPseudoName("rules"),
    Options.withDescription(
      "Look for and report only these rules or tools: ids, separated by commas. May be repeated."
    ),
    Options.repeated
  ),
  exclude: Options.text("exclude").pipe(
    Options.withPseudoName("rules"),
    Options.withDescription("Report all but these rules or tools: ids, separated by commas. May be repeated."),
    Options.repeated
  )
}

interface RuleChoice {
  readonly only: ReadonlyArray<string>
  readonly exclude: ReadonlyArray<string>
}

export const namesOf = (tools: ReadonlyArray<AuditTool>): ReadonlyArray<string> =>
  tools.flatMap(({ id, rules }) => [id, ...Object.keys(rules).map((rule) => `${id}.${rule}`)])

const listed = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.flatMap((text) => text.split(",")).map((name) => name.trim())

/** What a scan has to look for, and which of its findings the options choose. */
interface ChosenRules {
  /** Absent where nothing but `--exclude` limits them: what all tools find is looked for. */
  readonly scope: { readonly only?: ReadonlyArray<string> }
  readonly isChosen: (finding: Pick<Finding, "tool" | "rule_id">) => boolean
}

/** The rules that the options choose; a name that no rule has is an error that says which is meant. */
export const chosenRules = ({ only, exclude }: RuleChoice): Effect.Effect<ChosenRules, CommandFailed> =>
  Effect.gen(function* () {
    const kept = listed(only)
    const left = listed(exclude)
    if (kept.length + left.length > 0) {
      const names = namesOf(yield* Effect.promise(loadCatalogue))
      yield* checkNames("--only", kept, names)
      yield* checkNames("--exclude", left, names)
    }
    return {
      scope: kept.length === 0 ? {} : { only: kept },
      isChosen: ({ tool, rule_id }) => {
        const isNamed = (name: string) => name === tool || name === rule_id
        return (kept.length === 0 || kept.some(isNamed)) && !left.some(isNamed)
      }
    }
  })

const checkNames = (option: string, given: ReadonlyArray<string>, names: ReadonlyArray<string>) =>
  Effect.forEach(
    given.filter((name) => !names.includes(name)),
    (name) => failed(`${option}: there is no rule or tool ${JSON.stringify(name)}.${nearest(name, names)}`),
    { discard: true }
  )
