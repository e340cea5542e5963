import { Effect } from "effect"
import { loadCatalogue } from "../../engine/index.ts"
import { InvalidPayload } from "../../schema/Errors.ts"
import { inWords, knownRules, readInstructions } from "../reviews/instructions.ts"

const maxReported = 20

/** Rejects review instructions of which a line means to direct reviews and cannot, with one entry for each such line. */
export const checkInstructions = Effect.fnUntraced(function* (param: string, text: string) {
  const { problems } = readInstructions(text, knownRules(yield* Effect.promise(loadCatalogue)))
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
