import { folderOf } from "../../core/text/paths.ts"
import type { Family } from "./apiOf.ts"

const scriptEndings = [".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"]

/** `a/./b/../c` without its dots; null above the root. */
const normal = (path: string): string | null => {
  const parts: Array<string> = []
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue
    if (part !== "..") parts.push(part)
    else if (parts.pop() === undefined) return null
  }
  return parts.join("/")
}

const scriptCandidates = (folder: string, module: string): ReadonlyArray<string> => {
  if (!module.startsWith(".")) return []
  const path = normal(`${folder}${module}`)
  if (path === null) return []
  // TypeScript names the file that it will become.
  const plain = path.replace(/\.[cm]?jsx?$/, "")
  const bases = plain === path ? [path] : [path, plain]
  return bases.flatMap((base) => [
    base,
    ...scriptEndings.map((ending) => `${base}${ending}`),
    ...scriptEndings.map((ending) => `${base}/index${ending}`)
  ])
}

const pythonCandidates = (folder: string, module: string): ReadonlyArray<string> => {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0
  const tail = module.slice(dots).replace(/\./g, "/")
  const roots = dots > 0 ? [`${folder}${"../".repeat(dots - 1)}`] : ["", "src/", "lib/"]
  return roots.flatMap((root) => {
    const path = normal(`${root}${tail}`)
    return path === null ? [] : [`${path}.py`, `${path}.pyi`, path === "" ? "__init__.py" : `${path}/__init__.py`]
  })
}

/** The file that a module names which `path` re-exports; null where it is none of the repository. */
export const moduleFile = (
  family: Family,
  path: string,
  module: string,
  has: (path: string) => boolean
): string | null => {
  const folder = folderOf(path)
  const candidates =
    family === "javascript"
      ? scriptCandidates(folder, module)
      : family === "python"
        ? pythonCandidates(folder, module)
        : []
  return candidates.find((candidate) => candidate !== path && has(candidate)) ?? null
}

/** What callers import is what such a file exports: a name that leaves it is gone for them. */
export const isEntry = (path: string): boolean =>
  /(?:^|\/)(?:index\.(?:d\.)?[cm]?[jt]sx?|__init__\.pyi?|lib\.rs|mod\.rs)$/.test(path)
