import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { folderOf } from "../../core/text/paths.ts"
import {
  type EmitAt,
  type FileDescription,
  type FileSummary,
  type Project,
  type Step
} from "../../core/tool/AuditTool.ts"
import type { RuleId } from "./rules.ts"

export type Row = readonly [name: string, start: number, end: number]

const name = "([A-Z][A-Z0-9_]{1,79})"
const quoted = `\\s{0,4}["']${name}["']`

/** Ways to read a variable by a name that is written out. */
const javascript = new RegExp(
  `\\bprocess\\.env(?:\\.${name}\\b|\\[${quoted}\\])(?!\\s{0,4}=[^=])|\\bimport\\.meta\\.env\\.${name}\\b|\\bDeno\\.env\\.get\\(${quoted}|\\bBun\\.env\\.${name}\\b`,
  "g"
)
const reads: Partial<Record<Language, RegExp>> = {
  javascript,
  typescript: javascript,
  tsx: javascript,
  python: new RegExp(`\\b(?:os\\.)?(?:environ(?:\\.get\\(|\\[)|getenv\\()${quoted}(?!\\]\\s{0,4}=[^=])`, "g"),
  go: new RegExp(`\\bos\\.(?:Getenv|LookupEnv)\\(${quoted}`, "g"),
  ruby: new RegExp(`\\bENV(?:\\[|\\.fetch\\(|\\.fetch )${quoted}(?!\\]\\s{0,4}=[^=~])`, "g"),
  php: new RegExp(`(?<![>:\\w])(?:getenv|env)\\(${quoted}|\\$_ENV\\[${quoted}\\]`, "g"),
  rust: new RegExp(`\\benv::var(?:_os)?\\(${quoted}`, "g"),
  java: new RegExp(`\\bSystem\\.getenv\\(${quoted}`, "g"),
  csharp: new RegExp(`\\bEnvironment\\.GetEnvironmentVariable\\(${quoted}`, "g")
}

/** Set by systems, shells, pipelines and platforms, so that no example needs to name them. */
const provided =
  /^(?:NODE_ENV|CI|PATH|HOME|USER|USERNAME|LOGNAME|SHELL|TERM|TZ|LANG|LANGUAGE|PWD|OLDPWD|TMP|TEMP|TMPDIR|HOSTNAME|EDITOR|VISUAL|PAGER|DISPLAY|COLUMNS|LINES|DEBUG|VERBOSE|NO_COLOR|FORCE_COLOR|COLORTERM|COMSPEC|APPDATA|LOCALAPPDATA|PROGRAMFILES|PROGRAMDATA|SYSTEMROOT|WINDIR|USERPROFILE|HOMEDRIVE|HOMEPATH|INIT_CWD|VITEST|MODE|DEV|PROD|SSR|BASE_URL|RAILS_ENV|RACK_ENV|APP_ENV|FLASK_ENV|DJANGO_SETTINGS_MODULE|PYTHONPATH|VIRTUAL_ENV|GOPATH|GOROOT|JAVA_HOME|DYNO|PORT)$|^(?:npm|NPM|GITHUB|GITLAB|CI|VERCEL|NETLIFY|HEROKU|RENDER|RAILWAY|FLY|K_|KUBERNETES|AWS_LAMBDA|AWS_EXECUTION|LC|XDG|SSH|SUDO|GCLOUD|WEBSITE|NEXT_RUNTIME|__NEXT|JEST|PLAYWRIGHT|CYPRESS|TEST|BUILDKITE|CIRCLE|TRAVIS|JENKINS|GIT|NX|TURBO|ASPNETCORE|DOTNET|CARGO|RUST|BUNDLE|GEM)_/

export const readsEnvironment = ({ language, role }: FileDescription): boolean =>
  role === "source" && reads[language] !== undefined

