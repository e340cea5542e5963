import type { Priority } from "../../../schema/Observation.ts"
import type { FileRole } from "../files/FileRole.ts"
import { type Language, languages } from "../files/Language.ts"
import { PathPattern } from "./PathPattern.ts"
import { type ByPath, noSettings, type RepositorySettings, type RulesByPath } from "./RepositorySettings.ts"
import { CREDENTIALS, isRuleName } from "./ruleNames.ts"
import { SettingsReader } from "./SettingsReader.ts"

const MAX_PATTERNS = 500
const MAX_PATTERN_LENGTH = 300

const roles: ReadonlyArray<FileRole> = [
  "source",
  "test",
  "fixture",
  "example",
  "docs",
  "generated",
  "vendored",
  "minified"
]
const priorities: ReadonlyArray<Priority> = ["P0", "P1", "P2", "P3"]
const keys = ["version", "paths", "rules", "roles", "languages", "accessibility"] as const

/** The configuration of a repository. What cannot be used is left out and noted; it never fails an audit. */
export const parseSettings = (text: string): RepositorySettings => {
  const reader = new SettingsReader(text)
  if (reader.root.errors.length > 0) return { ...noSettings, warnings: reader.warnings }
  const fields = reader.fields(reader.root.contents, "", keys)
  const paths = reader.fields(fields.get("paths"), "paths", ["include", "exclude"])
  const accessibility = reader.fields(fields.get("accessibility"), "accessibility", ["components"])
  return {
    include: patterns(reader, paths.get("include"), "paths.include"),
    exclude: patterns(reader, paths.get("exclude"), "paths.exclude"),
    rules: rulesOf(reader, fields.get("rules")),
    roles: byPath(reader, fields.get("roles"), "roles", "role", roles),
    languages: byPath<Language>(reader, fields.get("languages"), "languages", "language", languages),
    components: componentsOf(reader, accessibility.get("components")),
    models: [],
    warnings: reader.warnings
  }
}

const patterns = (reader: SettingsReader, node: unknown, at: string): ReadonlyArray<PathPattern> => {
  const texts = reader.texts(node, at)
  if (texts.length > MAX_PATTERNS) {
    reader.note(reader.lineOf(node), `${at} has ${texts.length} patterns; the first ${MAX_PATTERNS} count.`)
  }
  return texts.slice(0, MAX_PATTERNS).flatMap((text) => {
    const wrong = text.startsWith("!")
      ? 'Patterns cannot be negated: list the paths under "include" or "exclude".'
      : text.length > MAX_PATTERN_LENGTH
        ? `A pattern may have ${MAX_PATTERN_LENGTH} characters.`
        : /(?:^|\/)\.\.(?:\/|$)/.test(text)
          ? 'A pattern must stay inside of the repository: write it without "..".'
          : null
    if (wrong === null) return [new PathPattern(text)]
    reader.note(reader.lineOf(node), `${at}: "${text.slice(0, 60)}" is left out. ${wrong}`)
    return []
  })
}

const rulesOf = (reader: SettingsReader, node: unknown): ReadonlyArray<RulesByPath> => {
  const fields = reader.fields(node, "rules", ["off", "on", "priority", "by_path"])
  const everywhere = { ...asked(reader, fields, "rules"), paths: null, line: reader.lineOf(node) }
  const below = reader.items(fields.get("by_path"), "rules.by_path").map((item) => {
    const own = reader.fields(item, "rules.by_path", ["paths", "off", "on", "priority"])
    const paths = patterns(reader, own.get("paths"), "rules.by_path.paths")
    if (paths.length === 0) reader.note(reader.lineOf(item), 'An item of rules.by_path needs "paths".')
    return { ...asked(reader, own, "rules.by_path"), paths, line: reader.lineOf(item) }
  })
  return [everywhere, ...below]
}

const asked = (reader: SettingsReader, fields: ReadonlyMap<string, unknown>, at: string) => ({
  off: ruleNames(reader, fields.get("off"), `${at}.off`).filter((name) => isNotCredentials(reader, name, fields)),
  on: ruleNames(reader, fields.get("on"), `${at}.on`),
  priority: prioritiesOf(reader, fields.get("priority"), `${at}.priority`)
})

const isNotCredentials = (reader: SettingsReader, name: string, fields: ReadonlyMap<string, unknown>): boolean => {
  if (name.split(".")[0] !== CREDENTIALS) return true
  const way = "accept one with a comment that says why (assay: ignore secret_detection -- reason)"
  reader.note(reader.lineOf(fields.get("off")), `Credentials are always looked for: ${way}.`)
  return false
}

const ruleNames = (reader: SettingsReader, node: unknown, at: string): ReadonlyArray<string> =>
  reader.texts(node, at).filter((name) => {
    if (isRuleName(name)) return true
    reader.note(reader.lineOf(node), `${at}: "${name.slice(0, 60)}" is no tool (complexity) or rule (tool.rule).`)
    return false
  })

const prioritiesOf = (reader: SettingsReader, node: unknown, at: string): Readonly<Record<string, Priority>> =>
  Object.fromEntries(
    reader.entries(node, at).flatMap(([name, value, line]) => {
      const priority = reader.word(value, `${at}.${name.slice(0, 60)}`, priorities)
      if (priority === null) return []
      if (name.split(".")[0] !== CREDENTIALS) return [[name, priority] as const]
      reader.note(line, "The priority of credentials cannot be changed: remove this line.")
      return []
    })
  )

const byPath = <A extends string>(
  reader: SettingsReader,
  node: unknown,
  at: string,
  key: string,
  words: ReadonlyArray<A>
): ReadonlyArray<ByPath<A>> =>
  reader.items(node, at).flatMap((item) => {
    const fields = reader.fields(item, at, ["paths", key])
    const paths = patterns(reader, fields.get("paths"), `${at}.paths`)
    const value = reader.word(fields.get(key), `${at}.${key}`, words)
    return value === null || paths.length === 0 ? [] : [{ paths, value }]
  })

const componentsOf = (reader: SettingsReader, node: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    reader.entries(node, "accessibility.components").flatMap(([name, value]) => {
      const element = reader.text(value, `accessibility.components.${name.slice(0, 60)}`)
      return element === null ? [] : [[name, element] as const]
    })
  )
