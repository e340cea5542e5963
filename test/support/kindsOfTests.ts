import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize, relative } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** A test that imports one of these, through whatever it imports, starts a database or the compiled program. */
const slowSupport = ["test/support/TestPostgres.ts", "test/support/assayCommand.ts"]

/** What says which of its forms a test runs in. */
const forms = "test/support/forms.ts"

/** Proofs of minutes whose single rules other tests hold: such a file is in the long form only, and its first lines name them. */
const longOnly = /\.long\.test\.ts$/

/** Whole programs, threads that hang on purpose, and the growth of every rule on its worst input: minutes, not seconds. */
const slowTests = /^test\/(?:e2e\/|cli\/launch\.|engine\/(?:hostile|Pool)\.)/

/** Only where a statement's last line begins: the texts of fixtures in a test have imports of their own. */
const relativeImports = (path: string): ReadonlyArray<string> =>
  [...readFileSync(join(root, path), "utf8").matchAll(/^(?:import|export|\}).*?\bfrom "(\.{1,2}\/[^"]+\.ts)"$/gm)].map(
    ([, target = ""]) => normalize(join(dirname(path), target))
  )

/** What a test file imports from `test`, directly or through other files of `test`. */
const reached = (path: string, seen: Set<string> = new Set()): ReadonlySet<string> => {
  for (const target of relativeImports(path)) {
    if (!target.startsWith("test/") || seen.has(target)) continue
    seen.add(target)
    reached(target, seen)
  }
  return seen
}

const isUnit = (path: string): boolean => {
  if (slowTests.test(path) || longOnly.test(path)) return false
  const files = reached(path)
  return !slowSupport.some((support) => files.has(support))
}

const testFiles = (): ReadonlyArray<string> =>
  readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts") && !/^fixtures\b|\bnode_modules\b/.test(name))
    .map((name) => relative(root, join(root, "test", name)))
    .sort()

/** The tests that need no database and no compiled command, found by what they import. */
export const unitTests = (): ReadonlyArray<string> => testFiles().filter(isUnit)

/** The tests with more cases in their long form, found by what they import, and those that have no other one. */
export const longTests = (): ReadonlyArray<string> =>
  testFiles().filter((path) => longOnly.test(path) || reached(path).has(forms))
