import { methodsIn } from "../observers/types.ts"
import type { Noun } from "./Noun.ts"
import { isStatus } from "./nounStates.ts"
import type { Ranked } from "./withSpokenWords.ts"

const MAX_CENTRAL = 8
const MIN_USES = 3
const FEW_SOURCES = 15
const MIN_USES_OF_FEW = 2
const MIN_SHARE = 0.15
const MIN_METHODS = 4
/** Of six signs that a type is what the users of a library hold, so many have to be there. */
const MIN_SIGNS = 3

/** How many functions its declarations have in them. */
const methodsOf = ({ declarations }: Noun): number =>
  Math.max(...declarations.map(({ what, file }) => methodsIn(file.declared, what.line)))

/**
 * Where neither documents nor a store say what the code is about, the types that its users hold do: those with a file of
 * their name, with functions of their own, with a comment, in the readme, or named by a good part of the code.
 */
export const centralTypes = (
  ranked: ReadonlyArray<Ranked>,
  of: {
    readonly isApart: (one: Ranked) => boolean
    readonly isProduct: (one: Ranked) => boolean
    readonly isInReadme: (one: Ranked) => boolean
    readonly functionsOf: (key: string) => number
    readonly sources: number
  }
): ReadonlyArray<Ranked> => {
  const least = of.sources < FEW_SOURCES ? MIN_USES_OF_FEW : MIN_USES
  const central = ranked.filter((one) => {
    const { key, noun } = one
    const signs = [
      of.isApart(one),
      noun.doc !== null,
      noun.states.some(isStatus),
      of.isInReadme(one),
      Math.max(methodsOf(noun), of.functionsOf(key)) >= MIN_METHODS,
      noun.uses >= Math.floor(MIN_SHARE * of.sources)
    ]
    return !of.isProduct(one) && noun.uses >= least && signs.filter((sign) => sign).length >= MIN_SIGNS
  })
  return central.slice(0, MAX_CENTRAL)
}
