import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../", import.meta.url))
const dist = join(root, "dist")
const stamp = join(dist, ".sources")
const compiler = join(root, "node_modules/typescript/bin/tsc")

/** What the build is made of, besides the sources themselves. */
const settings = ["package-lock.json", "tsconfig.json", "tsconfig.build.json", "scripts/bundle.mjs"]

/** A digest of everything that goes into `dist`: contents, not times, since a checkout or a copy changes all times. */
export const sourcesDigest = () => {
  const digest = createHash("sha256")
  const sources = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  for (const path of [...sources, ...settings.map((name) => join(root, name))]) {
    const content = readFileSync(path)
    digest.update(`${path.slice(root.length)}\0${content.length}\0`).update(content)
  }
  return digest.digest("hex")
}

const isCurrent = (digest) => existsSync(stamp) && readFileSync(stamp, "utf8") === digest

/** Marks `dist` as made of the sources with this digest. */
export const markBuilt = (digest) => {
  mkdirSync(dist, { recursive: true })
  writeFileSync(stamp, digest)
}

// The output goes to stderr: stdout belongs to the command that needed the build.
const run = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: ["ignore", 2, 2] }).status === 0

export const bundle = () => run("scripts/bundle.mjs")

/**
 * Compiles `src` to `dist` and bundles the scanner, unless `dist` is current. Returns what prevents it in words, or null
 * when `dist` is current afterwards.
 */
export const ensureBuilt = () => {
  const digest = sourcesDigest()
  if (isCurrent(digest)) return null
  if (!existsSync(compiler)) {
    const state = existsSync(join(dist, "main.js")) ? "does not match the sources" : "is missing"
    return (
      `The compiled program in ${dirname(stamp)} ${state}, and the compiler is not installed. ` +
      "Run `npm ci` (without --omit=dev) and try again, or use a release tarball, which contains the compiled program."
    )
  }
  rmSync(stamp, { force: true })
  if (!run(compiler, "-p", "tsconfig.build.json") || !bundle()) return "The build failed; the messages are above."
  markBuilt(digest)
  return null
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problem = ensureBuilt()
  if (problem !== null) {
    console.error(problem)
    process.exitCode = 1
  }
}
