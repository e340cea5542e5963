import { joined } from "../../../core/text/paths.ts"
import type { Survey } from "../../Survey.ts"
import { lacksSources } from "../programs/lackedSources.ts"
import { recipesIn } from "../runners/recipes.ts"

const targetOf = /^make\s+(?:-s\s+)?([A-Za-z][\w.-]*)/

/** Variables that a Makefile gives a value of words: `TESTS = test/*.test.js`. */
const assigned = /^([A-Z]\w{0,40})[ \t]*[:?]?=[ \t]*([^$\n]{1,200})$/gm

const MAX_TEXT = 20_000

interface Makefile {
  readonly values: ReadonlyMap<string, string>
  readonly bodies: ReadonlyMap<string, ReadonlyArray<string>>
}

const makefileOf = (survey: Survey, folder: string): Makefile => {
  const text = survey.file(joined(folder, "Makefile"))?.text?.slice(0, MAX_TEXT) ?? ""
  return {
    values: new Map([...text.matchAll(assigned)].map(([, name, value]) => [name!, value!])),
    bodies: new Map(recipesIn(text).map(({ name, body }) => [name, body]))
  }
}

/** Lines of a recipe as the shell gets them. */
const linesOf = (body: ReadonlyArray<string>, values: Makefile["values"]): ReadonlyArray<string> =>
  body
    .join("\n")
    .replace(/\\\n/g, " ")
    .replace(/\$[({](\w{1,40})[)}]/g, (written, name: string) => values.get(name) ?? written)
    .slice(0, MAX_TEXT)
    .split("\n")

/** To look for the tests of a target is to go through the files. */
const MAX_TARGETS = 20

/** Finds out whether a target of Make gives tests of a folder that the tree is without to the program which runs them. */
export const makeTestsOf = (survey: Survey): ((folder: string, line: string) => boolean) => {
  const makefiles = new Map<string, Makefile>()
  const known = new Map<string, boolean>()
  const lacksIn = (folder: string, target: string): boolean => {
    const makefile = makefiles.get(folder) ?? makefileOf(survey, folder)
    makefiles.set(folder, makefile)
    const body = makefile.bodies.get(target) ?? []
    return linesOf(body, makefile.values).some((line) => lacksSources(survey, folder, "test", line))
  }
  return (folder, line) => {
    const target = targetOf.exec(line)?.[1]
    if (target === undefined) return false
    const key = `${folder}\n${target}`
    const isLacking = known.get(key) ?? (known.size < MAX_TARGETS && lacksIn(folder, target))
    known.set(key, isLacking)
    return isLacking
  }
}
