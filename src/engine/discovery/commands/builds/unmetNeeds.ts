import { programLanguage } from "../../../core/files/programLanguage.ts"
import { joined } from "../../../core/text/paths.ts"
import { isRecord, parseConfiguration } from "../../../structure/importGraph/jsonc.ts"
import type { Survey } from "../../Survey.ts"
import { type Command, plain } from "../Command.ts"
import { lacksModule } from "../programs/namedModules.ts"
import { lacksTarget } from "../programs/namedTargets.ts"
import { rustPrograms } from "../programs/rustPrograms.ts"
import { type ShellPart, shellParts } from "../programs/startedFiles.ts"
import { lacksNamedIn } from "../runners/askedNames.ts"
import { askedScripts } from "../runners/askedScripts.ts"
import { variablesSet } from "../runners/requiredVariables.ts"
import { startsNothing } from "../scripts.ts"
import { purposeOfScript } from "../words.ts"
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

/** What a test of the shell decides, what may fail, or what another command stands in for. */
const mayFail = /\|\||^[@+]*-|(?:^|[;&(@])\s{0,4}(?:if|for|while|until|case|test|\[\[?)\s/

/** To look for a file or a folder is to go through the file that asks for it. */
const MAX_SOUGHT = 60

/** A part with the folder that it is run in. */
type CertainPart = ShellPart & { readonly folder: string }

/** What is run in any case of a text, where its folder is one of the tree. */
const certainParts = (survey: Survey, folder: string, text: string): ReadonlyArray<CertainPart> =>
  text
    .split("\n")
    .filter((line) => !mayFail.test(line))
    .flatMap((line) => shellParts(folder, line.replace(/^[@+]+/, "")))
    .flatMap((part) =>
      part.folder !== null && (part.folder === folder || survey.hasFolder(part.folder))
        ? [{ ...part, folder: part.folder }]
        : []
    )

/** What a command runs: of a script or a target what that runs, otherwise itself. */
const textOf = ({ origin, command, runs }: Command): string =>
  origin === "script" || origin === "target" ? (runs ?? "") : command

/** A command that the repository states, with what it runs. */
interface Stated {
  readonly command: Command
  readonly text: string
  readonly parts: ReadonlyArray<CertainPart>
}

const isStated = ({ origin }: Command): boolean => /^(?:script|target|document|pipeline)$/.test(origin)

/** Where a command stands, and the folder that it is run in. */
type Place = Pick<Command, "folder" | "path" | "origin" | "purpose">

/** Finds out whether the tree has what a command runs. */
class Needs {
  private readonly survey: Survey
  private readonly scripts = new Map<string, Readonly<Record<string, unknown>>>()
  private readonly variables = new Map<string, ReadonlySet<string> | null>()
  private readonly known = new Map<string, boolean>()
  private readonly lacksNamed: (line: string) => boolean
  private unclear: ReadonlySet<string> | null = null
  private sought = 0

  constructor(survey: Survey) {
    this.survey = survey
    this.lacksNamed = lacksNamedIn(survey)
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

  /** A line asks for scripts of the manifest, one of which is not there or lacks something itself. */
  private lacksScript(line: string, place: Place): boolean {
    const path = place.path.endsWith("package.json") ? place.path : joined(place.folder, "package.json")
    if (!this.survey.has(path)) return false
    const scripts = this.scriptsOf(path)
    const from = { ...place, path }
    return askedScripts(line, scripts).some((name) => this.lacksNamedScript(name, scripts[name], from))
  }

  private lacksNamedScript(name: string, means: unknown, place: Place): boolean {
    const key = `${place.path}\n${place.purpose === "release"}\n${name}`
    const known = this.known.get(key)
    if (known !== undefined) return known
    // Scripts may ask for each other.
    this.known.set(key, false)
    // What is published is made elsewhere, where tests and settings are.
    const isLacking =
      typeof means !== "string" ||
      (place.purpose !== "release" &&
        (this.lacksIn(certainParts(this.survey, place.folder, means), place) || this.startsNothing(name, means, place)))
    this.known.set(key, isLacking)
    return isLacking
  }

  /** A script that another one asks for builds sources, or runs tests, which are not there. */
  private startsNothing(name: string, means: string, { folder }: Place): boolean {
    const purpose = purposeOfScript(name, means)
    return purpose !== null && !mayFail.test(means) && startsNothing(this.survey, folder, purpose, means)
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
  private lacksFile(line: string, folder: string, { path, origin }: Place): boolean {
    if (this.sought >= MAX_SOUGHT || !namesPlace(line)) return false
    this.sought++
    const text = this.survey.file(path)?.text ?? ""
    return (
      lacksVariables(this.survey, folder, line) || lacksPlace(this.survey, folder, line, text, origin === "document")
    )
  }

  private lacksIn(parts: ReadonlyArray<CertainPart>, place: Place): boolean {
    return parts.some(
      ({ part, line, folder: where }) =>
        this.lacksProgram(part, place.path) ||
        this.lacksChoice(line, where) ||
        lacksSettings(this.survey, line) ||
        lacksTests(this.survey, line) ||
        this.lacksNamed(line) ||
        lacksTarget(this.survey, line) ||
        lacksModule(this.survey, where, part, line) ||
        this.lacksFile(line, where, place) ||
        this.lacksScript(line, { ...place, folder: where })
    )
  }

  lacks({ command, text, parts }: Stated): boolean {
    const { purpose, folder } = command
    if (text === "") return false
    const asked = purpose === "test_file" || purpose === "test_case" ? "test" : purpose
    return this.lacksIn(parts, command) || startsNothing(this.survey, folder, asked, text)
  }
}

const keyIn = (folder: string, line: string): string => `${folder}\n${plain(line)}`
const keyOf = ({ folder, command }: Command): string => keyIn(folder, command)

/** A package of Node that holds what was built of its sources. */
const isPublished = (survey: Survey): boolean => survey.has("package.json") && survey.hasLike(/^dist\/.+\.[cm]?js$/)

/** What asks for one of these cannot work, either; each round goes one further. */
const MAX_ROUNDS = 4

/** Commands that ask in any case for one of those that lack something. */
const withAsking = (stated: ReadonlyArray<Stated>, lacking: ReadonlySet<string>): ReadonlySet<string> => {
  // What is published of a package is made elsewhere, where its tests and its sources are.
  const made = stated.filter(
    ({ command: { purpose, origin } }) => purpose !== "release" || !/^(?:script|target)$/.test(origin)
  )
  const asking = made.map(({ command, parts }) => ({
    key: keyOf(command),
    asks: parts.map(({ line, folder }) => keyIn(folder, line))
  }))
  const all = new Set(lacking)
  for (let round = 0, size = -1; round < MAX_ROUNDS && size !== all.size; round++) {
    size = all.size
    for (const { key, asks } of asking) if (asks.some((asked) => all.has(asked))) all.add(key)
  }
  return all
}

/**
 * Commands without those that lack what they run: a folder, a script, settings of a tool, tests, something that is asked for by its
 * name, or a value that must be given (`demanding`, by folder and command). A document, a pipeline or another target that asks for
 * one of these asks for nothing better.
 */
export const withoutUnmetNeeds = (
  survey: Survey,
  commands: ReadonlyArray<Command>,
  demanding: ReadonlySet<string>
): ReadonlyArray<Command> => {
  // Of a tree without sources nothing is known that could be missing.
  const hasSources = survey.source.some(({ path, language }) => programLanguage(path, language) !== null)
  if (!hasSources && !isPublished(survey)) return commands
  const needs = new Needs(survey)
  const stated = commands.filter(isStated).map((command): Stated => {
    const text = textOf(command)
    return { command, text, parts: certainParts(survey, command.folder, text) }
  })
  const unmet = stated.filter((one) => needs.lacks(one)).map(({ command }) => keyOf(command))
  const all = withAsking(stated, new Set([...unmet, ...demanding]))
  return all.size === 0 ? commands : commands.filter((command) => !all.has(keyOf(command)))
}
