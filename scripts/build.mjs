import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../", import.meta.url))
const dist = join(root, "dist")
const fresh = join(root, "dist.new")
const previous = join(root, "dist.old")
const lock = join(root, "dist.lock")
const compiler = join(root, "node_modules/typescript/bin/tsc")

/** What `dist` was made of: a digest of contents, and one of the files' times, which is compared in a moment. */
const contentsStamp = ".sources"
const timesStamp = ".times"

/** What the build is made of, besides the sources themselves. */
const settings = ["package-lock.json", "tsconfig.json", "tsconfig.build.json", "scripts/bundle.mjs"]

const sources = () => [
  ...readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort(),
  ...settings.map((name) => join(root, name))
]

/** A digest of everything that goes into `dist`: contents, not times, since a checkout or a copy changes all times. */
export const sourcesDigest = (paths = sources()) => {
  const digest = createHash("sha256")
  for (const path of paths) {
    const content = readFileSync(path)
    digest.update(`${path.slice(root.length)}\0${content.length}\0`).update(content)
  }
  return digest.digest("hex")
}

const timesOf = (paths) => {
  const digest = createHash("sha256")
  for (const path of paths) {
    const { size, mtimeMs, ctimeMs, ino } = statSync(path)
    digest.update(`${path}\0${size}\0${mtimeMs}\0${ctimeMs}\0${ino}\0`)
  }
  return digest.digest("hex")
}

const hasStamp = (name, value) => existsSync(join(dist, name)) && readFileSync(join(dist, name), "utf8") === value

const writeStamps = (folder, digest, times) => {
  writeFileSync(join(folder, contentsStamp), digest)
  writeFileSync(join(folder, timesStamp), times)
}

/** Whether `dist` is made of the sources as they are. */
const isCurrent = () => {
  const paths = sources()
  const times = timesOf(paths)
  if (hasStamp(timesStamp, times)) return true
  const digest = sourcesDigest(paths)
  if (!hasStamp(contentsStamp, digest)) return false
  try {
    writeStamps(dist, digest, times)
  } catch {
    // Another user's checkout: the contents are compared each time.
  }
  return true
}

/** Marks `dist` as made of the sources with this digest. */
export const markBuilt = (digest) => {
  mkdirSync(dist, { recursive: true })
  writeStamps(dist, digest, "")
}

// The output goes to stderr: stdout belongs to the command that needed the build.
const run = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: ["ignore", 2, 2] }).status === 0

export const bundle = (folder = dist) => run("scripts/bundle.mjs", folder)

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === "EPERM"
  }
}

const longestBuild = 600_000

/** Removes the lock of a build that was killed. */
const sweepLock = () => {
  try {
    const isOld = Date.now() - statSync(lock).mtimeMs > longestBuild
    if (isOld || !isAlive(Number(readFileSync(lock, "utf8")))) rmSync(lock, { force: true })
  } catch (error) {
    if (error.code !== "ENOENT") throw error
  }
}

const takeLock = () => {
  const draft = `${lock}.${process.pid}`
  writeFileSync(draft, String(process.pid))
  try {
    linkSync(draft, lock)
    return true
  } catch (error) {
    if (error.code !== "EEXIST") throw error
    return false
  } finally {
    rmSync(draft, { force: true })
  }
}

/** One build at a time: two starts in one checkout would write to the same files. */
const withLock = (use) => {
  for (let attempts = 0; !takeLock(); attempts++) {
    if (attempts === 0) console.error("Another process is compiling; waiting for it.")
    sweepLock()
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  }
  try {
    return use()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Builds beside `dist` and puts the result in its place at once; what runs meanwhile never sees half of it. */
const build = () => {
  const paths = sources()
  const [digest, times] = [sourcesDigest(paths), timesOf(paths)]
  for (const folder of [fresh, previous]) rmSync(folder, { recursive: true, force: true })
  // The compiler goes on from its earlier output.
  if (existsSync(dist)) cpSync(dist, fresh, { recursive: true, preserveTimestamps: true })
  else mkdirSync(fresh)
  const into = ["--outDir", fresh, "--tsBuildInfoFile", join(fresh, ".tsbuildinfo")]
  if (!run(compiler, "-p", "tsconfig.build.json", ...into)) return false
  // Names of chunks follow from their contents: old ones would be left.
  for (const name of ["bundled", "engine/core/process/bundled"])
    rmSync(join(fresh, name), { recursive: true, force: true })
  if (!bundle(fresh)) return false
  writeStamps(fresh, digest, times)
  if (existsSync(dist)) renameSync(dist, previous)
  renameSync(fresh, dist)
  rmSync(previous, { recursive: true, force: true })
  return true
}

/**
 * Compiles `src` to `dist` and bundles the command, unless `dist` is current. Returns what prevents it in words, or null
 * when `dist` is current afterwards.
 */
export const ensureBuilt = () => {
  if (isCurrent()) return null
  if (!existsSync(compiler)) {
    const state = existsSync(join(dist, "main.js")) ? "does not match the sources" : "is missing"
    return (
      `The compiled program in ${dist} ${state}, and the compiler is not installed. ` +
      "Run `npm ci` (without --omit=dev) and try again, or use a release tarball, which contains the compiled program."
    )
  }
  return withLock(() => (isCurrent() || build() ? null : "The build failed; the messages are above."))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problem = ensureBuilt()
  if (problem !== null) {
    console.error(problem)
    process.exitCode = 1
  }
}
