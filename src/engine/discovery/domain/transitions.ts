import { addTo } from "../../core/collections/lists.ts"
import { at, code, type Item } from "../Draft.ts"
import type { Transition } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import { nounKey, type Placed } from "./Noun.ts"

const MAX_OWNERS = 12
const MAX_SHOWN = 12

const textOf = ({ what: { from, to, by, line }, file }: Placed<Transition>): string =>
  `${from.map(code).join(", ")} → ${code(to)}${by === undefined ? "" : ` by ${code(by)}`} (${at({ path: file.path, line })})`

/** A test may name the state in another form than the line cited: only words that stand there are asked for. */
const citationOf = ({ what: { from, to, line, end }, file }: Placed<Transition>) => ({
  path: file.path,
  line,
  end,
  names: [...from.filter((one) => one !== "any"), to]
})

/** How what the code is about moves from state to state, what moves most first; one place is shown for each move. */
export const transitionItems = (survey: Survey): ReadonlyArray<Item> => {
  const owners = new Map<string, Array<Placed<Transition>>>()
  for (const file of survey.source)
    if (file.has("transitions"))
      for (const what of file.transitions) addTo(owners, `${nounKey(what.of)}\n${what.field}`, { what, file })
  return [...owners.values()]
    .map((all) => {
      const moves = new Map<string, Placed<Transition>>()
      for (const one of all) {
        const key = `${one.what.from.join(" ")} ${one.what.to}`.toLowerCase()
        if (!moves.has(key)) moves.set(key, one)
      }
      return { name: all[0]!.what.of, field: all[0]!.what.field, moves: [...moves.values()] }
    })
    .sort((a, b) => b.moves.length - a.moves.length || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_OWNERS)
    .map(({ name, field, moves }) => {
      const left = moves.length - MAX_SHOWN
      const shown = moves.slice(0, MAX_SHOWN)
      return {
        text: `**${name}**, ${code(field)}: ${shown.map(textOf).join("; ")}${left > 0 ? `; and ${left} more` : ""}.`,
        cites: shown.map(citationOf)
      }
    })
}
