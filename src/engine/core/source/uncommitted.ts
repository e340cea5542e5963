import { locate } from "./locate.ts"
import { gitRecords } from "./readGit.ts"
import { SourceError } from "./TreeSource.ts"

/** Whether git would lose something if the files of a working tree were as in its commit: changes, and untracked files. */
export const hasUncommittedChanges = async (root: string): Promise<boolean> => {
  const found = await locate(root)
  if (found?.kind !== "working_tree")
    throw new SourceError("not_a_repository", `${root} is not in a working tree of git.`)
  const location = { gitDir: found.gitDir, workTree: found.root, cwd: found.root }
  for await (const _ of gitRecords(location, ["status", "--porcelain", "-z", "--ignore-submodules=dirty"])) return true
  return false
}
