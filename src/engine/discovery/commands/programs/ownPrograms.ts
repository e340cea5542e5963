import { baseName, directoryOf } from "../../../core/text/paths.ts"
import { isRecord, parseConfiguration } from "../../../structure/importGraph/jsonc.ts"
import type { Survey } from "../../Survey.ts"
import { consoleScripts, installedScripts, scriptLines, sectionsOf } from "../python.ts"
import { builtPrograms } from "./builtPrograms.ts"
import { gemPrograms } from "./gemPrograms.ts"
import { modulesOfKernel } from "./kernelModules.ts"
import { makefilePrograms } from "./makefilePrograms.ts"
import { perlPrograms } from "./perlPrograms.ts"

type Reading = readonly [manifest: RegExp, names: (text: string) => ReadonlyArray<string>]

const matched = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  [...text.matchAll(pattern)].map((match) => match.slice(1).find((one) => one !== undefined)!)

const fromPackage = (text: string): ReadonlyArray<string> => {
  const manifest = parseConfiguration(text)
  if (isRecord(manifest?.bin)) return Object.keys(manifest.bin)
  return typeof manifest?.bin === "string" && typeof manifest.name === "string" ? [baseName(manifest.name)] : []
}

const fromPythonTables = (text: string): ReadonlyArray<string> =>
  scriptLines(text).flatMap(([, line]) => /^["']?([\w.-]+)["']?\s*=/.exec(line)?.[1] ?? [])

const fromSetup = (text: string): ReadonlyArray<string> => [
  ...matched(consoleScripts(text), /(?:^|,)\s*["']?([\w.-]{1,40})\s*=/gm),
  ...installedScripts(text).map(baseName)
]

const fromCargo = (text: string): ReadonlyArray<string> => {
  const tables = sectionsOf(text)
  const nameIn = (table: string) =>
    tables
      .filter(({ name }) => name === table)
      .flatMap(({ lines }) => lines.flatMap(([, line]) => /^name\s*=\s*"([\w-]+)"/.exec(line)?.[1] ?? []))
  // A package has a program of its own name beside those that are listed, if none of these is its main file.
  const listed = tables.filter(({ name }) => name === "bin").flatMap(({ lines }) => lines.map(([, line]) => line))
  const isListed = listed.length > 0 && !listed.some((line) => /^path\s*=/.test(line))
  return isListed || listed.some((line) => /^path\s*=\s*"(?:src\/)?main\.rs"/.test(line))
    ? nameIn("bin")
    : [...nameIn("bin"), ...nameIn("package")]
}

/** Scripts that CMake puts on the path as they are: `install(PROGRAMS tools/kettle DESTINATION bin)`. */
const scriptsOfCmake = (text: string): ReadonlyArray<string> =>
  matched(text, /\b(?:catkin_)?install(?:_python)?\s*\(\s*PROGRAMS\s+([^()]{1,600})/gi).flatMap((list) =>
    list
      .split(/\bDESTINATION\b/, 1)[0]!
      .trim()
      .split(/\s+/)
      .map(baseName)
  )

/** Names of the programs that manifests and build files say they make. */
const readings: ReadonlyArray<Reading> = [
  [/(?:^|\/)package\.json$/, fromPackage],
  [/(?:^|\/)pyproject\.toml$/, fromPythonTables],
  [/(?:^|\/)setup\.(?:py|cfg)$/, fromSetup],
  [/(?:^|\/)Cargo\.toml$/, fromCargo],
  [
    /(?:^|\/)CMakeLists\.txt$/,
    (text) => [
      ...matched(text, /^[ \t]*(?:qt_)?add_executable\s*\(\s*["']?([\w.-]+)(?=["'\s)])/gim),
      ...scriptsOfCmake(text)
    ]
  ],
  [/(?:^|\/)meson\.build$/, (text) => matched(text, /\bexecutable\s*\(\s*'([\w.-]+)'/g)],
  [/(?:^|\/)Makefile\.am$/, (text) => matched(text, /^s?bin_PROGRAMS\s*\+?=[ \t]*(\w[\w.-]*)/gm)],
  [/\.cabal$/, (text) => matched(text, /^executable[ \t]+([\w-]+)/gim)]
]

const ofGo = (survey: Survey): ReadonlyArray<string> =>
  survey.source.flatMap(({ path, language, isEntryPoint }) => {
    if (language !== "go" || isEntryPoint === 0) return []
    const folder = directoryOf(path)
    if (folder !== "") return /(?:^|\/)cmd\/[\w-]+$/.test(folder) ? [baseName(folder)] : []
    const module = survey.file("go.mod")?.text ?? ""
    return matched(module, /^module\s+\S*?([\w.-]+?)(?:\/v\d+)?\s*$/gm)
  })

const checksSources =
  /(?:^|[-_])(?:lint(?:er)?|style|format(?:ter)?|(?:style|spell|code|licen[cs]e)[-_]?check(?:er)?)(?:\.\w+)?$|^(?:style|lint)[-_]/

/** A script that checks how the sources are written is for those who write them, whatever the product does. */
export const isForContributors = (name: string): boolean => checksSources.test(name)

/** What those who look after the repository do with proposed changes and versions: `merge-pr.py`. */
const ofMaintainers =
  /^(?:(?:merge|close|review|check[-_]?out|land|rebase|squash)[-_]?(?:prs?|mrs?|pull[-_]?requests?|branch(?:es)?|patch(?:es)?)|(?:back[-_]?port|cherry[-_]?pick|triage|stale)(?:[-_]\w+)?)(?:\.\w+)?$/

/** Files without an ending at the root, or in a folder for programs, that say what runs them. */
export const programFiles = (survey: Survey): ReadonlyArray<string> =>
  survey.source
    .filter(
      ({ path, isEntryPoint }) =>
        isEntryPoint > 0 && /^(?:bin\/|exe\/|s?bin\/)?[\w-]+(?:\.(?:py|pl|rb|php))?$/.test(path)
    )
    .map(({ path }) => path)
    .filter((path) => {
      const name = baseName(path)
      return (
        !isForContributors(name) &&
        !/^(?:update|make|build|check|gen(?:erate)?|create|bump|install|clean|fix|release|publish)[-_]/.test(name) &&
        !ofMaintainers.test(name) &&
        !/^(?:setup|conftest|manage|noxfile|tasks|fabfile|configure|bootstrap|test\w*|run[-_]?\w*tests?)(?:\.\w+)?$/.test(
          name
        )
      )
    })

/** Programs that the repository makes, by the names under which its documents start them. */
export const ownProgramsOf = (survey: Survey): ReadonlySet<string> =>
  new Set(
    [
      ...readings.flatMap(([manifest, names]) =>
        survey
          .texts(manifest)
          .filter(({ path }) => /^(?:source|generated)$/.test(survey.file(path)?.role ?? ""))
          .slice(0, 20)
          .flatMap(({ text }) => names(text))
      ),
      ...ofGo(survey),
      ...gemPrograms(survey).map(({ name }) => name),
      ...programFiles(survey).map(baseName),
      ...makefilePrograms(survey).map(({ name }) => name),
      ...builtPrograms(survey).map(({ name }) => name),
      ...perlPrograms(survey).map(({ name }) => name),
      ...modulesOfKernel(survey).flatMap(({ name }) => [name, `${name}.ko`])
    ].filter(
      (name) =>
        /^[\w][\w.-]{1,39}$/.test(name) && !/^(?:test|tests|main|run|app|example)s?$|[_-]tests?$|^test[_-]/.test(name)
    )
  )

const starter =
  /^(?:(?:\[?sudo\]?|exec|insmod|modprobe|(?:python[\d.]*|ruby|perl|php|node)(?:\s+-(?:I\s?\S+|[wuTWE]))*|bundle exec)\s+)*(?:\.?\.?\/)?(?:[\w.-]+\/){0,4}([\w][\w.-]*)((?:\s.*)?)$/

/** Asks a program about itself, or has it write something for a shell. */
const aside =
  /(?:^|\s)(?:-h|--?\w*help|help|-[vV]|--?version|version|completions?|uninstall|man|--?(?:config-?test|test-?config|check-?config))(?=\s|$)/

/** Looks after what is running already. */
const tends =
  /^\s+(?:delete|destroy|purge|prune|update|upgrade|ls|list|status|stop|kill|restart|reload|doctor|--?(?:recompile|restart|reload|stop|kill))(?=\s|$)/

/** What follows a program's name in a sentence, a listing or an assignment rather than in a command. */
const prose =
  /[|&;=]\s*$|^\s{2,}\S|\bpath\/to\b|^\s*[:=]|^\s+v?\d+\.\d|\.{3}$|^\s+[-–—]\s|^\s+\(?[a-z]+ [^<>|"']*\sby\s[A-Z]|^\s+\([a-z]+ |^\s+(?:is|was|are|has|have|will|can|may|must|should|does|and|or|of|for|in|on|with|without|uses|needs)\s/

/** Words that hardly any command has, and most sentences. */
const isSentence =
  /^[^"'`<>|=[\]-]*\s(?:an?|the|that|which|its|this|you|your)\s|^(?:\s[A-Za-z\d',]+){4,}\.\s+[A-Z][a-z]/

/** An address of mail in words: `kettle (dash) devel (at) example (dot) org`, `kettle at example dot org`. */
const isAddress =
  /\s[([{<]\s?(?:at|dot|dash|minus|hyphen|underscore)\s?[)\]}>](?:\s|$)|\s(?:at|@)\s+[\w.-]+\s+(?:dot|\.)\s+[a-z]/i

/** Where the program lies on the machine of a user. */
const isElsewhere = /^(?:\w+\s+)?\//

const joinedName = (line: string, outer: string, programs: ReadonlySet<string>): string => {
  const inner = /^\w+ ([\w-]+)/.exec(line)?.[1] ?? ""
  return programs.has(`${outer}-${inner}`) ? `${outer}-` : `${outer} `
}

/** Escapes of a character set for East Asia, of which only some characters are letters of ours. */
const isEscaped = /\$[B@]\S|[\0-\x08\x0e-\x1f]/

/** Whether a line starts one of the repository's own programs. */
export const startsOwn = (line: string, programs: ReadonlySet<string>): boolean => {
  // Git and Cargo start `git-tidy` as `git tidy`.
  const [, name = "", rest = ""] =
    starter.exec(line.replace(/^(git|cargo) (?=[a-z])/, (_, outer: string) => joinedName(line, outer, programs))) ?? []
  return (
    programs.has(name) &&
    !isEscaped.test(line) &&
    !isAddress.test(rest) &&
    !isSentence.test(rest) &&
    !isElsewhere.test(line) &&
    !aside.test(rest) &&
    !tends.test(rest) &&
    !prose.test(rest)
  )
}
