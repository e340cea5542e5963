import type { Command } from "../commands.ts"
import { at, code, type Guide, type Item } from "../Draft.ts"
import type { Survey } from "../Survey.ts"
import { commandRecipe } from "./commandRecipe.ts"
import { endpointRecipe } from "./endpointRecipe.ts"
import { historyRecipes } from "./historyRecipes.ts"
import { mappedEntries } from "./mappedEntries.ts"
import { ownSources } from "./ownSources.ts"
import { placedFiles } from "./placedFiles.ts"
import { inPart } from "./recipeParts.ts"
import { registeredCalls } from "./registeredCalls.ts"
import { siblingRecipes } from "./siblingRecipes.ts"
import { statedRecipes } from "./statedRecipes.ts"

const checked = ["test", "check", "lint", "types"] as const

/** Commands that say whether it worked: stated ones before usual ones. */
const checkItems = (commands: ReadonlyArray<Command>): ReadonlyArray<Item> =>
  checked.flatMap((purpose) => {
    const depth = ({ folder }: Command) => (folder === "" ? 0 : folder.split("/").length)
    const own = commands.filter((command) => command.purpose === purpose)
    const rank = ({ origin }: Command) => (origin === "pipeline" ? 1 : 0)
    const stated = own.filter(({ origin }) => origin !== "convention")
    const [best] = [...(stated.length > 0 ? stated : own)].sort(
      (a, b) => depth(a) - depth(b) || rank(a) - rank(b) || a.command.length - b.command.length
    )
    if (best === undefined) return []
    const { command, folder, path, line, origin } = best
    const where = folder === "" ? "" : ` in ${code(folder)}`
    const source = origin === "convention" ? `, as is usual with ${code(path)}` : ` (${at({ path, line })})`
    return [{ text: `${code(command)}${where}${source}`, cites: [{ path, line }] }]
  })

/** Of clap a variant of an enum only names a command; the module beside its siblings says more. */
const hasCommandEnums = (survey: Survey): boolean =>
  survey.source.some((file) => file.has("sites") && file.sites.some(({ shape }) => shape.endsWith("(clap)")))

/** Guides that documents state; for an endpoint and a command, from how those that are there were made; and for what history repeats. */
export const recipesOf = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Guide> => {
  const { additions, explanations } = statedRecipes(survey)
  const known = new Set([...additions, ...explanations].map(({ slug }) => slug))
  const own = ownSources(survey)
  const siblings = siblingRecipes(survey, own)
  const isEnum = siblings.some(({ slug }) => slug === "add-a-command") && hasCommandEnums(survey)
  const command = isEnum ? null : commandRecipe(survey)
  const found = [
    endpointRecipe(survey),
    command,
    ...placedFiles(survey),
    ...siblings,
    ...registeredCalls(own),
    ...mappedEntries(own),
    ...historyRecipes(survey)
  ]
  const shown = found.flatMap((guide) => {
    if (guide === null || known.has(guide.slug)) return []
    known.add(guide.slug)
    return [guide]
  })
  const check = inPart("Check", checkItems(commands))
  const changes = [...shown, ...additions].map((guide) => ({ ...guide, items: [...guide.items, ...check] }))
  return [...changes, ...explanations]
}
