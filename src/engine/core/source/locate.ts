import { lstat, realpath, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { gitLine } from "./readGit.ts"
import { SourceError } from "./TreeSource.ts"

export type Located =
  | { readonly kind: "working_tree"; readonly root: string; readonly gitDir: string }
  | { readonly kind: "bare"; readonly gitDir: string }

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false
  )

const isGitFolder = async (path: string) =>
  (await exists(join(path, "HEAD"))) && (await exists(join(path, "objects"))) && (await exists(join(path, "refs")))

/**
 * The repository a folder belongs to, or null. Found by looking, not by asking git: the answer must not depend on
 * `core.worktree` of a repository we do not trust.
 */
export const locate = async (path: string): Promise<Located | null> => {
  const start = await realpath(path).catch(() => {
    throw new SourceError("not_found", `There is no folder ${path}.`)
  })
  if (!(await stat(start)).isDirectory()) throw new SourceError("not_a_repository", `${path} is not a folder.`)
  for (let folder = start; ; folder = dirname(folder)) {
    const dotGit = await lstat(join(folder, ".git")).catch(() => null)
    if (dotGit?.isFile() || (dotGit !== null && (await isGitFolder(join(folder, ".git"))))) {
      return { kind: "working_tree", root: folder, gitDir: join(folder, ".git") }
    }
    if (await isGitFolder(folder)) return { kind: "bare", gitDir: folder }
    if (folder === dirname(folder)) return null
  }
}

/** Whether git tracks a file in a folder of a working tree; false where there is no git to ask. */
export const isTracked = async (
  { root, gitDir }: Located & { kind: "working_tree" },
  folder: string
): Promise<boolean> => {
  const args = ["--literal-pathspecs", "ls-files", "--", folder]
  return ((await gitLine({ gitDir, cwd: root }, args)) ?? "") !== ""
}

/** The commit that HEAD names, null before the first commit. */
export const headCommit = async (path: string): Promise<string | null> => {
  const found = await locate(path)
  if (found === null) throw new SourceError("not_a_repository", `${path} is not in a git repository.`)
  const cwd = found.kind === "bare" ? found.gitDir : found.root
  return gitLine({ gitDir: found.gitDir, cwd }, ["rev-parse", "--verify", "-q", "HEAD^{commit}"])
}
