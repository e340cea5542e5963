import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync } from "node:fs"
import { basename, dirname, isAbsolute, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type { ProcessPaths } from "../../engine/index.ts"

/** Programs and libraries; of /etc only what the dynamic linker reads. */
const system = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/opt",
  "/nix/store",
  "/etc/ld.so.cache"
]

const devices = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"]

/** Of the program itself. The data folder may be inside its folder, and stays out of sight. */
const programParts = ["dist", "node_modules", "grammars", "package.json"]

const real = (path: string): string => (existsSync(path) ? realpathSync(path) : path)

/** What scanning processes run: Node, the built program, and its packages, which npm may have put beside it. */
export const program = (): ReadonlyArray<string> => {
  const root = fileURLToPath(new URL("../../..", import.meta.url))
  const beside = dirname(root.replace(/\/$/, ""))
  return [
    ...programParts.flatMap((part) => [join(root, part), real(join(root, part))]),
    ...(basename(beside) === "node_modules" ? [beside] : []),
    process.execPath,
    real(process.execPath)
  ]
}

const linesOf = (path: string): ReadonlyArray<string> => {
  try {
    return readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "")
  } catch {
    return []
  }
}

const from = (base: string, path: string) => (isAbsolute(path) ? path : resolve(base, path))

/** Folders that git reads for this one: of a work tree that of its repository, and where objects are shared. */
export const gitFolders = (folder: string): ReadonlyArray<string> => {
  const common = linesOf(join(folder, "commondir")).map((path) => from(folder, path))
  const shared = [folder, ...common].flatMap((base) =>
    linesOf(join(base, "objects/info/alternates")).map((path) => from(join(base, "objects"), path))
  )
  return [folder, ...common, ...shared]
}

const isInside = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

const isLink = (path: string) => lstatSync(path).isSymbolicLink()

const withoutSlash = (path: string) => path.replace(/(.)\/+$/, "$1")

const isFolder = (path: string) => lstatSync(real(path)).isDirectory()

/** Without those that another one contains. */
const outermost = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const sorted = [...new Set(paths)].filter(existsSync).sort()
  return sorted.filter((path) => !sorted.some((other) => other !== path && isInside(path, other) && !isLink(other)))
}

/** What a process sees besides the system. */
export interface View {
  /** Its own: under an account of its own it has the rights of the owner here. */
  readonly paths: ProcessPaths
  /** Read under any account, with the rights that the files give it. */
  readonly common: ReadonlyArray<string>
  /** Files of which it sees other texts, by path. */
  readonly texts: Readonly<Record<string, string>>
}

const each = (step: string, paths: ReadonlyArray<string>) => paths.flatMap((path) => [step, path])

export interface RootView {
  readonly steps: ReadonlyArray<string>
  /** What of it is the process's own. */
  readonly own: ReadonlyArray<string>
}

/**
 * The root folder that processes see, as steps of the launcher. A link of the system stays one; what a request names by a link
 * is there itself.
 */
export const viewOf = ({ paths, common, texts }: View): RootView => {
  const systemPaths = system.filter(existsSync)
  const links = systemPaths.filter(isLink)
  const fixed = systemPaths.filter((path) => !isLink(path))
  const written = paths.writable.filter(existsSync)
  const own = outermost(paths.readable.map(withoutSlash)).filter((path) => !written.includes(path))
  const besides = outermost(common).filter((path) => ![...fixed, ...own].some((folder) => isInside(path, folder)))
  const shown = [...fixed, ...besides, ...own]
  const all = [...shown, ...written, ...devices]
  const steps = [
    // Inside of what is read-only a folder to mount on is there already.
    ...each("folder", ["/proc", "/tmp", "/dev", ...all.map((path) => (isFolder(path) ? path : dirname(path)))]),
    ...each("folder", Object.keys(texts).map(dirname)),
    ...Object.entries(texts).flatMap(([path, text]) => ["text", path, text]),
    ...each(
      "file",
      all.filter((path) => !isFolder(path))
    ),
    ...links.flatMap((path) => ["link", readlinkSync(path), path]),
    ...each("readable", shown),
    ...each("device", devices),
    ...each("writable", written)
  ]
  return { steps, own: [...own, ...written] }
}
