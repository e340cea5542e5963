import type { Recipe } from "../runners/Recipe.ts"
import { purposeOfText } from "../words.ts"

const MAX_LINES = 20

/** The recipe of a rule, by the name of its target. */
const recipeOf = (lines: ReadonlyArray<string>, target: string): string => {
  const from = lines.findIndex((line) => line.startsWith(`${target}:`))
  if (from < 0) return ""
  const rest = lines.slice(from + 1, from + 1 + MAX_LINES)
  const end = rest.findIndex((line) => !line.startsWith("\t"))
  return rest.slice(0, end < 0 ? rest.length : end).join("\n")
}

const packs = /\bc?pack(?:age)?\b|[&;|]/

const compiles = /^[@-]{0,2}(?:\w{1,40}=\S{0,80} ){0,4}(?:(?:cargo|go|zig|swift|dotnet) build|cmake|ninja)(?=\s|$)/

/** A target whose own lines only compile, or `release: build/bin/kettle`, whose rule does: the options of a release, and no version. */
export const compilesAlone = ({ name, line, body }: Recipe, file: string): boolean => {
  if (name !== "release") return false
  if (body.length > 0) return body.every((line) => compiles.test(line.trim()) && !packs.test(line))
  const lines = file.split("\n")
  const needs = (lines[line - 1] ?? "")
    .replace(/^release\s*:/, "")
    .trim()
    .split(/\s+/)
  return needs.length === 1 && needs[0] !== "" && purposeOfText(recipeOf(lines, needs[0]!)) === "build"
}
