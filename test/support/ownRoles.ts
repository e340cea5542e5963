import type { FileRole } from "../../src/engine/core/files/FileRole.ts"
import { ownRoleIn } from "../../src/engine/core/files/FileTerms.ts"
import { ownerOf } from "../../src/engine/core/files/ownership/ownerOf.ts"
import { TreeTerms } from "../../src/engine/core/files/TreeTerms.ts"
import type { TreeEntry } from "../../src/engine/core/source/TreeSource.ts"

export type Tree = Readonly<Record<string, string>>

/** What is known of the files of a tree, and of whose it is. */
export const ownedTerms = async (tree: Tree): Promise<TreeTerms> => {
  const listed = Object.entries(tree).map(
    ([path, text]): TreeEntry => ({ path, escaped: false, blob: "", size: text.length, mode: "100644" })
  )
  const source = {
    read: async function* (entries: Iterable<TreeEntry>) {
      for (const entry of entries) yield { entry, bytes: new TextEncoder().encode(tree[entry.path]!) }
    }
  }
  const terms = new TreeTerms(Object.keys(tree))
  return terms.ownedBy(await ownerOf(source, listed, (path) => terms.of(path).role === "source"))
}

/** The roles of some files of a tree, by paths, owner and content. "uncertain" is source that others may have written first. */
export const rolesIn = async (
  tree: Tree,
  ...paths: ReadonlyArray<string>
): Promise<ReadonlyArray<FileRole | "uncertain">> => {
  const terms = await ownedTerms(tree)
  return paths.map((path) => {
    const { role, isUncertain } = ownRoleIn(terms.of(path), path, tree[path]!, tree[path]!.split("\n").length)
    return isUncertain ? "uncertain" : role
  })
}
