import type { Recipe } from "../runners/Recipe.ts"
import { partsOf, purposeOfText } from "../words.ts"

const MAX_LINES = 20

/** The recipe of a rule, by the name of its target. */
const recipeOf = (lines: ReadonlyArray<string>, target: string): string => {
  const from = lines.findIndex((line) => line.startsWith(`${target}:`))
  if (from < 0) return ""
  const rest = lines.slice(from + 1, from + 1 + MAX_LINES)
  const end = rest.findIndex((line) => !line.startsWith("\t"))
  return rest.slice(0, end < 0 ? rest.length : end).join("\n")
}

const packs = /\bc?pack(?:age)?\b|[|]/

const compiles =
  /^[@-]{0,2}(?:\w{1,40}=\S{0,80} ){0,4}(?:(?:cargo|go|zig|swift|dotnet) build|cmake|ninja|meson (?:setup|compile)|make(?: -\S+| \w{1,40}=\S{0,80}){0,6}(?: (?:all|build|compile))?$)(?=\s|$)/
/** Goes to where it compiles. */
const enters = /^[@-]{0,2}(?:cd|mkdir|test -d)\s/

const compilesOnly = (line: string): boolean => {
  const parts = partsOf(line.replaceAll("\\", " "))
  return !packs.test(line) && parts.every((part) => compiles.test(part) || enters.test(part))
}

/** A target whose own lines only compile, or `release: build/bin/kettle`, whose rule does: the options of a release, and no version. */
export const compilesAlone = ({ name, line, body, runs = body }: Recipe, file: string): boolean => {
  if (name !== "release") return false
  if (runs.length > 0)
    return runs.every(compilesOnly) && runs.some((one) => partsOf(one).some((part) => compiles.test(part)))
  const lines = file.split("\n")
  const needs = (lines[line - 1] ?? "")
    .replace(/^release\s*:/, "")
    .trim()
    .split(/\s+/)
  return needs.length === 1 && needs[0] !== "" && purposeOfText(recipeOf(lines, needs[0]!)) === "build"
}
