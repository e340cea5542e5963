import type { SourceFile } from "../../core/files/SourceFile.ts"
import { baseName } from "../../core/text/paths.ts"
import { type Emit } from "../../core/tool/AuditTool.ts"
import { readJson } from "../../dependencies/lockfiles/jsonEvents.ts"
import type { LockedPackage } from "../../dependencies/lockfiles/LockedPackage.ts"
import { linesOf, MAX_LINE } from "../../dependencies/lockfiles/lines.ts"
import { readXml } from "../../dependencies/lockfiles/xmlEvents.ts"
import type { RuleId } from "./rules.ts"

/** Names that only mean something inside of a network, or on this machine. */
const isLocal = (host: string): boolean =>
  !host.includes(".") ||
  /^(?:127\.|10\.|192\.168\.|0\.0\.0\.0|172\.(?:1[6-9]|2\d|3[01])\.)|\.(?:local|localhost|test|invalid|example)$/.test(
    host
  )

/** `http://` and `git://`, which no one signs and anyone on the way can change. */
const plainHost = (source: string): string | null => {
  const match = /^(?:git\+)?(http|git):\/\/(?:[^/@\s]{0,200}@)?([\w.-]+)/.exec(source)
  return match === null || isLocal(match[2]!) ? null : match[2]!
}

const plainMessage = (host: string): string =>
  `is fetched from \`${host}\` without encryption: what arrives can be changed on the way.`

/** One observation for each host and fault, at the first package that shows it. */
export const insecurePackages = (packages: ReadonlyArray<LockedPackage>, emit: Emit<RuleId>): void => {
  const reported = new Set<string>()
  const once = (key: string, { start, end }: LockedPackage, message: string) => {
    if (reported.has(key) || end <= start) return
    reported.add(key)
    emit({ rule: "insecure_source", start, end, message })
  }
  for (const locked of packages) {
    const { source, name, hasDigest, ecosystem } = locked
    if (source === undefined) continue
    const shown = name === "" ? "A dependency" : `\`${name}\``
    // Gemfile.lock repeats what the Gemfile says.
    const host = ecosystem === "RubyGems" ? null : plainHost(source)
    if (host !== null && hasDigest !== true) once(`plain ${host}`, locked, `${shown} ${plainMessage(host)}`)
    else if (isUnpinnedGit(source))
      once(
        `git ${source}`,
        locked,
        `${shown} comes from a git repository without a commit: whatever is pushed there is installed.`
      )
    else if (ecosystem === "npm" && isLooseArchive(source) && hasDigest !== true) {
      once(
        `archive ${source}`,
        locked,
        `${shown} is an archive from an address, without a digest of what it should be.`
      )
    }
  }
}

const isUnpinnedGit = (source: string): boolean =>
  /^(?:git|hg)\+(?:https?|ssh):\/\//.test(source) && !/[@#=][0-9a-f]{40}(?:$|[#&?])/.test(source)