/** Inside of a comment that fills its line; whether code around is a string is not looked at. */
const isComment = (file: SourceFile, offset: number): boolean =>
  /^\s{0,200}(?:\/\/|#|\*|\/\*)/.test(file.text.slice(file.lineStarts[file.line(offset) - 1]!, offset))

export const environmentRows = (file: SourceFile): ReadonlyArray<Row> | undefined => {
  const pattern = reads[file.language]
  if (pattern === undefined || !/env/i.test(file.text)) return undefined
  const rows: Array<Row> = []
  for (const match of file.text.matchAll(pattern)) {
    const variable = match.slice(1).find((group) => group !== undefined)
    if (variable === undefined || provided.test(variable) || isComment(file, match.index)) continue
    const start = match.index + match[0].lastIndexOf(variable)
    rows.push([variable, start, start + variable.length])
    if (rows.length >= 500) break
  }
  return rows.length === 0 ? undefined : rows
}

interface Example {
  readonly path: string
  readonly folder: string
  readonly names: ReadonlySet<string>
}

/** Names in an example, also of settings that are commented out. */
const namesIn = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/^[ \t]{0,9}#?[ \t]{0,9}(?:export[ \t]{1,4})?([A-Z][A-Z0-9_]{1,79})[ \t]{0,4}=/gm)].map(
      ([, found]) => found!
    )
  )

const examplesOf = (project: Project): ReadonlyArray<Example> =>
  project.files
    .filter(({ path }) => /(?:^|\/)\.env\.(?:example|sample|template)$/.test(path))
    .map(({ path }) => ({
      path,
      folder: folderOf(path),
      names: namesIn(project.manifest(path) ?? "")
    }))

/** Fewer names are the beginning of a list, not one that can be held to be complete. */
const MIN_NAMES = 3
const MIN_KEPT_SHARE = 0.5
const MAX_STEPS = 10

interface Site {
  readonly path: string
  readonly start: number
  readonly end: number
}

/** Variables read below an example file that neither it nor one above it names, one observation for each. */
export const undocumentedVariables = (
  facts: ReadonlyArray<FileSummary<ReadonlyArray<Row>>>,
  project: Project,
  emit: EmitAt<RuleId>
): void => {
  const examples = examplesOf(project)
  for (const example of examples) {
    if (example.names.size < MIN_NAMES) continue
    const nested = examples.filter(({ folder }) => folder !== example.folder && folder.startsWith(example.folder))
    const isBelow = (path: string) =>
      path.startsWith(example.folder) && !nested.some(({ folder }) => path.startsWith(folder))
    const known = examples.filter(({ folder }) => example.folder.startsWith(folder))
    const isNamed = (variable: string) => known.some(({ names }) => names.has(variable))
    const sites = sitesOf(facts.filter(({ path }) => isBelow(path)))
    const missing = [...sites.keys()].filter((variable) => !isNamed(variable))
    // An example that names few of the variables is for something else: a container, a single tool.
    if (sites.size - missing.length < sites.size * MIN_KEPT_SHARE) continue
    for (const variable of missing) emitMissing(variable, sites.get(variable)!, example, emit)
  }
}

const sitesOf = (facts: ReadonlyArray<FileSummary<ReadonlyArray<Row>>>): ReadonlyMap<string, ReadonlyArray<Site>> => {
  const sites = new Map<string, Array<Site>>()
  for (const { path, facts: rows } of facts) {
    for (const [variable, start, end] of rows) {
      const known = sites.get(variable)
      if (known === undefined) sites.set(variable, [{ path, start, end }])
      else known.push({ path, start, end })
    }
  }
  return sites
}

const emitMissing = (variable: string, sites: ReadonlyArray<Site>, example: Example, emit: EmitAt<RuleId>): void => {
  const [first, ...others] = sites
  const steps: ReadonlyArray<Step> = others
    .slice(0, MAX_STEPS)
    .map(({ path, start, end }) => ({ path, start, end, note: `\`${variable}\` is read` }))
  emit(first!.path, {
    rule: "undocumented_variable",
    start: first!.start,
    end: first!.end,
    title: `${variable} is not in ${example.path}`,
    message: `\`${variable}\` is read ${sites.length === 1 ? "here" : `in ${sites.length} places`}, and \`${example.path}\` does not name it.`,
    identifiers: [variable],
    ...(steps.length === 0 ? {} : { steps })
  })
}
