import { joined } from "../core/text/paths.ts"
import { buildToolCommands } from "./commands/builds/buildTools.ts"
import { commentedSteps } from "./commands/builds/commentedSteps.ts"
import { withoutUnmetNeeds } from "./commands/builds/unmetNeeds.ts"
import { type Command, isVariant, type Purpose, plain } from "./commands/Command.ts"
import { containerCommands } from "./commands/containers.ts"
import { documentCommands } from "./commands/documents.ts"
import { withoutHalves } from "./commands/halves.ts"
import { namedScripts } from "./commands/namedScripts.ts"
import { isMinorIn } from "./commands/packageInstalls.ts"
import { pipelineCommands } from "./commands/pipelines.ts"
import { Possibilities } from "./commands/possible.ts"
import { withoutHelperPrograms } from "./commands/programs/helperPrograms.ts"
import { startedInTree, withCargoStarts } from "./commands/programs/localPrograms.ts"
import { withMissingExample } from "./commands/programs/missingFiles.ts"
import { withProgramRuns } from "./commands/programs/programRuns.ts"
import { pythonCommands } from "./commands/python.ts"
import { shipsVersion } from "./commands/releases.ts"
import { demandingRecipes, recipeCommands, recipeFiles } from "./commands/runners/recipes.ts"
import { scriptCommands } from "./commands/scripts.ts"
import { withAskedWords } from "./commands/starts/askedWords.ts"
import { withDocumentsApart } from "./commands/starts/pageServers.ts"
import { namedTests } from "./commands/tests/namedTests.ts"
import { singleTests } from "./commands/tests/single.ts"
import { rootFolder } from "./profile/manifests.ts"
import type { Survey } from "./Survey.ts"

export type { Command, Purpose } from "./commands/Command.ts"

/**
 * A usual command has nothing to add where the repository states its own for the same folder, nor has the target that packs
 * the sources where a plain `make` builds them.
 */
const withoutNeedlessConventions = (commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  const key = ({ purpose, folder }: Command) => `${purpose}\n${folder}`
  const stated = new Set(
    commands
      .filter(
        (command) =>
          /^(?:script|target|document)$/.test(command.origin) &&
          !isVariant(command) &&
          !(command.purpose === "install" && command.path.endsWith("package.json"))
      )
      .map(key)
  )
  const isLinted = commands.some(({ purpose, origin }) => purpose === "lint" && origin === "pipeline")
  const isReleased = commands.some(({ purpose, origin }) => purpose === "release" && origin === "pipeline")
  const isPacking = ({ command, origin, purpose, folder }: Command) =>
    origin === "target" &&
    /^(?:make|ant) (?:dist|package)(?:[-_:]\w+)?$/.test(command) &&
    commands.some(
      (one) =>
        one.purpose === purpose &&
        one.folder === folder &&
        /^make(?: (?:all|build|compile))?$|^ant (?:build|compile)$/.test(one.command)
    )
  const isNeeded = (command: Command): boolean =>
    /^test_/.test(command.purpose) ||
    (!(isLinted && /^cargo (?:clippy|fmt)\b/.test(command.command)) &&
      !stated.has(key(command)) &&
      !(command.purpose === "release" && isReleased))
  return commands.filter((command) => !isPacking(command) && (command.origin !== "convention" || isNeeded(command)))
}

/** Of several scripts or targets for the same the one that a pipeline runs comes first. */
const withUses = (commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  const used = new Set(
    commands.flatMap(({ origin, command, folder }) => (origin === "pipeline" ? [`${folder}\n${plain(command)}`] : []))
  )
  return commands.map((one) =>
    /^(?:script|target)$/.test(one.origin) && used.has(`${one.folder}\n${plain(one.command)}`)
      ? { ...one, isUsed: true }
      : one
  )
}

const withoutOtherReleases = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Command> =>
  commands.filter(
    ({ purpose, origin, path, command }) =>
      purpose !== "release" || origin !== "pipeline" || shipsVersion(survey, path, command)
  )

