import type { Dirent } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import type { FoundGitFolders } from "../../services/ports/LocalGitFolders.ts"
import { gitFolderIn } from "./LocalRoots.ts"

/** Folders that one search opens: a root may be a whole disk. */
const maxOpened = 5000
const maxFound = 100
const maxDepth = 4

const passedOver: ReadonlySet<string> = new Set(["node_modules", "vendor", "lost+found"])

const entriesOf = (folder: string): Promise<ReadonlyArray<Dirent>> =>
  readdir(folder, { withFileTypes: true }).catch(() => [])

const looksLikeGit = (entries: ReadonlyArray<Dirent>) => {
  const names = new Set(entries.map(({ name }) => name))
  return names.has(".git") || (names.has("HEAD") && names.has("objects"))
}

// A symbolic link is no directory here, so that none is followed out of a root.
const foldersIn = (folder: string, entries: ReadonlyArray<Dirent>) =>
  entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !passedOver.has(entry.name))
    .map(({ name }) => join(folder, name))
    .sort()

/** The git folders below the roots, level by level; a repository is not searched for further ones. */
const search = async (roots: ReadonlyArray<string>): Promise<FoundGitFolders> => {
  const paths: Array<string> = []
  let opened = 0
  let level: ReadonlyArray<string> = [...new Set(roots)]
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth++) {
    const next: Array<string> = []
    for (const folder of level) {
      if (opened === maxOpened || paths.length === maxFound) return { paths, truncated: true }
      opened++
      const entries = await entriesOf(folder)
      if (!looksLikeGit(entries)) next.push(...foldersIn(folder, entries))
      else if ((await gitFolderIn(folder, roots)) && !paths.includes(folder)) paths.push(folder)
    }
    level = next
  }
  return { paths, truncated: level.length > 0 }
}

export const localGitFolders = (roots: ReadonlyArray<string>): Effect.Effect<FoundGitFolders> =>
  Effect.promise(() => search(roots))
