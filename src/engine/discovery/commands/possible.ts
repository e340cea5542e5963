import { directoryOf, joined } from "../../core/text/paths.ts"
import { isRecord, parseConfiguration } from "../../structure/importGraph/jsonc.ts"
import type { Survey } from "../Survey.ts"
import type { Command, Origin, Purpose } from "./Command.ts"
import { recipesIn } from "./runners/recipes.ts"
import { startsNothing } from "./scripts.ts"
import { declaresTests, isOfOthers } from "./tests/declaredTests.ts"
import { purposeOfScript, unwrapped } from "./words.ts"

const mesonFile = /(?:^|\/)meson\.build$/

/** What has to lie in the folder, or above it, for a program to have something to do there. */
const needs: ReadonlyArray<readonly [RegExp, RegExp]> = [
  [
    /^make\b/,
    /(?:^|\/)(?:(?:GNUm|[Mm])akefile(?:\.in|\.am)?|configure(?:\.ac|\.in)?|CMakeLists\.txt|autogen\.sh|[Mm]akefile\.PL|[\w.-]+\.pro)$/
  ],
  [/^setup\.py\b/, /(?:^|\/)setup\.py$/],
  [/^just\b/, /(?:^|\/)\.?[Jj]ustfile$/],
  [/^(?:npm|yarn|pnpm) (?!publish)/, /(?:^|\/)package\.json$/],
  [/^npm ci\b/, /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/],
  [/^yarn (?:install )?--(?:frozen-lockfile|immutable)\b/, /(?:^|\/)yarn\.lock$/],
  [/^pnpm i(?:nstall)? --frozen-lockfile\b/, /(?:^|\/)pnpm-lock\.yaml$/],
  [/^cargo\b/, /(?:^|\/)Cargo\.toml$/],
  [/^go (?!install)/, /(?:^|\/)go\.(?:mod|work)$|\.go$/],
  [/^mvn\b/, /(?:^|\/)pom\.xml$/],
  [/^gradle\b/, /(?:^|\/)(?:build|settings)\.gradle(?:\.kts)?$/],
  [/^tox\b/, /(?:^|\/)(?:tox\.(?:ini|toml)|setup\.cfg|pyproject\.toml)$/],
  [/^nox\b/, /(?:^|\/)noxfile\.py$/],
  [/^(?:rake|rails)\b/, /(?:^|\/)(?:Rakefile|bin\/rails|rakefile)$/],
  [/^(?:cmake|ctest)\b/, /(?:^|\/)CMakeLists\.txt$/],
  [/^meson\b/, mesonFile],
  [/^dzil\b/, /(?:^|\/)dist\.ini$/],
  [/^bundle\b/, /(?:^|\/)(?:Gemfile|gems\.rb)$/],
  [/^composer (?!require|global)/, /(?:^|\/)composer\.json$/],
  [/^pre-commit\b/, /(?:^|\/)\.pre-commit-config\.ya?ml$/],
  [/^ant\b/, /(?:^|\/)build\.xml$/],
  [/^mix\b/, /(?:^|\/)mix\.exs$/],
  [/^cabal\b/, /\.cabal$/],
  [/^stack\b/, /(?:^|\/)stack\.yaml$/],
  [/^docker(?:-| )compose\b/, /compose[\w.-]*\.ya?ml$/],
  [/^dotnet\b/, /\.(?:sln|slnx|\w+proj)$/],
  [
    /^(?:sh )?(?:\.\/)?configure(?=\s|$)/,
    /(?:^|\/)(?:configure(?:\.\w+)?|auto(?:gen|build)\.sh|bootstrap(?:\.sh)?|buildconf|Makefile\.(?:in|am|cvs))$/
  ],
  [/^qmake\b/, /\.pro$/],
  [/^scons\b/, /(?:^|\/)SConstruct$/],
  [/^(?:\.\/)?waf\b/, /(?:^|\/)(?:waf|wscript)$/]
]

