import { type LockedPackage, MAX_PACKAGES } from "./LockedPackage.ts"
import { linesOf, MAX_LINE } from "./lines.ts"
import { readXml } from "./xmlEvents.ts"

interface Dependency {
  groupId: string
  artifactId: string
  version: string
  scope: string
  type: string
  start: number
  end: number
  readonly isManaged: boolean
}

interface Pom {
  readonly properties: Map<string, string>
  readonly dependencies: Array<Dependency>
}

const fields: ReadonlySet<string> = new Set(["groupId", "artifactId", "version", "scope", "type"])
const MAX_RESOLUTIONS = 5
const MAX_VALUE = 200

const pomOf = (text: string): Pom => {
  const pom: Pom = { properties: new Map(), dependencies: [] }
  let open: Dependency | null = null
  readXml(text, {
    open: (path) => {
      if (path.at(-1) !== "dependency" || path.includes("plugin") || path.at(-2) !== "dependencies") return
      const isManaged = path.at(-3) === "dependencyManagement"
      open = { groupId: "", artifactId: "", version: "", scope: "", type: "", start: 0, end: 0, isManaged }
    },
    close: (path) => {
      if (path.at(-1) !== "dependency" || open === null) return
      if (open.artifactId !== "" && pom.dependencies.length < MAX_PACKAGES) pom.dependencies.push(open)
      open = null
    },
    text: (path, start, end) => {
      const last = path.at(-1)!
      const value = () => text.slice(start, end)
      if (open !== null && path.at(-2) === "dependency" && fields.has(last)) {
        Object.assign(open, { [last]: value() })
        if (last === "artifactId") Object.assign(open, { start, end })
      } else noteProperty(pom, path, value)
    }
  })
  return pom
}

/** A property, or a coordinate of the project or of its parent, which `${…}` may name. */
const noteProperty = ({ properties }: Pom, path: ReadonlyArray<string>, value: () => string): void => {
  const last = path.at(-1)!
  if (path.at(-2) === "properties") {
    if (!properties.has(last)) properties.set(last, value())
  } else if (path.length === 3 && path[1] === "parent") properties.set(`project.parent.${last}`, value())
  else if (path.length === 2 && fields.has(last)) properties.set(`project.${last}`, value())
}

/** What stands for `${…}`, as far as this file says it. */
const resolver = ({ properties }: Pom) => {
  const own = (name: string) =>
    properties.get(name) ??
    properties.get(name.replace(/^pom\.|^(?=(?:version|groupId)$)/, "project.")) ??
    (name.startsWith("project.") ? properties.get(name.replace("project.", "project.parent.")) : undefined)
  return (value: string): string => {
    let text = value
    for (let i = 0; i < MAX_RESOLUTIONS && text.includes("${") && text.length < 256; i++) {
      text = text.replace(/\$\{([\w.-]{1,120})\}/g, (whole, name: string) => {
        const known = own(name) ?? whole
        return known.length > MAX_VALUE ? whole : known
      })
    }
    return text
  }
}

/** A literal version; `[1.2]` is one, `[1.2,2)` is not. */
const literal = (version: string): string | null => {
  const exact = /^\[?\s*([\w.+-]+)\s*\]?$/.exec(version)
  return exact === null || !/\d/.test(version) || version.endsWith("-SNAPSHOT") ? null : exact[1]!
}

/** `pom.xml`, with its own properties and managed versions; what a parent elsewhere decides is not known. */
/** What is only provided comes with the place that runs the program, in a version of its own. */
const notShipped: ReadonlySet<string> = new Set(["test", "provided"])

export const mavenProject = (text: string): ReadonlyArray<LockedPackage> => {
  const pom = pomOf(text)
  const resolve = resolver(pom)
  const nameOf = ({ groupId, artifactId }: Dependency) => `${resolve(groupId)}:${resolve(artifactId)}`
  const managed = new Map<string, Dependency>()
  for (const dependency of pom.dependencies) if (dependency.isManaged) managed.set(nameOf(dependency), dependency)
  return pom.dependencies.flatMap((dependency): ReadonlyArray<LockedPackage> => {
    if (dependency.isManaged) return []
    const name = nameOf(dependency)
    const from = managed.get(name)
    const version = literal(resolve(dependency.version === "" ? (from?.version ?? "") : dependency.version))
    if (version === null || name.includes("${")) return []
    const scope = dependency.scope === "" ? (from?.scope ?? "") : dependency.scope
    const { start, end } = dependency
    return [{ ecosystem: "Maven", name, version, direct: true, dev: notShipped.has(scope), start, end }]
  })
}

/** `group:artifact:version=configuration,…` */
export const gradleLockfile = (text: string): ReadonlyArray<LockedPackage> => {
  const found: Array<LockedPackage> = []
  for (const [line, start] of linesOf(text)) {
    const match = line.length > MAX_LINE ? null : /^([\w.-]+:[\w.-]+):([\w.+-]+)=(.*)$/.exec(line)
    if (match === null || found.length >= MAX_PACKAGES) continue
    const [, name = "", version = "", configurations = ""] = match
    const dev = configurations
      .split(",")
      .every((name) => /^(?:test|integrationTest|checkstyle|jacoco|pmd|spotbugs)/.test(name))
    found.push({ ecosystem: "Maven", name, version, direct: null, dev, start, end: start + name.length })
  }
  return found
}

const coordinates =
  /^[\s}]*(\w*(?:[iI]mplementation|[aA]pi|[cC]ompile|[cC]ompileOnly|[rR]untimeOnly|[rR]untime|kapt|ksp|annotationProcessor|classpath|developmentOnly))\b\s{0,8}\(?\s{0,8}(?:(?:enforcedP|p)latform\s{0,8}\(\s{0,8})?["']([\w.-]+:[\w.-]+):([\w.+-]+)(?:@\w+)?["']/
const mapNotation =
  /^\s*(\w*(?:[iI]mplementation|[aA]pi|[cC]ompile|[cC]ompileOnly|[rR]untimeOnly|[rR]untime|classpath))\s{0,8}\(?\s{0,8}group\s{0,8}[:=]\s{0,8}["']([\w.-]+)["']\s{0,8},\s{0,8}name\s{0,8}[:=]\s{0,8}["']([\w.-]+)["']\s{0,8},\s{0,8}version\s{0,8}[:=]\s{0,8}["']([\w.+-]+)["']/

/** Coordinates written out in `build.gradle` or `build.gradle.kts`. */
export const gradleBuild = (text: string): ReadonlyArray<LockedPackage> => {
  const found: Array<LockedPackage> = []
  for (const [line, start] of linesOf(text)) {
    if (line.length > MAX_LINE || found.length >= MAX_PACKAGES) continue
    const short = coordinates.exec(line)
    const long = short === null ? mapNotation.exec(line) : null
    const match = short ?? long
    if (match === null) continue
    const [name, version, shown] =
      short === null ? [`${match[2]}:${match[3]}`, match[4]!, match[3]!] : [match[2]!, match[3]!, match[2]!]
    if (literal(version) === null || version.endsWith("+")) continue
    const at = start + line.indexOf(shown)
    const dev = /^(?:test|androidTest|integrationTest)/.test(match[1]!)
    found.push({ ecosystem: "Maven", name, version, direct: true, dev, start: at, end: at + shown.length })
  }
  return found
}
