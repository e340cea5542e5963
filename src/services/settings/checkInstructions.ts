import { Effect } from "effect"
import { InvalidPayload } from "../../schema/Errors.ts"
import { inWords, knownRules, readInstructions } from "../reviews/instructions.ts"
import { rulesCatalogue } from "../support/rulesCatalogue.ts"

const maxReported = 20

/**
 * Rejects review instructions of which a line means to direct reviews and cannot, with one entry for each such line. To be
 * called before a transaction: the first to ask for the catalogue loads most of the engine's code.
 */
export const checkInstructions = Effect.fnUntraced(function* (param: string, text: string) {
  const { problems } = readInstructions(text, knownRules(yield* rulesCatalogue))
  const [first] = problems
  if (first === undefined) return
  return yield* new InvalidPayload({
    message: `${param}: ${inWords(first)}`,
    param,
    errors: problems
      .slice(0, maxReported)
      .map((problem) => ({ loc: [param], msg: inWords(problem), type: "value_error" }))
  })
})