/** A document that says how the result is put in its place knows whether that takes the rights of the administrator. */
const withoutStatedInstalls = (commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  const isStated = ({ folder }: Command): boolean =>
    commands.some(
      (one) =>
        one.purpose === "use" &&
        one.origin === "document" &&
        one.folder === folder &&
        /\bmake\b.*\sinstall/.test(one.command)
    )
  return commands.filter((command) => !(command.purpose === "use" && command.origin === "target" && isStated(command)))
}

/** Where a command of a build tool looks for what was built. */
const builtIn = /^(?:ninja|meson|ctest|cmake|make)\b.*\s(?:-C|--test-dir|--build)[ =]?([\w./-]+)/

/** A pipeline's build folder is of no use to someone who was not given the command that makes it. */
const withoutForeignFolders = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  const usual = new Set(commands.filter(({ origin }) => origin === "convention").map(({ purpose }) => purpose))
  return commands.filter(({ origin, purpose, command, folder }) => {
    if (origin !== "pipeline" || !usual.has(purpose)) return true
    // The choices of one job of a pipeline are not those that one begins with.
    if (/^cmake\b(?!.*--build\b).*\s-D/.test(command)) return false
    const built = builtIn.exec(command)?.[1]
    return built === undefined || survey.hasFolder(joined(folder, built))
  })
}

/** A script that says by its name what it does counts where no manifest, target or document states a command for the whole. */
const withNamedScripts = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  const stated = new Set(
    commands
      .filter(({ origin, folder }) => folder === "" && /^(?:script|target|document|pipeline)$/.test(origin))
      .map(({ purpose }) => purpose)
  )
  return [...commands, ...namedScripts(survey).filter(({ purpose }) => !stated.has(purpose))]
}

const MIN_SHARE = 0.1

const linesBelow = (survey: Survey, start: string): number =>
  survey.source.reduce((sum, { path, lines }) => sum + (path.startsWith(start) ? lines : 0), 0)

/** How a small part is started is not how the whole is, where the whole is built at the root. */
const withoutSmallParts = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  if (!commands.some(({ purpose, folder }) => /^(?:build|test)$/.test(purpose) && folder === "")) return commands
  const all = linesBelow(survey, "")
  return commands.filter(
    ({ purpose, folder, origin }) =>
      !(
        purpose === "run" ||
        (/^(?:install|build|lint)$/.test(purpose) && origin === "pipeline") ||
        (/^(?:install|build|test|check|lint|types|format)$/.test(purpose) && origin === "convention")
      ) ||
      folder === "" ||
      linesBelow(survey, `${folder}/`) >= MIN_SHARE * all
  )
}

const isFolderOfTests = /(?:^|\/)(?:tests?|specs?|testing|testsuite)$/
const MAX_PARTS = 2

/** A small part or two that alone state how they are built or tested, or have what needs installing, say nothing of the whole. */
const withoutLonelyParts = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  const isLonely = (purpose: Purpose): boolean => {
    const folders = new Set(commands.flatMap((one) => (one.purpose === purpose ? [one.folder] : [])))
    return !folders.has("") && folders.size > 0 && folders.size <= MAX_PARTS
  }
  const lonely = new Set(
    (["install", "build", "test", "check", "lint"] as const).filter(isLonely) as ReadonlyArray<Purpose>
  )
  if (lonely.size === 0) return commands
  const all = linesBelow(survey, "")
  // What holds no sources that are known is not measured.
  const isSmall = (lines: number): boolean => lines > 0 && lines < MIN_SHARE * all
  return commands.filter(
    ({ purpose, folder, origin }) =>
      !(
        lonely.has(purpose) &&
        (purpose !== "install" || origin === "convention") &&
        !isFolderOfTests.test(folder) &&
        isSmall(linesBelow(survey, `${folder}/`))
      )
  )
}

/** `pip install .` installs bindings where Python has less than two thirds of the lines of another language. */
const installsItself = /^(?:sudo )?(?:python3? -m )?pip3? install (?:-\S+ )*\.(?:\[[\w,-]+\])?$/