/** Words alone that end as a sentence does: a line of prose that begins with the name of a program. */
const isEndOfSentence = /^[a-z][\w-]*(?: [A-Za-z'-]+,?)+[.;]$/

const isFilledIn = /\$\{?(?!PWD\b|HOME\b)[A-Za-z_]/

/** No command by itself: what a pipeline fills in is not known in a checkout. */
const isIncomplete = ({ command, origin, purpose }: Pick<Command, "command" | "origin" | "purpose">): boolean =>
  command.includes("${{") ||
  (origin === "pipeline" && purpose !== "release" && isFilledIn.test(command)) ||
  (origin === "document" && (isEndOfSentence.test(command) || /^\$[{(]?\w/.test(command)))

/** What every Makefile of Automake has. */
const ofAutomake =
  /^(?:all|check|dist|distcheck|distclean|clean|mostlyclean|maintainer-clean|uninstall|install(?:check|dirs|-(?:exec|data|strip|html|dvi|info|pdf|ps|man|pkgconfig))?|tags|TAGS|ctags|pdf|ps|dvi|html|info|rpm|deb|test|tests)$/

/** A target that no Makefile of Automake has is one of another project. */
const isForeignTarget = (survey: Survey, target: string): boolean =>
  !ofAutomake.test(target) &&
  survey.hasLike(/^Makefile\.am$/) &&
  !survey.hasLike(/(?:^|\/)(?:CMakeLists\.txt|[Mm]akefile|GNUmakefile|Makefile\.(?:in|PL)|[\w-]+\.(?:mk|m4|make))$/) &&
  !survey.texts(/(?:^|\/)(?:Makefile\.am|configure\.ac)$/).some(({ text }) => text.includes(target))

const isManualOfGnu = /generic installation instructions/i
const MAX_BEGINNING = 2_000

interface Script {
  readonly name: string
  /** Without what it runs, its sources or its tests. */
  readonly isIdle: boolean
}

/** Scripts of npm. */
const scriptsIn = (survey: Survey): ReadonlyArray<Script> =>
  survey.texts(/(?:^|\/)package\.json$/).flatMap(({ path, text }) => {
    const scripts = parseConfiguration(text)?.scripts
    return Object.entries(isRecord(scripts) ? scripts : {}).map(([name, means]) => {
      if (typeof means !== "string") return { name, isIdle: false }
      const folder = directoryOf(path)
      const purpose = purposeOfScript(name, means)
      return { name, isIdle: startsNothing(survey, folder, purpose ?? "use", means) }
    })
  })

/** What the repository has of the kinds that commands need, found once. */
export class Possibilities {
  private readonly found: ReadonlyMap<RegExp, boolean>
  private readonly targets = new Set<string>()
  private readonly scripts: ReadonlySet<string>
  private readonly hasPackages: boolean
  private readonly hasScripts: boolean
  private readonly survey: Survey

  constructor(survey: Survey) {
    this.survey = survey
    this.hasPackages = survey.texts(/(?:^|\/)package\.json$/).length > 0
    this.found = new Map(needs.map(([, file]) => [file, survey.hasLike(file)]))
    for (const { text } of survey.texts(/(?:^|\/)(?:GNUm|[Mm])akefile$/))
      for (const { name, isIdle } of recipesIn(text)) if (isIdle !== true) this.targets.add(name)
    const scripts = scriptsIn(survey)
    this.hasScripts = scripts.length > 0
    this.scripts = new Set(scripts.flatMap(({ name, isIdle }) => (isIdle ? [] : [name])))
  }

  /** Go builds the folder's own package where none is named, which makes nothing where the programs lie elsewhere. */
  private hasGoPackage(command: string, folder: string): boolean {
    const written = this.survey.source.filter(({ language }) => language === "go")
    const here = written.filter(({ path }) => directoryOf(path) === folder)
    const isLibrary = !written.some(({ isEntryPoint }) => isEntryPoint > 0)
    const isEnough = isLibrary && /\bgo build\b/.test(command)
    return written.length === 0 || here.some(({ isEntryPoint }) => isEntryPoint > 0 || isEnough)
  }

  /** What is started with a file that is not there is an example from elsewhere; without a package Go looks at one folder. */
  private hasArguments(command: string, folder: string, purpose: Purpose, origin: Origin): boolean {
    if (purpose === "run" && origin === "document") {
      const missing = [...command.matchAll(/\s(?:\.\/)?(\.{0,2}\/?[\w.-]+(?:\/[\w.-]+)*)/g)]
        .filter(([written]) => /^\s\.\.?\/\w/.test(written))
        .filter(([, path]) => !this.survey.resolves(joined(folder, path!)))
      if (missing.length > 0) return false
    }
    if (origin === "document" && /^test/.test(purpose) && this.lacksNamedTests(command, folder)) return false
    // Ninja is run where Meson or CMake has written what to do.
    if (origin === "document" && /^ninja\b(?!.*\s-C)/.test(command) && this.found.get(mesonFile) === true)
      if (purpose === "test" && !this.survey.has(joined(folder, "build.ninja"))) return false
    if (/^(?:\w+=\S*\s+)*go (?:build|install)(?:\s+-\S+)*$/.test(command)) return this.hasGoPackage(command, folder)
    if (this.lacksSource(command, folder)) return false
    if (!/^go test\b/.test(command) || /\s(?:\.|\S*\/)/.test(command)) return true
    return this.survey.tests.some(({ path }) => directoryOf(path) === folder && path.endsWith("_test.go"))
  }

  /** A readme shows how the product tests the code of those who use it: `kettle test tests/unit`. */
  private lacksNamedTests(command: string, folder: string): boolean {
    const named = /\s(?:\.\/)?(tests?|specs?)\/\w/.exec(command)?.[1]
    return named !== undefined && !this.survey.hasFolder(joined(folder, named)) && !this.survey.hasFolder(named)
  }

  /** A compiler, or dune for a program that has the name of its file, is given a file that is not there. */
  private lacksSource(command: string, folder: string): boolean {
    const compiled = /^(?:javac|g?cc|clang|[gc]\+\+|clang\+\+)\s.*?([\w./-]+\.(?:java|c|cc|cpp|cxx))\b/.exec(
      command
    )?.[1]
    if (compiled !== undefined) return !this.survey.has(joined(folder, compiled))
    const made = /^dune build\b.*\s(?:\.\/)?([\w./-]*\w)\.(?:exe|bc|bc\.js)(?=\s|$)/.exec(command)?.[1]
    return made !== undefined && ![`${made}.ml`, `${made}.re`].some((path) => this.survey.resolves(path))
  }

  /**
   * A pipeline may ask for tests that are yet to be written, and so does the manual that GNU packs with each program.
   */
  private lacksTests({ command, purpose, origin, path }: Command): boolean {
    if (!/^test/.test(purpose)) return false
    const isOfAny =
      origin === "pipeline" || isManualOfGnu.test(this.survey.file(path)?.text?.slice(0, MAX_BEGINNING) ?? "")
    return (isOfAny && !declaresTests(this.survey, command)) || isOfOthers(this.survey, command)
  }

  /** A script or a program of the repository is where the command looks for it. */
  private isThere(own: string, folder: string, purpose: Purpose): boolean {
    return (
      this.survey.resolves(joined(folder, own)) ||
      this.survey.resolves(own) ||
      directoryOf(own) === "node_modules/.bin" ||
      // What a build leaves is there once it is built.
      (purpose === "run" && /^(?:build|bin)\//.test(own) && !this.survey.hasFolder(own.split("/")[0]!))
    )
  }

  /** Two programs are called so: one reads a Taskfile, the other a table of `pyproject.toml`. */
  private lacksTasks(text: string): boolean {
    return (
      /^task (?:--\S+ )*[a-z]/.test(text) &&
      !this.survey.hasLike(/(?:^|\/)[Tt]askfile(?:\.dist)?\.ya?ml$/) &&
      !this.survey.texts(/(?:^|\/)pyproject\.toml$/).some((one) => one.text.includes("[tool.taskipy"))
    )
  }

  private hasFiles({ command, folder, purpose, origin }: Command): boolean {
    return this.hasArguments(command, folder, purpose, origin) && this.hasRequirements(command, folder, origin)
  }

  /** A list of what Python needs that a document names. */
  private hasRequirements(command: string, folder: string, origin: Origin): boolean {
    const listed = /^(?:\S+ -m )?(?:pip3?|uv pip) install\b.*?\s-r[ =]?["']?([\w./-]+\.(?:txt|in))/.exec(command)?.[1]
    return listed === undefined || origin !== "document" || this.survey.resolves(joined(folder, listed))
  }

  /** A document may speak of another project, or of what is no longer there. */
  allows(stated: Command): boolean {
    const { command, folder, purpose } = stated
    const text = unwrapped(command)
    if (isIncomplete(stated) || this.lacksTests(stated) || this.lacksTasks(text)) return false
    if (needs.some(([program, file]) => program.test(text) && this.found.get(file) === false)) return false
    const script = /^(?:npm|pnpm|yarn|bun) run ([\w:.-]+)/.exec(text)?.[1]
    if (script !== undefined && this.hasScripts && !this.scripts.has(script)) return false
    const implied = /^(?:npm|pnpm|yarn) (test|start)$/.exec(text)?.[1]
    if (implied !== undefined && this.hasPackages && !this.scripts.has(implied)) return false
    if (!this.hasFiles(stated)) return false
    const crate = /^cargo install .*--path[ =](?:\.\/)?([\w./-]+)/.exec(text)?.[1]
    if (crate !== undefined && crate !== "." && !this.survey.hasFolder(joined(folder, crate))) return false
    const target = /^make ([a-z][\w-]*)$/.exec(text)?.[1]
    const isMade = this.survey.hasLike(
      /(?:^|\/)(?:configure(?:\.ac|\.in)?|CMakeLists\.txt|Makefile\.(?:in|am|PL)|[\w-]+\.mk)$/
    )
    if (target !== undefined && isForeignTarget(this.survey, target)) return false
    if (target !== undefined && !isMade && this.targets.size > 0 && !this.targets.has(target)) return false
    const own =
      /^(?:(?:sh|bash) )?(?:\.\/)?((?:scripts?|bin|tools?|ci|hack|build|dev)\/[\w./-]+|[\w-]+\.(?:sh|py))(?=\s|$)/.exec(
        command
      )?.[1]
    return own === undefined || this.isThere(own, folder, purpose)
  }
}
