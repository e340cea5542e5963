import { createHash } from "node:crypto"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { deflateSync } from "node:zlib"
import { pathBytes } from "../../src/engine/core/source/gitPath.ts"

// Writes what git would, without starting it from a large process.

export type FileContent = string | Uint8Array | { readonly symlink: string } | { readonly submodule: string }
/** Paths may hold bytes that are not UTF-8, written `\xff`. */
export type Files = Readonly<Record<string, FileContent>>

interface Store {
  readonly gitDir: string
  readonly format: "sha1" | "sha256"
}

interface Entry {
  readonly mode: string
  readonly id: string
}

/** The files of a commit by path; a character of it is a byte of the name. */
export type Tree = ReadonlyMap<string, Entry>

const written = ({ gitDir, format }: Store, kind: "blob" | "tree" | "commit", body: Uint8Array): string => {
  const object = Buffer.concat([Buffer.from(`${kind} ${body.length}\0`), body])
  const id = createHash(format).update(object).digest("hex")
  const path = join(gitDir, "objects", id.slice(0, 2), id.slice(2))
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, deflateSync(object, { level: 1 }), { mode: 0o444 })
  }
  return id
}

const entryOf = (store: Store, content: FileContent): Entry => {
  if (typeof content === "string" || content instanceof Uint8Array) {
    return { mode: "100644", id: written(store, "blob", Buffer.from(content)) }
  }
  return "submodule" in content
    ? { mode: "160000", id: content.submodule }
    : { mode: "120000", id: written(store, "blob", Buffer.from(content.symlink)) }
}

/** The tree with further files; null where a name would be both a file and a folder. */
export const treeWith = (store: Store, before: Tree, files: Files): Tree | null => {
  const after = new Map(before)
  for (const [path, content] of Object.entries(files)) {
    after.set(pathBytes(path).toString("latin1"), entryOf(store, content))
  }
  const isFolderToo = (path: string) => [...path.matchAll(/\//g)].some(({ index }) => after.has(path.slice(0, index)))
  return [...after.keys()].some(isFolderToo) ? null : after
}

const treeObject = (store: Store, tree: Tree): string => {
  const folders = new Map<string, Map<string, Entry>>()
  const entries: Array<Entry & { readonly name: string }> = []
  for (const [path, entry] of tree) {
    const slash = path.indexOf("/")
    if (slash === -1) entries.push({ ...entry, name: path })
    else {
      const name = path.slice(0, slash)
      const folder = folders.get(name) ?? new Map<string, Entry>()
      folders.set(name, folder.set(path.slice(slash + 1), entry))
    }
  }
  for (const [name, folder] of folders) entries.push({ name, mode: "40000", id: treeObject(store, folder) })
  // Git sorts a folder as if its name ended with a slash.
  const sortKey = ({ name, mode }: (typeof entries)[number]) => (mode === "40000" ? `${name}/` : name)
  entries.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
  const lines = entries.map(({ name, mode, id }) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`, "latin1"), Buffer.from(id, "hex")])
  )
  return written(store, "tree", Buffer.concat(lines))
}

interface CommitOf {
  readonly parent: string | null
  readonly author: string
  readonly at: number
}

export const commitObject = (store: Store, tree: Tree, { parent, author, at }: CommitOf): string => {
  const person = `Test <${author}> ${at} +0000`
  const from = parent === null ? "" : `parent ${parent}\n`
  const text = `tree ${treeObject(store, tree)}\n${from}author ${person}\ncommitter ${person}\n\nchange`
  return written(store, "commit", Buffer.from(text))
}

/** Makes a branch, or moves it. */
export const setBranch = (gitDir: string, name: string, commit: string): void => {
  const path = join(gitDir, "refs/heads", name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${commit}\n`)
}
