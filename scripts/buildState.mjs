import { createHash } from "node:crypto"
import { existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../", import.meta.url))

/** What a built folder was made of: a digest of contents, and one of the files' times, which is compared in a moment. */
const contentsStamp = ".sources"
const timesStamp = ".times"

/** A digest of everything that goes into a build: contents, not times, since a checkout or a copy changes all times. */
export const digestOf = (paths) => {
  const digest = createHash("sha256")
  for (const path of paths) {
    const content = readFileSync(path)
    digest.update(`${path.slice(root.length)}\0${content.length}\0`).update(content)
  }
  return digest.digest("hex")
}

export const timesOf = (paths) => {
  const digest = createHash("sha256")
  for (const path of paths) {
    const { size, mtimeMs, ctimeMs, ino } = statSync(path)
    digest.update(`${path}\0${size}\0${mtimeMs}\0${ctimeMs}\0${ino}\0`)
  }
  return digest.digest("hex")
}

const hasStamp = (folder, name, value) =>
  existsSync(join(folder, name)) && readFileSync(join(folder, name), "utf8") === value

export const writeStamps = (folder, digest, times) => {
  writeFileSync(join(folder, contentsStamp), digest)
  writeFileSync(join(folder, timesStamp), times)
}

/** Whether a folder is made of the sources as they are. */
export const isCurrent = (folder, paths) => {
  const times = timesOf(paths)
  if (hasStamp(folder, timesStamp, times)) return true
  const digest = digestOf(paths)
  if (!hasStamp(folder, contentsStamp, digest)) return false
  try {
    writeStamps(folder, digest, times)
  } catch {
    // Another user's checkout: the contents are compared each time.
  }
  return true
}

const lock = join(root, "dist.lock")

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
export const withLock = (use) => {
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
