import { type LockedPackage, MAX_PACKAGES } from "./LockedPackage.ts"
import { linesOf, MAX_LINE } from "./lines.ts"

interface Entry {
  readonly name: string
  readonly start: number
  version: string
  source: string | undefined
  hasDigest: boolean
  isOwn: boolean
}

/** The first of the names an entry answers to; `alias@npm:real@^1.0.0` is the package `real`. */
const header = /^"?(@?[^@"\s,]+)@(?:npm:(@?[^@"\s,]+)@)?/

const entryOf = (line: string, start: number): Entry | null => {
  const match = header.exec(line)
  if (match === null) return null
  const [text, alias, real] = match
  const name = real ?? alias!
  return { name, start: start + text.lastIndexOf(name), version: "", source: undefined, hasDigest: false, isOwn: false }
}

const field = /^ {2}"?(\w+)"?:? +"?([^"\s]*)/

const note = (entry: Entry, line: string): void => {
  const match = field.exec(line)
  if (match === null) return
  const value = match[2]!
  switch (match[1]) {
    case "version":
      entry.version = value
      break
    case "resolved":
      entry.source = value
      entry.hasDigest ||= /#[0-9a-f]{40}$/.test(value)
      break
    case "resolution":
      entry.isOwn = /@(?:workspace|portal|link):/.test(value)
      if (/@(?:https?:|git|ssh:)/.test(value)) entry.source = value.slice(value.indexOf("@", 1) + 1)
      break
    case "integrity":
    case "checksum":
      entry.hasDigest = true
  }
}

/** `yarn.lock` of the first yarn and of the later ones. */
export const yarnLockfile = (text: string): ReadonlyArray<LockedPackage> => {
  const found: Array<LockedPackage> = []
  let entry: Entry | null = null
  const finish = () => {
    if (entry === null || entry.version === "" || entry.isOwn || found.length >= MAX_PACKAGES) return
    const { name, start, version, source, hasDigest } = entry
    found.push({
      ecosystem: "npm",
      name,
      version,
      direct: null,
      dev: null,
      start,
      end: start + name.length,
      hasDigest,
      ...(source === undefined ? {} : { source })
    })
  }
  for (const [line, start] of linesOf(text)) {
    const first = line.charCodeAt(0)
    if (line === "" || first === 0x23) continue
    if (first !== 0x20) {
      finish()
      entry = line.endsWith(":") && line.length <= 64 * 1024 ? entryOf(line, start) : null
    } else if (entry !== null && line.length <= MAX_LINE) note(entry, line)
  }
  finish()
  return found
}
