import semver from "semver"
import type { Ecosystem } from "../lockfiles/LockedPackage.ts"
import { compareGem } from "./gem.ts"
import { compareMaven } from "./maven.ts"
import { compareNuget } from "./nuget.ts"
import { comparePackagist } from "./packagist.ts"
import { comparePep440 } from "./pep440.ts"

/** Negative, zero or positive; null when one of them is no version of that ecosystem. */
export type CompareVersions = (a: string, b: string) => number | null

const compareSemver: CompareVersions = (a, b) => {
  const left = semver.parse(a, { loose: true })
  const right = semver.parse(b, { loose: true })
  return left === null || right === null ? null : left.compare(right)
}

/** `v1` and `v1.2` are written in go.mod only by hand; releases of the standard library have two parts. */
const fullGo = (version: string) => {
  const short = /^v?(\d+)(?:\.(\d+))?$/.exec(version)
  return short === null ? version : `${short[1]}.${short[2] ?? "0"}.0`
}

const orders: Readonly<Record<Ecosystem, CompareVersions>> = {
  npm: compareSemver,
  "crates.io": compareSemver,
  Go: (a, b) => compareSemver(fullGo(a), fullGo(b)),
  PyPI: comparePep440,
  Maven: compareMaven,
  RubyGems: compareGem,
  NuGet: compareNuget,
  Packagist: comparePackagist
}

const MAX_VERSION = 256

export const compareVersions = (ecosystem: Ecosystem, a: string, b: string): number | null =>
  a.length > MAX_VERSION || b.length > MAX_VERSION ? null : orders[ecosystem](a, b)
