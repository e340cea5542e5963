import { type FileRole, roleByContent, roleByPath } from "./FileRole.ts"
import { layoutOf } from "./TreeTerms.ts"

/** The role of each file of a tree, by its path, those of the others, and how it begins. */
export const rolesIn = (paths: ReadonlyArray<string>): ((path: string, head?: string) => FileRole) => {
  const layout = layoutOf(paths)
  return (path, head = "") => roleByContent(roleByPath(path, layout), path, head)
}
