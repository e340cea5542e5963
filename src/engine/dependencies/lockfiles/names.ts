import { baseName } from "../../core/text/paths.ts"
import type { Ecosystem } from "./LockedPackage.ts"

export type LockfileFormat =
  | "npm"
  | "pnpm"
  | "yarn"
  | "requirements"
  | "pipfile"
  | "poetry"
  | "uv"
  | "pdm"
  | "gomod"
  | "gosum"
  | "pom"
  | "gradle_lock"
  | "gradle"
  | "gemfile"
  | "composer"
  | "nuget_lock"
  | "csproj"
  | "cargo"

export const ecosystemOf: Readonly<Record<LockfileFormat, Ecosystem>> = {
  npm: "npm",
  pnpm: "npm",
  yarn: "npm",
  requirements: "PyPI",
  pipfile: "PyPI",
  poetry: "PyPI",
  uv: "PyPI",
  pdm: "PyPI",
  gomod: "Go",
  gosum: "Go",
  pom: "Maven",
  gradle_lock: "Maven",
  gradle: "Maven",
  gemfile: "RubyGems",
  composer: "Packagist",
  nuget_lock: "NuGet",
  csproj: "NuGet",
  cargo: "crates.io"
}

const byName: ReadonlyMap<string, LockfileFormat> = new Map([
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["pipfile.lock", "pipfile"],
  ["poetry.lock", "poetry"],
  ["uv.lock", "uv"],
  ["pdm.lock", "pdm"],
  ["go.mod", "gomod"],
  ["go.sum", "gosum"],
  ["pom.xml", "pom"],
  ["gradle.lockfile", "gradle_lock"],
  ["buildscript-gradle.lockfile", "gradle_lock"],
  ["build.gradle", "gradle"],
  ["build.gradle.kts", "gradle"],
  ["gemfile.lock", "gemfile"],
  ["gems.locked", "gemfile"],
  ["composer.lock", "composer"],
  ["packages.lock.json", "nuget_lock"],
  ["packages.config", "csproj"],
  ["directory.packages.props", "csproj"],
  ["cargo.lock", "cargo"]
])

const requirements = /^(?:requirements|constraints)[\w.-]*\.txt$|^[\w.-]+[_.-]requirements\.txt$/
const projectFile = /^[\w.-]+\.(?:cs|fs|vb)proj$/

/** The format of a file that names versions of dependencies; null for all others. */
export const lockfileFormat = (path: string): LockfileFormat | null => {
  const name = baseName(path).toLowerCase()
  const known = byName.get(name)
  if (known !== undefined) return known
  if (requirements.test(name) || (name.endsWith(".txt") && /(?:^|\/)requirements\/[^/]+$/i.test(path)))
    return "requirements"
  return projectFile.test(name) ? "csproj" : null
}

/** The ecosystem of the versions that a build takes from this file; `go.sum` lists some that no build uses. */
export const ecosystemOfFile = (path: string): Ecosystem | null => {
  const format = lockfileFormat(path)
  return format === null || format === "gosum" ? null : ecosystemOf[format]
}

/** Files that are read although they are large: a lock file of a big project is megabytes of plain data. */
export const MAX_LOCKFILE_BYTES = 32 * 1024 * 1024

const generated: ReadonlySet<LockfileFormat> = new Set([
  "npm",
  "pnpm",
  "yarn",
  "pipfile",
  "poetry",
  "uv",
  "pdm",
  "gosum",
  "gradle_lock",
  "gemfile",
  "composer",
  "nuget_lock",
  "cargo"
])

/** Written by a package manager, so large without being strange. */
export const isLockfile = (path: string): boolean => {
  const format = lockfileFormat(path)
  return format !== null && generated.has(format)
}
