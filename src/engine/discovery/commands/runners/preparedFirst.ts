import { joined } from "../../../core/text/paths.ts"
import type { Survey } from "../../Survey.ts"
import type { Recipe } from "./Recipe.ts"

const MAX_LINE = 400
const MAX_REACHED = 30

/** Where a line goes, or has a build tool work. */
const entered = [
  /(?:^|[\s;&(@])(?:cd|pushd)\s+["']?(?:\.\/)?([A-Za-z_][\w-]*)\/?["']?(?=\s|;|$)/,
  /(?:^|[\s@])(?:make|gmake|ninja|meson (?:compile|test|install))\s(?:.*\s)?-C ?(?:\.\/)?([A-Za-z_][\w-]*)\/?(?=\s|$)/,
  /\bcmake --(?:build|install) (?:\.\/)?([A-Za-z_][\w-]*)\/?(?=\s|$)/,
  /\bctest\b.*\s--test-dir[ =](?:\.\/)?([A-Za-z_][\w-]*)\/?(?=\s|$)/
]

/** A line that makes folders, as far as it names them. */
const making =
  /\b(?:mkdir|cmake\b(?!\s+--(?:build|install))|meson\b(?!\s+(?:compile|test|install))|install -d|git clone|cp -\w*[ra])\b(.*)$/

/** Folders that a line may make, by their names. */
const madeBy = (line: string): ReadonlyArray<string> =>
  (making.exec(line.slice(0, MAX_LINE))?.[1] ?? "")
    .split(/[\s"'=;&]+/)
    .map((word) => word.replace(/^(?:-B|\.\/)|\/$/g, ""))
    .filter((word) => /^[A-Za-z_][\w-]*$/.test(word))

const enteredBy = (line: string): ReadonlyArray<string> =>
  entered.flatMap((pattern) => pattern.exec(line.slice(0, MAX_LINE))?.[1] ?? [])

const asksFor = /^(?:@|-)?(?:make|just|task|\$[({]MAKE[)}])\s+([A-Za-z][\w.-]*)$/

/** What a recipe runs, with what those run that it asks for. */
const reachedFrom = (start: Recipe, byName: ReadonlyMap<string, Recipe>): ReadonlyArray<string> => {
  const reached = new Set([start])
  for (const { runs = [] } of reached)
    for (const line of runs) {
      const next = byName.get(asksFor.exec(line)?.[1] ?? "")
      if (next !== undefined && reached.size < MAX_REACHED) reached.add(next)
    }
  return [...reached].flatMap(({ runs = [] }) => runs)
}

/** What prepares a build, rather than doing something else in a folder that it makes. */
const isMaker = ({ name, parameters = [] }: Recipe): boolean =>
  /^[\w-]+$/.test(name) &&
  !/clean|test|check|release|package|dist/.test(name) &&
  !parameters.some(({ isRequired }) => isRequired)

const makersIn = (recipes: ReadonlyArray<Recipe>): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const recipe of recipes)
    for (const folder of isMaker(recipe) ? (recipe.runs ?? []).flatMap(madeBy) : [])
      if (!found.has(folder)) found.set(folder, recipe.name)
  return found
}

/**
 * What makes the folder that a recipe works in, where neither it nor what it asks for does, but another recipe of the file: `make
 * configure && ` before `make all`, whose line is `make -C build all`.
 */
export const preparedFirst = (
  survey: Survey,
  at: string,
  tool: string,
  recipes: ReadonlyArray<Recipe>
): ((recipe: Recipe) => string) => {
  const byName = new Map(recipes.map((recipe) => [recipe.name, recipe]))
  const makers = makersIn(recipes)
  return (recipe) => {
    if (recipe.runs === undefined || makers.size === 0) return ""
    const lines = reachedFrom(recipe, byName)
    const lacked = lines.flatMap(enteredBy).find((folder) => !survey.hasFolder(joined(at, folder)))
    const maker = lacked === undefined ? undefined : makers.get(lacked)
    return maker === undefined || lines.some((line) => madeBy(line).includes(lacked!)) ? "" : `${tool} ${maker} && `
  }
}
