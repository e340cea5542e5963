import { readJson, unescaped } from "./jsonEvents.ts"
import { type LockedPackage, MAX_PACKAGES } from "./LockedPackage.ts"
import { linesOf, MAX_LINE } from "./lines.ts"

const pinned = /^([A-Za-z0-9][\w.-]*) {0,8}(?:\[[^\]]{0,200}\])? {0,8}===? {0,8}([\w.!+-]+)(?=$|[\s;,\\])/
const located =
  /^(?:-e +|--editable[ =])?(?:([A-Za-z0-9][\w.-]*) {0,8}(?:\[[^\]]{0,200}\])? {0,8}@ {0,8})?((?:git|hg|svn|bzr)\+\S+|https?:\/\/\S+)/
const digest = /^sha(?:256|384|512)=/

/** `#egg=name&sha256=…` */
const fragmentOf = (source: string): ReadonlyArray<string> => {
  const at = source.indexOf("#")
  return at < 0 ? [] : source.slice(at + 1).split("&")
}

const eggOf = (fragment: ReadonlyArray<string>): string =>
  /^egg=([\w.-]+)/.exec(fragment.find((part) => part.startsWith("egg=")) ?? "")?.[1] ?? ""

/** Files for people who work on the project, by name. */
const isForDevelopment = (path: string): boolean =>
  /(?:^|[/_.-])(?:dev|devel|development|tests?|testing|docs?|lint|ci|build|typing|mypy|bench(?:mark)?s?|examples?)(?:[/_.-]|$)/i.test(
    path.replace(/\.txt$/i, "")
  )

/** Pinned versions of a requirements file; a range is no version. */
export const requirements = (text: string, path: string): ReadonlyArray<LockedPackage> => {
  const found: Array<LockedPackage> = []
  const dev = isForDevelopment(path)
  for (const [line, lineStart] of linesOf(text)) {
    if (line.length > MAX_LINE || found.length >= MAX_PACKAGES) continue
    const indent = line.length - line.trimStart().length
    const rest = line.slice(indent)
    const start = lineStart + indent
    const pin = pinned.exec(rest)
    if (pin !== null) {
      const [, name = "", version = ""] = pin
      found.push({ ecosystem: "PyPI", name, version, direct: null, dev, start, end: start + name.length })
      continue
    }
    const origin = located.exec(rest)
    if (origin === null) continue
    const [all, name, source = ""] = origin
    const fragment = fragmentOf(source)
    found.push({
      ecosystem: "PyPI",
      name: name ?? eggOf(fragment),
      version: "",
      direct: true,
      dev,
      start,
      end: start + all.length,
      source,
      hasDigest: fragment.some((part) => digest.test(part)) || rest.includes(" --hash=")
    })
  }
  return found
}

/** `Pipfile.lock`. */
export const pipfileLockfile = (text: string): ReadonlyArray<LockedPackage> => {
  const found: Array<LockedPackage> = []
  let version = ""
  let origin: string | undefined
  readJson(text, {
    enter: (path, key) => {
      if (path.length === 0) return true
      if (path.length === 1) return key.text !== "_meta"
      version = ""
      origin = undefined
      if (path.length !== 2 || found.length >= MAX_PACKAGES) return false
      found.push({
        ecosystem: "PyPI",
        name: unescaped(key.text),
        version: "",
        direct: null,
        dev: path[1] === "develop",
        start: key.start,
        end: key.end
      })
      return true
    },
    leave: (path) => {
      if (path.length !== 3) return
      const last = found.pop()!
      if (version !== "" || origin !== undefined) {
        found.push({ ...last, version, ...(origin === undefined ? {} : { source: origin }) })
      }
    },
    scalar: (path, key, start, end) => {
      if (path.length !== 3) return
      const value = text.slice(start, end)
      if (key.text === "version") version = value.replace(/^===?/, "")
      else if (key.text === "git") origin = `git+${value}`
      else if (key.text === "ref") origin = `${origin ?? ""}#${value}`
      else if (key.text === "file") origin = value
    }
  })
  // One that was cut off has neither.
  return found.filter((locked) => locked.version !== "" || locked.source !== undefined)
}