/** What a document says of bindings comes after what puts the program in its place. */
const withBindingsLast = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  if (!isMinorIn(survey)("pip")) return commands
  return commands.map((one) =>
    one.purpose === "install" && one.origin === "document" && installsItself.test(one.command)
      ? { ...one, purpose: "use", isMinor: true }
      : one
  )
}

/** A Makefile that wraps another build needs what a document says comes first. */
const withoutWrappers = (commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  const configured = new Set(
    commands.flatMap(({ purpose, origin, aside, command, folder }) =>
      purpose === "build" &&
      origin === "document" &&
      aside === undefined &&
      /^(?:\.\/)?configure\b.*&& make/.test(command)
        ? [folder]
        : []
    )
  )
  return commands.filter(
    ({ purpose, origin, command, folder }) =>
      !(purpose === "build" && origin === "target" && /^make(?: all| build)?$/.test(command) && configured.has(folder))
  )
}

/** A line of a document that is all that a script of another purpose runs is for that: `grunt` where `npm test` runs it. */
const withoutRenamedScripts = (commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  const scripts = commands.filter(({ origin, means }) => origin === "script" && means !== null)
  const builds = new Set(
    commands.flatMap(({ origin, purpose, command, folder }) =>
      origin === "target" && purpose === "build" ? [`${folder}\n${command}`] : []
    )
  )
  return commands.filter((one) => {
    // A target with a name of releases that only builds is the build in documents, too.
    if (one.origin === "document" && one.purpose === "release" && builds.has(`${one.folder}\n${one.command}`))
      return false
    const same = scripts.filter(({ means, folder }) => means === one.command && folder === one.folder)
    return one.origin !== "document" || same.length === 0 || same.some(({ purpose }) => purpose === one.purpose)
  })
}

/** What documents and pipelines say is kept where the repository has what it needs. */
const possible = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  const possibilities = new Possibilities(survey)
  return commands.filter((command) => possibilities.allows(command)).map(withMissingExample(survey))
}

/** Projects of the .NET Framework's time name no SDK, nor do those of C++; the program `dotnet` does not build them. */
const isBuiltByDotnet = (survey: Survey): boolean => {
  if (!survey.hasLike(/\.(?:cs|fs|vb)proj$/)) return false
  const projects = survey.texts(/\.\w+proj$/)
  return projects.length === 0 || projects.some(({ text }) => /<Project\s[^>]*\bSdk=|<Sdk\s/.test(text))
}

/** What can be run in a checkout, as it is stated; and where nothing is stated, as is usual with its build tool. */
export const commandsOf = (survey: Survey): ReadonlyArray<Command> => {
  const recipes = recipeFiles(survey)
  const found = [
    ...scriptCommands(survey),
    ...recipeCommands(survey, recipes),
    ...pythonCommands(survey),
    ...withCargoStarts(survey, possible(survey, documentCommands(survey))),
    ...buildToolCommands(survey, rootFolder(survey)),
    ...singleTests(survey),
    ...containerCommands(survey),
    ...commentedSteps(survey),
    ...possible(survey, withoutOtherReleases(survey, pipelineCommands(survey)))
  ].filter(
    ({ command, origin }) => origin !== "convention" || !command.startsWith("dotnet ") || isBuiltByDotnet(survey)
  )
  const able = withoutUnmetNeeds(survey, found, demandingRecipes(recipes))
  const own = withoutRenamedScripts(withDocumentsApart(survey, able))
  const kept = withoutForeignFolders(survey, withNamedScripts(survey, withBindingsLast(survey, own)))
  const chosen = withoutNeedlessConventions(withoutSmallParts(survey, withoutHalves(survey, kept)))
  const whole = withoutLonelyParts(survey, withoutWrappers(chosen))
  const started = withProgramRuns(survey, withoutHelperPrograms(survey, withoutStatedInstalls(whole)))
  const all = withUses(withAskedWords(survey, startedInTree(survey, started)))
  return [...all, ...namedTests(survey, all)]
}
