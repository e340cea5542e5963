import { matchesAny } from "../settings/PathPattern.ts"
import { type ByPath, noSettings, type RepositorySettings } from "../settings/RepositorySettings.ts"
import { directoryOf } from "../text/paths.ts"
import { ruleLanguageOf } from "../tool/AuditTool.ts"
import { roleByPath } from "./FileRole.ts"
import { type ConfiguredTerms, type FileTerms, termsOf } from "./FileTerms.ts"
import { languageOf } from "./Language.ts"
import type { TreeLayout } from "./TreeLayout.ts"

const packageFile = "/__init__.py"
const code = /\.(?:[cm]?[jt]sx?|py|go|java|kt|scala|rb|php|cs|rs|c|cc|cpp|h|hpp|swift)$/
/** Files that build something, whatever it is. */
const builds = /(?:^|\/)(?:setup|noxfile|tasks|manage|conf|gulpfile|Gruntfile|build)\.\w+$|\.config\.\w+$/

const isAllExamples = (paths: ReadonlyArray<string>, layout: TreeLayout): boolean => {
  let examples = 0
  for (const path of paths) {
    if (!code.test(path) || builds.test(path)) continue
    const role = roleByPath(path, layout)
    if (role === "source") return false
    if (role === "example") examples++
  }
  return examples > 0
}

const handedOut = /(?:^|\/)(?:static|public|assets|wwwroot|htdocs)\/.*$/
const manifest = /\/(?:package|bower)\.json$/
const licence = /\/licen[cs]e(?:[.-]\w+)?$/i

/** Where an application keeps what it includes. */
const included = /\/(?:libs?|librar(?:y|ies)|includes?|inc|external)\/[^/]+$/
const version = /\/version(?:\.txt)?$/i

/** Licences as copies of a script have them: `LICENSE.md`, `MIT.LICENSE`. */
const ownLicence = /(?:^|\/)(?:(?:mit|bsd|apache)[.-])?licen[cs]e(?:[.-]\w+)?$/i
const plainScript = /\.(?:[cm]?js|css)$/
const anyManifest =
  /(?:^|\/)(?:(?:package|bower|composer|manifest|component)\.json|pyproject\.toml|setup\.(?:py|cfg)|Cargo\.toml|go\.mod|pom\.xml|Makefile|[\w.-]+\.(?:gemspec|csproj|gradle)|\.git\w*)$/

/** Scripts and style sheets under a licence of their own, in a repository that has another one, and no package. */
const copiedScripts = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const licences = paths.filter((path) => ownLicence.test(path))
  if (!licences.some((path) => !path.includes("/"))) return []
  const copies = new Map(licences.filter((path) => path.includes("/")).map((path) => [directoryOf(path), 0]))
  for (const path of paths) {
    if (!code.test(path) && !plainScript.test(path) && !anyManifest.test(path)) continue
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
      const folder = path.slice(0, at)
      const count = copies.get(folder)
      if (count !== undefined) copies.set(folder, plainScript.test(path) ? count + 1 : Number.NaN)
    }
  }
  return [...copies].filter(([, count]) => count > 0).map(([folder]) => folder)
}

/**
 * A licence of its own, with a manifest among files for browsers or with a version among what is included: someone
 * else's work.
 */
const librariesOf = (paths: ReadonlyArray<string>): ReadonlySet<string> => {
  const foldersOf = (named: RegExp): ReadonlyArray<string> => paths.filter((path) => named.test(path)).map(directoryOf)
  const licensed = new Set(foldersOf(licence))
  const copies = [
    ...foldersOf(manifest).filter((folder) => handedOut.test(folder)),
    ...foldersOf(version).filter((folder) => included.test(folder))
  ]
  return new Set([...copies.filter((folder) => licensed.has(folder)), ...copiedScripts(paths)])
}

export const layoutOf = (paths: ReadonlyArray<string>): TreeLayout => {
  const packages = new Set(
    paths.filter((path) => path.endsWith(packageFile)).map((path) => path.slice(0, -packageFile.length))
  )
  const layout = { packages, isAllExamples: false, libraries: librariesOf(paths) }
  return { ...layout, isAllExamples: isAllExamples(paths, layout) }
}

const valueFor = <A>(rules: ReadonlyArray<ByPath<A>>, path: string): A | null =>
  // What is written later is more specific.
  rules.findLast(({ paths }) => matchesAny(paths, path))?.value ?? null

/** The terms of each file of a tree: they follow from all of its paths and from its configuration. */
export class TreeTerms {
  readonly settings: RepositorySettings
  private readonly layout: TreeLayout
  private readonly enabled: ReadonlyArray<string>

  /** `enabled` are tools and rules that are switched on in all files. */
  constructor(
    paths: ReadonlyArray<string>,
    settings: RepositorySettings = noSettings,
    enabled: ReadonlyArray<string> = []
  ) {
    this.layout = layoutOf(paths)
    this.settings = settings
    this.enabled = enabled
  }

  of(path: string): FileTerms {
    const terms = termsOf(path, this.layout)
    if (this.settings === noSettings && this.enabled.length === 0) return terms
    const configured = this.configured(path)
    return isNothing(configured) ? terms : { ...terms, configured }
  }

  private configured(path: string): ConfiguredTerms {
    const { include, exclude, rules, roles, languages, components, models } = this.settings
    const language = valueFor(languages, path)
    const spoken = ruleLanguageOf(language ?? languageOf(path))
    const enabled = rules.flatMap(({ paths, on }) => (paths === null || matchesAny(paths, path) ? on : []))
    return {
      role: valueFor(roles, path),
      language,
      isExcluded: (include.length > 0 && !matchesAny(include, path)) || matchesAny(exclude, path),
      enabled: [...new Set([...this.enabled, ...enabled])].sort(),
      components,
      models: models.filter((model) => model.language === spoken)
    }
  }
}

const isNothing = ({ role, language, isExcluded, enabled, components, models }: ConfiguredTerms): boolean =>
  role === null &&
  language === null &&
  !isExcluded &&
  enabled.length === 0 &&
  models.length === 0 &&
  Object.keys(components).length === 0
