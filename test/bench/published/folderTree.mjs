import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"

const contentOf = (root, prefix, path) => {
  const bytes = new Uint8Array(readFileSync(path))
  const blob = createHash("sha1").update(bytes).digest("hex")
  const name = `${prefix}/${relative(root, path).split(sep).join("/")}`
  return { entry: { path: name, escaped: false, blob, size: bytes.length, mode: "100644" }, bytes }
}

const contentsOf = ([prefix, root]) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !path.includes(`${sep}node_modules${sep}`))
    .map((path) => contentOf(root, prefix, path))

/** Folders by the names they have in the tree, as the engine of any revision reads it. */
export const folderTree = (folders) => {
  const contents = Object.entries(folders).flatMap(contentsOf)
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
