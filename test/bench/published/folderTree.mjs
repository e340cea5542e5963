import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"

const contentOf = (root, prefix, path) => {
  const bytes = new Uint8Array(readFileSync(path))
  const blob = createHash("sha1").update(bytes).digest("hex")
  const name = `${prefix}/${relative(root, path).split(sep).join("/")}`
  return { entry: { path: name, escaped: false, blob, size: bytes.length, mode: "100644" }, bytes }
}

const isWithin = (path, folders) =>
  !path.includes("/") || folders.some((folder) => folder === "." || path.startsWith(`${folder}/`))

const contentsOf = ({ name, root, within }) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) => join(parentPath, file))
    .filter((path) => !path.includes(`${sep}node_modules${sep}`))
    .filter((path) => isWithin(relative(root, path).split(sep).join("/"), within))
    .map((path) => contentOf(root, name, path))

/** Folders by the names they have in the tree, as the engine of any revision reads it. */
export const folderTree = (folders) => {
  const contents = folders.flatMap(contentsOf)
  const byPath = new Map(contents.map((content) => [content.entry.path, content]))
  return {
    list: async () => contents.map(({ entry }) => entry),
    skipped: async () => [],
    async *read(entries) {
      for (const { path } of entries) yield byPath.get(path)
    },
    close: async () => undefined
  }
}
