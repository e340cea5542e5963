/** The last part of a path. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** What stands before the last part, with its slash; empty at the root. */
export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)

/** The folder a path is in, without a slash at its end; empty at the root. */
export const directoryOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")))

/** Whether a path lies in a folder or below it; everything does in that of the root. */
export const isBelow = (folder: string, path: string): boolean => folder === "" || path.startsWith(`${folder}/`)

/** Whether a path lies below one of these folders, of which none is the root. */
export const isBelowAny = (folders: ReadonlySet<string>, path: string): boolean => {
  if (folders.size === 0) return false
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
    if (folders.has(path.slice(0, at))) return true
  }
  return false
}

/** The parts of a path, of which the folder of the root is an empty one. */
export const joined = (...parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join("/")
