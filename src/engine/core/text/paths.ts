/** The last part of a path. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** What stands before the last part, with its slash; empty at the root. */
export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)

/** The folder a path is in, without a slash at its end; empty at the root. */
export const directoryOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")))

/** The parts of a path, of which the folder of the root is an empty one. */
export const joined = (...parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join("/")
