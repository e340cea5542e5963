import { matchesAny } from "../settings/PathPattern.ts"
import { type ByPath, noSettings, type RepositorySettings } from "../settings/RepositorySettings.ts"
import { isBelowAny } from "../text/paths.ts"
import { ruleLanguageOf } from "../tool/AuditTool.ts"
import { builtFilesOf } from "./builtFiles.ts"
import { roleByPath } from "./FileRole.ts"
import { type ConfiguredTerms, type FileTerms, termsOf } from "./FileTerms.ts"
import { languageOf } from "./Language.ts"
import { isCodePath, librariesOf } from "./libraries.ts"
import { outputsOf } from "./outputs.ts"
import type { Owner } from "./ownership/Owner.ts"
import type { TreeLayout } from "./TreeLayout.ts"
import { standInsOf, testProgramsOf } from "./testPrograms.ts"

const packageFile = "/__init__.py"
/** Files that build something, whatever it is. */
const builds = /(?:^|\/)(?:setup|noxfile|tasks|manage|conf|gulpfile|Gruntfile|build)\.\w+$|\.config\.\w+$/

const isAllExamples = (paths: ReadonlyArray<string>, layout: TreeLayout): boolean => {
  let examples = 0
  for (const path of paths) {
    if (!isCodePath.test(path) || builds.test(path)) continue
    const role = roleByPath(path, layout)
    if (role === "source") return false
    if (role === "example") examples++
  }
  return examples > 0
}

export const layoutOf = (paths: ReadonlyArray<string>): TreeLayout => {
  const packages = new Set(
    paths.filter((path) => path.endsWith(packageFile)).map((path) => path.slice(0, -packageFile.length))
  )
  const layout = {
    packages,
    isAllExamples: false,
    libraries: librariesOf(paths),
    outputs: outputsOf(paths),
    builtFiles: builtFilesOf(paths),
    testPrograms: testProgramsOf(paths),
    standIns: standInsOf(paths)
  }
  return { ...layout, isAllExamples: isAllExamples(paths, layout) }
}

const valueFor = <A>(rules: ReadonlyArray<ByPath<A>>, path: string): A | null =>
  // What is written later is more specific.
  rules.findLast(({ paths }) => matchesAny(paths, path))?.value ?? null

/** Terms that are kept: those of more files than these would take more memory than time. */
const MAX_KNOWN = 50_000

/** The terms of each file of a tree: they follow from all of its paths and from its configuration. */
export class TreeTerms {
  readonly settings: RepositorySettings
  private readonly layout: TreeLayout
  private readonly enabled: ReadonlyArray<string>
  private owner: Owner | null = null
  private readonly known = new Map<string, FileTerms>()

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

  /**
   * Whom the tree belongs to is found in files that by their paths are its own, so it is settled once, after their roles by
   * path, which take longest and are kept.
   */
  ownedBy(owner: Owner | null): this {
    this.owner = owner
    for (const [path, terms] of this.known) this.known.set(path, this.withOthers(path, { ...terms, owner }))
    return this
  }

  /** Asked for several times for each file, and dozens of patterns each time. */
  of(path: string): FileTerms {
    const known = this.known.get(path)
    if (known !== undefined) return known
    const terms = this.found(path)
    if (this.known.size < MAX_KNOWN) this.known.set(path, terms)
    return terms
  }

  private found(path: string): FileTerms {
    const terms = this.withOthers(path, termsOf(path, this.layout, this.owner))
    if (this.settings === noSettings && this.enabled.length === 0) return terms
    const configured = this.configured(path)
    return isNothing(configured) ? terms : { ...terms, configured }
  }

  /** What the repository says of other people's folders and files. */
  private withOthers(path: string, terms: FileTerms): FileTerms {
    if (this.owner === null || terms.role !== "source") return terms
    if (isBelowAny(this.owner.foreign, path)) return { ...terms, role: "vendored" }
    const isListed = this.owner.listed.has(path) || isBelowAny(this.owner.uncertain, path)
    return isListed ? { ...terms, isListed } : terms
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
