import type { Ecosystem } from "../lockfiles/LockedPackage.ts"
import type { Advisory, AffectedRange, Severity } from "./Advisory.ts"
import { compiledAdvisories } from "./builtInCompiled.ts"
import { type BuiltIn, npmAdvisories, pythonAdvisories } from "./builtInNpmPython.ts"
import { rubyPhpAdvisories } from "./builtInRubyPhp.ts"
import { registryName } from "./names.ts"

/** Publication of the newest advisory in the list. */
export const BUILT_IN_NEWEST = "2024-12-11"

const entries: ReadonlyArray<BuiltIn> = [
  ...npmAdvisories,
  ...pythonAdvisories,
  ...compiledAdvisories,
  ...rubyPhpAdvisories
]

/** `1.0..1.2` is fixed in 1.2, `1.0..=1.1` ends with 1.1, `1.0..` has no fix, `=1.0` is that version alone. */
const rangesOf = (text: string): Pick<Advisory, "ranges" | "versions"> => {
  const ranges: Array<AffectedRange> = []
  const versions: Array<string> = []
  for (const part of text.split(" ")) {
    if (part.startsWith("=")) {
      versions.push(part.slice(1))
      continue
    }
    const [introduced = "0", end = ""] = part.split("..")
    if (end === "") ranges.push({ introduced })
    else if (end.startsWith("=")) ranges.push({ introduced, last: end.slice(1) })
    else ranges.push({ introduced, fixed: end })
  }
  return { ranges, versions }
}

const severityOf = (level: BuiltIn[4]): Severity => (level === "malicious" ? "critical" : level)

const byPackage = (): ReadonlyMap<string, ReadonlyArray<Advisory>> => {
  const known = new Map<string, Array<Advisory>>()
  for (const [ecosystem, names, id, alias, level, summary, affected, packages, symbols] of entries) {
    const advisory: Advisory = {
      id,
      aliases: alias === "" ? [] : [alias],
      summary,
      severity: severityOf(level),
      malicious: level === "malicious",
      ...rangesOf(affected),
      ...(packages === undefined ? {} : { packages }),
      ...(symbols === undefined ? {} : { symbols })
    }
    for (const name of names.split(" ")) {
      const key = `${ecosystem} ${registryName(ecosystem, name)}`
      known.set(key, [...(known.get(key) ?? []), advisory])
    }
  }
  return known
}

let index: ReadonlyMap<string, ReadonlyArray<Advisory>> | undefined

export const builtInCount = new Set(entries.map(([, , id]) => id)).size

export const builtIn = (ecosystem: Ecosystem, name: string): ReadonlyArray<Advisory> => {
  index ??= byPackage()
  return index.get(`${ecosystem} ${name}`) ?? []
}
