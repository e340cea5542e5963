import { purposeOfScript } from "../words.ts"
import type { Recipe } from "./Recipe.ts"

const asksFor = /^(?:make|just|task|\$[({]MAKE[)}])\s+([A-Za-z][\w.-]*)$/

const ofImages = /(?:^|[-_.])(?:docker|images?|containers?)(?:$|[-_.])/

const isBesideBuild = ({ name, body }: Recipe): boolean =>
  ofImages.test(name) || /^(?:test|check|lint|generate)$/.test(purposeOfScript(name, body.join("\n")) ?? "")

/** What a target needs or asks for, and what those do, each once. */
const reachedFrom = (start: Recipe, byName: ReadonlyMap<string, Recipe>): ReadonlySet<Recipe> => {
  const reached = new Set([start])
  for (const { body } of reached)
    for (const line of body) {
      const next = byName.get(asksFor.exec(line)?.[1] ?? "")
      if (next !== undefined) reached.add(next)
    }
  return reached
}

/** `all: build images check`: beside a target `build`, one that also tests, lints, generates or makes an image is more than the build. */
export const isMoreThanBuild = ({ name }: Recipe, recipes: ReadonlyArray<Recipe>): boolean => {
  if (name !== "all") return false
  const byName = new Map(recipes.map((recipe) => [recipe.name, recipe]))
  const [all, build] = [byName.get("all"), byName.get("build")]
  if (all === undefined || build === undefined || build.isIdle === true) return false
  const needed = reachedFrom(build, byName)
  return [...reachedFrom(all, byName)].some((one) => one !== all && !needed.has(one) && isBesideBuild(one))
}
