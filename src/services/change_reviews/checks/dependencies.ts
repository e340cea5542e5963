import { Effect, Option } from "effect"
import { Advisories, Files } from "../../../engine/index.ts"
import type { ChangeFacts, FileFacts, FindingFacts, ScanFacts, Side } from "../ChangeFacts.ts"
import { roles } from "./fileRoles.ts"
import { doubtOf, spotOf, titleOf, unscanned } from "./findings.ts"
import { spotAt, verdictsOn } from "./verdict.ts"
import { counted, named } from "./wording.ts"

const DEPENDENCIES = "dependency_vulnerabilities"
const isVulnerable = ({ tool, rule_id }: FindingFacts): boolean =>
  tool === DEPENDENCIES && /\.(?:vulnerable_version|malicious_package)/.test(rule_id)

/** Manifests that name ranges, by the ecosystem whose lock files say which version is used; null where none is understood. */
const rangesOnly: ReadonlyArray<readonly [RegExp, string | null]> = [
  [/(?:^|\/)package\.json$/, "npm"],
  [/(?:^|\/)composer\.json$/, "Packagist"],
  [/(?:^|\/)(?:pyproject\.toml|setup\.(?:py|cfg)|Pipfile)$/, "PyPI"],
  [/(?:^|\/)(?:Gemfile|[\w.-]+\.gemspec)$/, "RubyGems"],
  [/(?:^|\/)Cargo\.toml$/, "crates.io"],
  [
    /(?:^|\/)(?:bun\.lockb?|deno\.lock|mix\.(?:exs|lock)|Package\.(?:swift|resolved)|pubspec\.(?:ya?ml|lock)|Podfile(?:\.lock)?|conanfile\.(?:txt|py)|vcpkg\.json|rebar\.(?:config|lock)|stack\.yaml(?:\.lock)?|[\w.-]+\.cabal|build\.sbt)$/,
    null
  ]
]

/** What stands there is installed by no one who uses the product. */
const isSample: ReadonlySet<string> = new Set(["fixture", "example", "vendored"])

const rangesIn = (path: string) => rangesOnly.find(([manifest]) => manifest.test(path))

/** A line of a manifest, in any of its languages, that names a dependency with its version. */
const namesVersion =
  /["'][\w.[\]-]+\s*[<>=~!^]|^\s*(?!version\b)["']?[\w./-]+["']?\s*[=:]\s*(?:["'][\^~<>=*\d]|\{)|^\s*(?:gem|pod)\b|\badd_(?:\w+_)?dependency\b|^\s*["'][\w.-]+["'],?$/

/** Whether the change brings in a dependency of which a vulnerability is known. */
export const noVulnerableDependency = Effect.fnUntraced(function* (facts: ChangeFacts) {
  const { met, notMet, undecided } = verdictsOn(facts)
  const roleOf = roles(facts)
  const changed = facts.files.filter(
    (file) => file.kind !== "deleted" && (file.added.length > 0 || file.isBinary) && !isSample.has(roleOf(file))
  )
  const locked = changed.filter(({ path }) => Advisories.ecosystemOfFile(path) !== null)
  const unlocked = yield* Effect.filter(changed, (file) => addsRange(facts, file))
  if (locked.length + unlocked.length === 0)
    return met("The change adds no version of a dependency to any file that names them.")
  if (facts.scan === null) return unscanned(facts)
  const vulnerable = facts.scan.introduced.filter(isVulnerable)
  if (vulnerable.length > 0) {
    return notMet(
      `The change adds ${counted(vulnerable.length, "known-vulnerable package")}: ${named(vulnerable.map(titleOf))}.`,
      vulnerable.map(spotOf)
    )
  }
  const spots = [...locked, ...unlocked].map(({ path, added }) => spotAt("head", path, added[0]?.line ?? 1))
  const doubt = dependencyDoubt(facts.scan, locked, unlocked)
  if (doubt !== null) return undecided(doubt, spots)
  return met(
    `No known vulnerability applies to what the change adds to ${named(locked.map(({ path }) => path))}.`,
    spots
  )
})

const dependencyDoubt = (scan: ScanFacts, locked: ReadonlyArray<FileFacts>, unlocked: ReadonlyArray<FileFacts>) => {
  if (unlocked.length > 0) {
    return `${named(unlocked.map(({ path }) => path))} adds a range of versions, and no lock file that is understood says which version is used: commit one.`
  }
  const missing = missingAdvisories(
    locked.map(({ path }) => path),
    scan
  )
  if (missing.length > 0) {
    return `Only the built-in list of advisories is known for ${missing.join(", ")}, and nothing in it applies: load the others with \`assay advisories update\`.`
  }
  const doubt = doubtOf(scan, (id) => id === DEPENDENCIES)
  return doubt === null ? null : `No vulnerable dependency was found, but ${doubt}.`
}

/** Ecosystems of changed files without imported advisories. */
const missingAdvisories = (paths: ReadonlyArray<string>, scan: ScanFacts): ReadonlyArray<string> =>
  [...new Set(paths.flatMap((path) => Advisories.ecosystemOfFile(path) ?? []))]
    .filter((ecosystem) => !scan.hasAdvisories || scan.ecosystemsWithoutAdvisories.includes(ecosystem))
    .sort()

/** Whether a file adds a range of versions that no lock file beside or above it settles. */
const addsRange = (facts: ChangeFacts, file: FileFacts) => {
  const [, ecosystem] = rangesIn(file.path) ?? []
  if (ecosystem === undefined) return Effect.succeed(false)
  if (ecosystem === null) return Effect.succeed(file.isBinary || file.added.some(namesOne))
  if (isSettled(file.path, ecosystem, facts)) return Effect.succeed(false)
  return file.path.endsWith(".json") ? addsEntry(facts, file) : Effect.succeed(file.added.some(namesOne))
}

const namesOne = ({ text }: { readonly text: string }): boolean => namesVersion.test(text.slice(0, 500))

const isSettled = (path: string, ecosystem: string, { paths }: ChangeFacts): boolean => {
  for (const lock of paths.head) {
    const folder = lock.slice(0, lock.lastIndexOf("/") + 1)
    if (path.startsWith(folder) && Files.isLockfile(lock) && Advisories.ecosystemOfFile(lock) === ecosystem) return true
  }
  return false
}

const sections = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
  "require",
  "require-dev"
] as const

/** The dependencies of a manifest in JSON, each with its range. */
const entriesOf = (text: string | undefined): ReadonlySet<string> => {
  const manifest: unknown = Option.getOrNull(Option.liftThrowable(() => JSON.parse(text ?? "{}") as unknown)())
  if (typeof manifest !== "object" || manifest === null) return new Set()
  const all = new Map(Object.entries(manifest))
  return new Set(
    sections.flatMap((section) =>
      Object.entries(all.get(section) ?? {}).map(([name, range]) => `${name} ${String(range)}`)
    )
  )
}

const addsEntry = (facts: ChangeFacts, { path, previous_path }: FileFacts) =>
  Effect.gen(function* () {
    const before = previous_path ?? path
    const textOf = (side: Side, of: string) => Effect.map(facts.read(side, [of]), (texts) => texts.get(of))
    const known = entriesOf(yield* textOf("base", before))
    return [...entriesOf(yield* textOf("head", path))].some((entry) => !known.has(entry))
  })
