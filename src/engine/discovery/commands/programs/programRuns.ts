import { escape as escapeRegExp } from "effect/RegExp"
import { baseName, directoryOf } from "../../../core/text/paths.ts"
import { lineOf, type Survey } from "../../Survey.ts"
import type { Command } from "../Command.ts"
import { isMinorIn } from "../packageInstalls.ts"
import { declaredStarts } from "../starts/declaredStarts.ts"
import { frameworkStarts } from "../starts/frameworkStarts.ts"
import { goalStarts } from "../starts/mavenGoals.ts"
import { moduleStarts } from "../starts/moduleStarts.ts"
import type { Start } from "../starts/Start.ts"
import { builtPrograms, startedNames } from "./builtPrograms.ts"
import { gemPrograms } from "./gemPrograms.ts"
import { modulesOfKernel } from "./kernelModules.ts"
import { startsOfMade } from "./localPrograms.ts"
import { mainModule } from "./mainModules.ts"
import { makefilePrograms } from "./makefilePrograms.ts"
import { programFiles } from "./ownPrograms.ts"
import { perlPrograms } from "./perlPrograms.ts"
import { productNames } from "./productNames.ts"
import { isOfTests } from "./testFolders.ts"

/** By its name once it is installed, or as the file that it is. */
interface Program extends Omit<Start, "origin"> {
  readonly folder?: string
  readonly origin?: "document" | "container"
}

/** Lines of build files that name programs which an installation puts on the path. */
const installing: ReadonlyArray<readonly [file: RegExp, line: RegExp]> = [
  [/(?:^|\/)Makefile\.am$/, /^s?bin_(?:PROGRAMS|SCRIPTS)\s*\+?=[ \t]*(?:[\w.-]+\/)*(\w[\w.-]*)(?![\w./-])/],
  [/(?:^|\/)CMakeLists\.txt$/, /^[ \t]*(?:qt\d?_|kde4_)?add_executable\s*\(\s*["']?(\w[\w.-]*)(?=["'\s)]|$)/i],
  [/(?:^|\/)meson\.build$/, /\bexecutable\s*\(\s*'(\w[\w.-]*)'/]
]

/** Of tools and packages of a distribution, what users start is none. */
const isOfTools = /(?:^|\/)(?:tools?|utils?|debian)\//
const isTried = /^(?:tests?|examples?|demo|bench)\w*$|[_-](?:tests?|demo|example|bench)$|^tests?[_-]/i

const installedIn = (survey: Survey): ReadonlyArray<Program> =>
  installing.flatMap(([file, pattern]) =>
    survey
      .texts(file)
      .filter(({ path }) => !isOfTests(path) && !isOfTools.test(path))
      .flatMap(({ path, text }) =>
        text.split("\n").flatMap((line, index): ReadonlyArray<Program> => {
          const name = line.length > 400 ? undefined : pattern.exec(line)?.[1]
          return name === undefined || isTried.test(name) ? [] : [{ name, command: name, path, line: index + 1 }]
        })
      )
  )

const interpreters: Readonly<Record<string, string>> = { py: "python", pl: "perl", rb: "ruby", php: "php" }

/** Scripts are started where they lie; one with the ending of a language need not say what runs it. */
const scriptsOf = (survey: Survey): ReadonlyArray<Program> =>
  programFiles(survey).map((path) => {
    const interpreter = interpreters[/\.(\w+)$/.exec(path)?.[1] ?? ""]
    const written = directoryOf(path) === "" ? `./${path}` : path
    return {
      name: baseName(path).replace(/\.\w+$/, ""),
      command: interpreter === undefined ? written : `${interpreter} ${path}`,
      path,
      line: 1
    }
  })

/** A manifest of Python at the root installs it, in a repository of Python, and the readme starts none of its modules. */
const isPackaged = (survey: Survey, name: string): boolean =>
  survey.hasLike(/^(?:pyproject\.toml|setup\.(?:py|cfg))$/) &&
  !isMinorIn(survey)("pip") &&
  !survey.texts(/^readme[^/]*$/i).some(({ text }) => text.includes(`-m ${name}.`))

/**
 * A package of Python with a `__main__.py` is started by its name: as the readme does it, if only in what it prints as its usage, or
 * where nothing speaks of it.
 */
const modulesOf = (survey: Survey): ReadonlyArray<Program> =>
  survey.source.flatMap(({ path, isEntryPoint }): ReadonlyArray<Program> => {
    const name = mainModule(survey, path)
    if (name === undefined || name.includes(".")) return []
    const isStarted = new RegExp(`\\bpython3? -m ${escapeRegExp(name)}(?![\\w.])`)
    const readme = survey.texts(/^readme[^/]*$/i).find(({ text }) => isStarted.test(text))
    const command = `python -m ${name}`
    if (readme === undefined && !isPackaged(survey, name)) return []
    return readme === undefined
      ? [{ name, command, path, line: Math.max(isEntryPoint, 1) }]
      : [{ name, command, origin: "document", path: readme.path, line: lineOf(readme.text, isStarted) ?? 1 }]
  })

/** The only program, or the one that has the name of the product; of several others the one that a desktop starts. */
const meant = (survey: Survey, programs: ReadonlyArray<Program>): Program | undefined => {
  const byName = new Map(programs.map((program) => [program.name, program]))
  if (byName.size === 1) return [...byName.values()][0]
  const names = productNames(survey)
  const named = [...byName.values()].find(({ name }) =>
    [name, name.replaceAll("_", "-")].some((one) => names.has(one.toLowerCase()))
  )
  if (named !== undefined) return named
  // What a desktop or the system starts is what users start, where that is one of them.
  const started = startedNames(survey)
  const asked = [...byName.values()].filter(({ name }) => started.has(name))
  return asked.length === 1 ? asked[0] : undefined
}

/** Where nothing says how the product is started: by the name of the program that the build installs, or as a script. */
export const withProgramRuns = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  if (commands.some(({ purpose, aside }) => purpose === "run" && aside === undefined)) return commands
  const startOf = startsOfMade(survey)
  const made = makefilePrograms(survey).map((program) => ({ ...program, command: startOf(program) }))
  const built = builtPrograms(survey).map(({ name, path, line }) => ({ name, command: name, path, line }))
  const kernel = modulesOfKernel(survey).map((module) => ({ ...module, command: `sudo insmod ${module.name}.ko` }))
  // Beside a module of the kernel a script at the root only helps.
  const scripts = kernel.length > 0 ? [] : scriptsOf(survey)
  const ofPerl = perlPrograms(survey)
    .filter(({ path, name }) => !path.includes("/") && !isTried.test(name))
    .map(({ name, path, line }) => ({ name, command: name, path, line }))
  const ofGems = gemPrograms(survey)
    .filter(({ path, name }) => !path.includes("/") && !isTried.test(name))
    .map(({ name, path, line }) => ({ name, command: name, path, line }))
  const shown = [declaredStarts, moduleStarts, goalStarts, frameworkStarts].map((starts) => starts(survey))
  const found = [
    [...installedIn(survey), ...ofPerl, ...ofGems],
    built,
    modulesOf(survey),
    kernel,
    ...shown,
    scripts,
    made
  ]
    .map((programs) => meant(survey, programs))
    .find((program) => program !== undefined)
  if (found === undefined) return commands
  const { command, path, line, folder = "", origin = "convention" } = found
  return [...commands, { purpose: "run", command, means: null, folder, path, line, origin }]
}
