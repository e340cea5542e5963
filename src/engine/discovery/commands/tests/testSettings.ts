import { escape as escapeRegExp } from "effect/RegExp"
import { joined } from "../../../core/text/paths.ts"
import { isRecord, parseConfiguration } from "../../../structure/importGraph/jsonc.ts"
import type { Survey } from "../../Survey.ts"
import { partsOf } from "../words.ts"

const isTypeScript = /\.[cm]?tsx?$/

/** What stands before a runner of tests: what starts it, and what measures the lines that it reaches. */
const started =
  /^(?:(?:yarn|pnpm|npx)\s+)?(?:(?:nyc|c8|istanbul cover)\s(?:[^&|;]*\s)?)?(?:[\w./-]+\/)?_?(mocha|jest)(?=\s|$)/

const mochaFiles = /(?:^|\/)(?:\.mocharc(?:\.\w+)?|mocha\.opts)$/
const jestFiles = /(?:^|\/)jest[\w.-]*\.config\.(?:[cm]?[jt]s|json)$|(?:^|\/)jest\.config[\w.-]*$/
const babelFiles = /(?:^|\/)(?:\.babelrc(?:\.\w+)?|babel\.config\.\w+)$/

const isInManifest = (survey: Survey, key: RegExp): boolean =>
  survey.texts(/(?:^|\/)package\.json$/).some(({ text }) => key.test(text))

const hasMochaSettings = (survey: Survey): boolean =>
  survey.hasLike(mochaFiles) || isInManifest(survey, /"mocha"\s*:\s*\{/)

/** Jest reads TypeScript by its settings, or by those of Babel. */
const hasJestSettings = (survey: Survey): boolean =>
  survey.hasLike(jestFiles) || survey.hasLike(babelFiles) || isInManifest(survey, /"(?:jest|babel)"\s*:\s*\{/)

/** Options that are followed by a value. */
const takesValue =
  /^(?:-[RrtugfsO]|--(?:reporter(?:-options?)?|require|timeout|ui|slow|f?grep|import|loader|retries|jobs|exclude|ignore))$/

/** These say where tests are, or where that is written. */
const namesPlaces = /^(?:-[cn]|--(?:config|opts|spec|extension|package|file|node-option))(?:=|$)/

/** Whether a runner is given neither a file or folder nor settings. */
const isGivenNothing = (words: ReadonlyArray<string>): boolean => {
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (!word.startsWith("-") || namesPlaces.test(word)) return false
    if (takesValue.test(word)) at++
  }
  return true
}

/** Mocha that is given nothing looks for scripts in the folder `test`, where all tests are of TypeScript. */
const lacksMochaTests = (survey: Survey, folder: string): boolean =>
  !hasMochaSettings(survey) &&
  survey.tests.some(({ path }) => isTypeScript.test(path)) &&
  !survey.hasLike(new RegExp(`^${escapeRegExp(joined(folder, "test"))}/.*\\.[cm]?js$`)) &&
  !survey.has(joined(folder, "test.js"))

const testOfJest = /[._-](?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)__tests__\/.*\.[jt]sx?$/

/** Jest by itself does not read TypeScript, of which all tests are. */
const lacksJestSettings = (survey: Survey): boolean => {
  if (hasJestSettings(survey)) return false
  const tests = survey.files.filter(({ path }) => testOfJest.test(path))
  return tests.length > 0 && tests.every(({ path }) => isTypeScript.test(path))
}

/** A runner of tests is started without what would have it find or read any. */
export const lacksTestSettings = (survey: Survey, folder: string, line: string): boolean => {
  const [start, runner] = started.exec(line) ?? []
  if (start === undefined) return false
  const words = line.slice(start.length).split(/\s+/).filter(Boolean)
  if (runner === "mocha") return isGivenNothing(words) && lacksMochaTests(survey, folder)
  return (
    !words.some((word) => /^(?:-c|--(?:config|preset|projects|rootDir|transform))(?:=|$)/.test(word)) &&
    lacksJestSettings(survey)
  )
}

/** Options of a runner that one file needs as well as all of them. */
const needed = {
  mocha: /\s(?:-r|--(?:require|import|loader|experimental-loader|config|opts))[ =]["']?[\w@./-]+["']?(?=\s|$)/g,
  jest: /\s(?:-c|--config)[ =]["']?[\w@./-]+["']?(?=\s|$)/g
} as const

type Loading = keyof typeof needed

/** Settings beside the manifest, which the runner finds by itself. */
const isFound = (survey: Survey, folder: string, runner: Loading): boolean => {
  const text = survey.file(joined(folder, "package.json"))?.text ?? ""
  const inFolder = new RegExp(
    `^${escapeRegExp(joined(folder, ""))}${runner === "mocha" ? "(?:\\.mocharc(?:\\.\\w+)?|test/mocha\\.opts)" : "jest\\.config\\.\\w+"}$`
  )
  return new RegExp(`"${runner}"\\s*:\\s*\\{`).test(text) || survey.hasLike(inFolder)
}

/** Lines of a manifest's scripts that start a runner, those of scripts for tests first. */
const linesOf = (survey: Survey, folder: string, runner: Loading): ReadonlyArray<string> => {
  const scripts = parseConfiguration(survey.file(joined(folder, "package.json"))?.text ?? "")?.scripts
  const program = new RegExp(`(?:^|[\\s/])_?${runner}(?=\\s|$)`)
  return Object.entries(isRecord(scripts) ? scripts : {})
    .sort(([a], [b]) => Number(/^test/.test(b)) - Number(/^test/.test(a)) || a.length - b.length)
    .flatMap(([, text]) => (typeof text === "string" ? partsOf(text) : []))
    .filter((part) => program.test(part))
}

/** What a variable has Node load is not seen in the options. */
const byVariable = /\b(?:NODE_OPTIONS|TS_NODE_\w+)=/

/**
 * Options that a runner of Node needs for one file, as the script for all files has them; null where the file is one of TypeScript
 * and nothing states what reads it.
 */
export const optionsForOne =
  (runner: Loading) =>
  (survey: Survey, folder: string): ((path: string) => string | null) => {
    if (isFound(survey, folder, runner)) return () => ""
    const [line = ""] = linesOf(survey, folder, runner)
    const own = /(?:^|\s)node\s/.test(line) ? line : line.slice(line.search(new RegExp(`\\b_?${runner}(?=\\s|$)`)))
    const options = [...own.matchAll(needed[runner])].map(([option]) => option.replace(/["']/g, "")).join("")
    const isStated =
      runner === "jest"
        ? hasJestSettings(survey) || options !== ""
        : hasMochaSettings(survey) || options !== "" || /\.(?:[cm]?ts|\{[\w,]*ts[\w,]*\})["']?(?:\s|$)/.test(line)
    return (path) => (isTypeScript.test(path) && (!isStated || byVariable.test(line)) ? null : options)
  }
