import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Modules that a bundler makes of a file carry a NUL before its path. */
const packageOf = (path) =>
  /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path.replace("\0", "").replaceAll("\\", "/"))?.[0]

const separator = `\n\n${"-".repeat(80)}\n\n`

/** What the licences of bundled packages ask for: their texts go where their code goes. `files` are the bundle's inputs. */
export const notices = (files) => {
  const folders = [...new Set(files.map(packageOf))].filter((folder) => folder !== undefined).sort()
  const texts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    const licences = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
    return [
      `${name} ${version} (${license})`,
      ...licences.map((file) => readFileSync(join(folder, file), "utf8").trim())
    ].join("\n\n")
  })
  return `${texts.join(separator)}\n`
}

/** Names and versions of the packages that such a text lists, as `name@version`. */
export const packagesIn = (text) =>
  text.split(separator).flatMap((notice) => {
    const [, name, version] = /^(\S+) (\S+) \(/.exec(notice) ?? []
    return name === undefined ? [] : [`${name}@${version}`]
  })