const isLooseArchive = (source: string): boolean =>
  /^https?:\/\/[^\s]+\.(?:tgz|tar\.gz|zip)(?:$|[?#])/.test(source) &&
  !source.includes("/-/") &&
  !/[/@#][0-9a-f]{40}(?:$|[/.#?])/.test(source)

/** Settings and manifests that name registries and repositories. */
export const insecureSettings = (file: SourceFile, emit: Emit<RuleId>): void => {
  const name = baseName(file.path)
  if (name === "pom.xml" || /^nuget\.config$/i.test(name)) return inXml(file, emit)
  if (name === "package.json" || name === "composer.json") return inJson(file, emit)
  const pattern = patterns.find(([names]) => names.test(name))?.[1]
  if (pattern !== undefined) byLine(file, pattern, emit)
}

const patterns: ReadonlyArray<readonly [name: RegExp, pattern: RegExp]> = [
  [/^\.npmrc$|^\.yarnrc$/, /^\s{0,9}(?:@[\w-]+:)?registry[\s=]\s{0,4}["']?(http:\/\/[^\s"']+)/],
  [/^\.yarnrc\.yml$/, /^\s{0,9}npmRegistryServer:\s{0,9}["']?(http:\/\/[^\s"']+)/],
  [
    /^(?:Gemfile|gems\.rb)$/,
    /^\s{0,20}(?:source|git_source|gem\b.{0,200}[\s,](?:git|source)(?::| ?=>))\s{0,4}\(?["']((?:http|git):\/\/[^\s"']+)/
  ],
  [
    /^(?:build|settings)\.gradle(?:\.kts)?$/,
    /^\s{0,40}(?:maven\s{0,4}\{\s{0,4})?(?:url|setUrl)\b[\s=(]{0,8}(?:uri\s{0,2}\()?["'](http:\/\/[^\s"']+)/
  ],
  [
    /^(?:pip\.conf|pip\.ini)$|requirements[\w.-]*\.txt$/,
    /^\s{0,9}(?:-i\s|--(?:extra-)?index-url[\s=]|(?:extra-)?index-url\s{0,4}=)\s{0,4}(http:\/\/\S+)/
  ],
  [/^Pipfile$/, /^\s{0,9}url\s{0,4}=\s{0,4}"(http:\/\/[^\s"]+)/]
]

export const namesSources = (path: string): boolean => {
  const name = baseName(path)
  return (
    name === "pom.xml" ||
    name === "package.json" ||
    name === "composer.json" ||
    /^nuget\.config$/i.test(name) ||
    patterns.some(([names]) => names.test(name))
  )
}

const reportSource = (source: string, at: number, emit: Emit<RuleId>): void => {
  const host = plainHost(source)
  if (host === null) return
  emit({
    rule: "insecure_source",
    start: at,
    end: at + source.length,
    message: `What is installed ${plainMessage(host)}`
  })
}

const byLine = (file: SourceFile, pattern: RegExp, emit: Emit<RuleId>): void => {
  for (const [line, start] of linesOf(file.text)) {
    const match = line.length > MAX_LINE ? null : pattern.exec(line)
    if (match !== null) reportSource(match[1]!, start + match.index + match[0].length - match[1]!.length, emit)
  }
}

const repositories: ReadonlySet<string> = new Set(["repository", "pluginRepository"])

const inXml = (file: SourceFile, emit: Emit<RuleId>): void =>
  readXml(file.text, {
    open: (path, [start, end]) => {
      if (
        path.at(-1)?.toLowerCase() !== "add" ||
        path.at(-2)?.toLowerCase() !== "packagesources" ||
        end - start > MAX_LINE
      )
        return
      const match = /\bvalue\s{0,4}=\s{0,4}"(http:\/\/[^"\s]+)"/i.exec(file.text.slice(start, end))
      if (match !== null) reportSource(match[1]!, start + match.index + match[0].indexOf(match[1]!), emit)
    },
    close: () => undefined,
    text: (path, start, end) => {
      if (path.at(-1) === "url" && repositories.has(path.at(-2) ?? ""))
        reportSource(file.text.slice(start, end), start, emit)
    }
  })

const dependencyLists: ReadonlySet<string> = new Set(["dependencies", "devDependencies", "optionalDependencies"])

const inJson = (file: SourceFile, emit: Emit<RuleId>): void =>
  readJson(file.text, {
    enter: (path, key) =>
      path.length === 0 || path.length > 1 || dependencyLists.has(key.text) || key.text === "repositories",
    leave: () => undefined,
    scalar: (path, key, start, end) => {
      const isDependency = path.length === 2 && dependencyLists.has(path[1]!)
      const isRepository = path[1] === "repositories" && path.length <= 3 && key.text === "url"
      if (isDependency || isRepository) reportSource(file.text.slice(start, end), start, emit)
    }
  })
