/** The last part of a path. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1)
