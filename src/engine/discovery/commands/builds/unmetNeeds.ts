import { programLanguage } from "../../../core/files/programLanguage.ts"
import { joined } from "../../../core/text/paths.ts"
import { isRecord, parseConfiguration } from "../../../structure/importGraph/jsonc.ts"
import type { Survey } from "../../Survey.ts"
import { type Command, plain } from "../Command.ts"
import { rustPrograms } from "../programs/rustPrograms.ts"
import { variablesSet } from "../runners/requiredVariables.ts"
import { makeTestsOf } from "../tests/makeTests.ts"
import { partsOf, unwrapped } from "../words.ts"
import { lacksPlace, namesPlace } from "./neededPlaces.ts"
import { lacksSettings } from "./neededSettings.ts"

/** Tests of Python that are looked for by their names. */
const findsTests = /^(?:pytest|py\.test|nose2?|coverage run (?:-\S+ )*-m pytest)\b(?!.*--doctest)/
const isTestOfPython = /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?)\.py$|(?:^|\/)tests?\/.+\.(?:py|txt|rst|ya?ml|doctest)$/

const lacksTests = (survey: Survey, line: string): boolean =>
  findsTests.test(line) && survey.tests.length === 0 && !survey.hasLike(isTestOfPython)

/** Node ends where the file of variables is not there. */
const variablesOf = /^node\b.*?\s--env-file[= ](?:\.\/)?([\w./-]+)/

const lacksVariables = (survey: Survey, folder: string, line: string): boolean => {
  const file = variablesOf.exec(line)?.[1]
  if (file === undefined) return false
  const path = joined(folder, file)
  const stem = path.replace(/^(.*\.env).*$/, "$1")
  return !survey.files.some((one) => one.path.startsWith(stem)) && !survey.has(path) && !survey.has(`${stem}.example`)
}

/** Make knows these without being given them. */
const ofMake =
  /^(?:MAKE|CC|CXX|CPP|FC|F77|AS|LD|AR|LEX|YACC|RM|MAKEINFO|TEX|TEXI2DVI|WEAVE|TANGLE|LINT|PC|M2C|CO|GET|INSTALL|SHELL|SUDO)$/
const addsVariables = /^[ \t]*[.-]?s?include\b|\$\(eval\b|^[ \t]*(?:define|export)\b/m

const isMakefile = /(?:^|\/)(?:GNUm|[Mm])akefile$/

const ofScript = /^(?:npm|pnpm|yarn|bun) run(?:-script)? ([\w:.-]+)(?=\s|$)/

/** To look for a file or a folder is to go through the file that asks for it. */
const MAX_SOUGHT = 60

/** Finds out for scripts and targets whether the tree has what they run. */
class Needs {
  private readonly survey: Survey
  private readonly scripts = new Map<string, Readonly<Record<string, unknown>>>()
  private readonly variables = new Map<string, ReadonlySet<string> | null>()
  private readonly known = new Map<string, boolean>()
  private unclear: ReadonlySet<string> | null = null
  private sought = 0

  constructor(survey: Survey) {
    this.survey = survey
  }

  private scriptsOf(path: string): Readonly<Record<string, unknown>> {
    const known = this.scripts.get(path)
    if (known !== undefined) return known
    const scripts = parseConfiguration(this.survey.file(path)?.text ?? "")?.scripts
    const found = isRecord(scripts) ? scripts : {}
    this.scripts.set(path, found)
    return found
  }

  /** Variables that a Makefile gives a value; null where others may do so. */
  private variablesOf(path: string): ReadonlySet<string> | null {
    const known = this.variables.get(path)
    if (known !== undefined) return known
    const text = this.survey.file(path)?.text ?? ""
    const found = addsVariables.test(text) ? null : variablesSet(text.split("\n"))
    this.variables.set(path, found)
    return found
  }

  /** The program is a variable that nothing gives a value. */
  private lacksProgram(part: string, path: string): boolean {
    const name = /^[@-]*\$[({]([A-Z]\w{1,40})[)}](?=\s)/.exec(part)?.[1]
    if (name === undefined || ofMake.test(name) || !isMakefile.test(path)) return false
    return this.variablesOf(path)?.has(name) === false
  }

  /** A script asks for another one, which is not there or lacks something itself. */
  private lacksScript(line: string, folder: string, path: string): boolean {
    const name = path.endsWith("package.json") ? ofScript.exec(line)?.[1] : undefined
    if (name === undefined) return false
    const key = `${path}\n${name}`
    const known = this.known.get(key)
    if (known !== undefined) return known
    // Scripts may ask for each other.
    this.known.set(key, false)
    const means = this.scriptsOf(path)[name]
    const isLacking = typeof means !== "string" || this.lacks(means, folder, path)
    this.known.set(key, isLacking)
    return isLacking
  }

  /** Cargo asks which program is meant where a crate has several and names none of them as its default. */
  private lacksChoice(line: string, folder: string): boolean {
    if (!/^cargo (?:run|r)(?: (?:--release|-r|-q|--quiet))*(?: --(?: .*)?)?$/.test(line)) return false
    this.unclear ??= new Set(
      rustPrograms(this.survey).flatMap((program) => (/ --bin /.test(program.command) ? [program.folder] : []))
    )
    return this.unclear.has(folder)
  }

  /** A file or a folder that a line names is not there. */
  lacksFile(line: string, folder: string, path: string): boolean {
    if (this.sought >= MAX_SOUGHT || !namesPlace(line)) return false
    this.sought++
    return (
      lacksVariables(this.survey, folder, line) ||
      lacksPlace(this.survey, folder, line, this.survey.file(path)?.text ?? "")
    )
  }

  lacks(means: string, folder: string, path: string): boolean {
    const parts = partsOf(means)
    // The last part may be cut off, and what stands behind a `cd` is of another folder.
    const whole = means.endsWith("…") ? parts.slice(0, -1) : parts
    const moved = whole.findIndex((part) => /^\(?\s?(?:cd|pushd)\s/.test(part))
    const here = moved < 0 ? whole : whole.slice(0, moved + 1)
    return here.some((part) => {
      const line = unwrapped(part)
      return (
        this.lacksProgram(part, path) ||
        this.lacksChoice(line, folder) ||
        lacksSettings(this.survey, line) ||
        lacksTests(this.survey, line) ||
        this.lacksFile(line, folder, path) ||
        this.lacksScript(line, folder, path)
      )
    })
  }
}

const keyOf = ({ folder, command }: Command): string => `${folder}\n${plain(command)}`

/**
 * Commands without the scripts and targets that lack what they run: a folder, a script, settings of a tool, tests, another script. A
 * document or a pipeline that asks for one of these asks for nothing better, nor does a step of a pipeline that lacks it itself.
 */
export const withoutUnmetNeeds = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  // Of a tree without sources nothing is known that could be missing.
  if (!survey.source.some(({ path, language }) => programLanguage(path, language) !== null)) return commands
  const needs = new Needs(survey)
  const lacksTestsOfMake = makeTestsOf(survey)
  const lacks = ({ purpose, origin, command, means, folder, path }: Command): boolean => {
    const asked = origin === "script" ? (means ?? "") : command
    if (/^test/.test(purpose) && lacksTestsOfMake(folder, asked)) return true
    if (origin === "pipeline") return needs.lacksFile(unwrapped(command), folder, path)
    return (origin === "script" || origin === "target") && means !== null && needs.lacks(means, folder, path)
  }
  const unmet = new Set(commands.filter(lacks).map(keyOf))
  return unmet.size === 0 ? commands : commands.filter((command) => !unmet.has(keyOf(command)))
}
