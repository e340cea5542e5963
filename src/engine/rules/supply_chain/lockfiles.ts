import { roleOf } from "../../core/files/FileRole.ts"
import { type EmitAt, type Project } from "../../core/tool/AuditTool.ts"
import { type JsonKey, readJson } from "../../dependencies/lockfiles/jsonEvents.ts"
import type { RuleId } from "./rules.ts"

interface Range {
  readonly start: number
  readonly end: number
}

interface Kind {
  readonly manifest: string
  readonly locks: ReadonlyArray<string>
  /** Where an application's manifest begins to list dependencies; null for a library, or when there are none. */
  readonly dependencies: (text: string, folder: string, project: Project) => Range | null
}

/** Members of a JSON manifest that decide, and where its list of dependencies stands. */
interface Manifest {
  readonly names: ReadonlySet<string>
  readonly values: ReadonlyMap<string, string>
  readonly filled: ReadonlyMap<string, Range>
}

const manifestOf = (text: string): Manifest => {
  const names = new Set<string>()
  const values = new Map<string, string>()
  const filled = new Map<string, Range>()
  const opened = new Map<string, JsonKey>()
  readJson(text, {
    enter: (path, key) => {
      if (path.length === 1) {
        names.add(key.text)
        opened.set(key.text, key)
      }
      return path.length <= 1
    },
    leave: () => undefined,
    scalar: (path, key, start, end) => {
      if (path.length === 1) {
        names.add(key.text)
        values.set(key.text, text.slice(start, end))
      } else if (path.length === 2) {
        values.set(`${path[1]}.${key.text}`, text.slice(start, end))
        const at = opened.get(path[1]!)
        if (at !== undefined && !/^(?:php|(?:ext|lib|composer)-[\w-]+)$/.test(key.text)) filled.set(path[1]!, at)
      }
    }
  })
  return { names, values, filled }
}

const published = ["main", "module", "exports", "bin", "types", "typings", "files", "publishConfig", "peerDependencies"]
const isStarted = (values: ReadonlyMap<string, string>): boolean =>
  ["scripts.start", "scripts.serve", "scripts.dev"].some((name) => values.has(name))

const npmApplication = (text: string): Range | null => {
  const { names, values, filled } = manifestOf(text)
  const isLibrary =
    values.get("private") !== "true" && (!isStarted(values) || published.some((name) => names.has(name)))
  // Members of a workspace are locked with it; a nested package.json that is only a marker has no name.
  return isLibrary || !names.has("name") ? null : (filled.get("dependencies") ?? null)
}

const composerApplication = (text: string): Range | null => {
  const { values, filled } = manifestOf(text)
  return values.get("type") === "project" ? (filled.get("require") ?? null) : null
}

const firstMatch = (text: string, pattern: RegExp): Range | null => {
  const match = pattern.exec(text)
  return match === null ? null : { start: match.index, end: match.index + match[0].trimEnd().length }
}

const kinds: ReadonlyArray<Kind> = [
  {
    manifest: "package.json",
    locks: [
      "package-lock.json",
      "npm-shrinkwrap.json",
      "yarn.lock",
      "pnpm-lock.yaml",
      "bun.lock",
      "bun.lockb",
      "deno.lock"
    ],
    dependencies: npmApplication
  },
  { manifest: "composer.json", locks: ["composer.lock"], dependencies: composerApplication },
  {
    manifest: "Gemfile",
    locks: ["Gemfile.lock"],
    dependencies: (text, folder, project) => {
      const isGem = /^[ \t]{0,20}gemspec\b/m.test(text) || project.files.some(({ path }) => isGemspecIn(folder, path))
      return isGem ? null : firstMatch(text, /^[ \t]{0,20}gem ["'][\w-]{1,80}["'][^\n]{0,200}/m)
    }
  },
  {
    manifest: "Cargo.toml",
    locks: ["Cargo.lock"],
    dependencies: (text, folder, project) =>
      project.has(`${folder}src/main.rs`) && !project.has(`${folder}src/lib.rs`) && !/^\[lib\]/m.test(text)
        ? firstMatch(text, /^\[dependencies\]/m)
        : null
  },
  { manifest: "Pipfile", locks: ["Pipfile.lock"], dependencies: (text) => firstMatch(text, /^\[packages\]/m) }
]

const isGemspecIn = (folder: string, path: string): boolean =>
  path.startsWith(folder) && path.endsWith(".gemspec") && !path.slice(folder.length).includes("/")

const foldersAbove = (folder: string): ReadonlyArray<string> => {
  const found = [folder]
  let at = folder
  while (at !== "") {
    at = at.slice(0, at.slice(0, -1).lastIndexOf("/") + 1)
    found.push(at)
  }
  return found
}

/** Applications whose dependencies nothing settles. Where one is missing, members of its workspace are not reported. */
export const missingLockfiles = (project: Project, emit: EmitAt<RuleId>): void => {
  const unread = new Set(project.unread)
  const isThere = (path: string) => project.has(path) || unread.has(path)
  for (const { path } of project.files) {
    const slash = path.lastIndexOf("/") + 1
    const kind = kinds.find(({ manifest }) => manifest === path.slice(slash))
    const folder = path.slice(0, slash)
    if (kind === undefined || roleOf(`${folder}x`) !== "source") continue
    const above = foldersAbove(folder)
    if (above.some((at) => kind.locks.some((lock) => isThere(`${at}${lock}`)))) continue
    if (above.slice(1).some((at) => project.has(`${at}${kind.manifest}`))) continue
    const range = kind.dependencies(project.manifest(path) ?? "", folder, project)
    if (range === null) continue
    emit(path, {
      rule: "no_lockfile",
      ...range,
      message: `\`${kind.manifest}\` lists the dependencies of an application, and there is no \`${kind.locks[0]}\`${kind.locks.length > 1 ? " or its like" : ""} beside it or above it.`
    })
  }
}
