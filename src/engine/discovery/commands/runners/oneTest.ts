import { directoryOf, joined } from "../../../core/text/paths.ts"
import { clip } from "../../Observed.ts"
import type { Survey } from "../../Survey.ts"
import type { Command } from "../Command.ts"
import type { Recipe } from "./Recipe.ts"

const namesOne = /^(?:T|TESTS?|TEST_?(?:FILES?|PATH|NAME|CASE|FILTER|ONLY|PATTERN)|FILTER|CASE|SUITE|ONLY|PATTERN)$/
const namesFile = /^(?:T|TESTS?|TEST_?(?:FILES?|PATH))$/

const PATH = "<path of the test>"
const CASE = "<name of the test>"

interface Argument {
  /** `TESTS=` of Make; nothing of just. */
  readonly before: string
  readonly isFile: boolean
  readonly value: string
}

const of = (before: string, value: string): Argument => ({ before, value, isFile: value !== CASE })

/** A variable that a recipe of Make takes the test from. */
const ofMake = ({ body }: Recipe, text: string): Argument | null => {
  const used = [...body.join("\n").matchAll(/(\.\/)?\$[({](\w+)[)}]/g)]
    // The program that runs the tests may have such a name, too.
    .flatMap(([, prefix, name]) => (prefix === undefined && namesOne.test(name!) ? [name!] : []))
    .find((name) => name.endsWith("S") || !new RegExp(`^${name}\\s*:?=\\s*\\S`, "m").test(text))
  return used === undefined ? null : of(`${used}=`, namesFile.test(used) ? PATH : CASE)
}

/** Cargo names a file of the folder for integration tests so. */
const ofTestFile = /\bcargo\b.*\s--test[ =]["']?\{\{/

/** A parameter of just that goes to the program which runs the tests; what stands first is that program. */
const ofJust = (survey: Survey, { name, body, parameters = [] }: Recipe, folder: string): Argument | null => {
  const [first, second] = parameters
  if (first === undefined || second?.isRequired === true || !/test|spec/i.test(name)) return null
  if (!/test|filter|name|case|args|pattern/i.test(first.name)) return null
  const line = body.find((one) =>
    new RegExp(`^\\S.*\\s["']?\\{\\{\\s*${first.name}\\s*\\}\\}|\\S=["']?\\{\\{\\s*${first.name}\\s*\\}\\}`).test(one)
  )
  if (line === undefined) return null
  const isFile = ofTestFile.test(line)
  return isFile && !survey.hasFolder(joined(folder, "tests"))
    ? null
    : of("", isFile ? "<file of tests, without its ending>" : CASE)
}

/** How a recipe that runs tests is asked for one of them. */
export const oneTest = (
  survey: Survey,
  tool: string,
  recipe: Recipe,
  path: string,
  text: string
): ReadonlyArray<Command> => {
  const folder = directoryOf(path)
  const argument = tool === "just" ? ofJust(survey, recipe, folder) : tool === "make" ? ofMake(recipe, text) : null
  if (argument === null) return []
  const { before, isFile, value } = argument
  return [
    {
      purpose: isFile ? "test_file" : "test_case",
      command: `${tool} ${recipe.name} ${before}${value}`,
      means: recipe.body.length === 0 ? null : clip(recipe.body.slice(0, 4).join("; "), 140),
      ...(recipe.runs === undefined ? {} : { runs: recipe.runs.join("\n") }),
      folder,
      path,
      line: recipe.line,
      origin: "target"
    }
  ]
}
