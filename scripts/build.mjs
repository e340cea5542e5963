import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { digestOf, isCurrent, root, timesOf, withLock, writeStamps } from "./buildState.mjs"

const dist = join(root, "dist")
const fresh = join(root, "dist.new")
const previous = join(root, "dist.old")
const compiler = join(root, "node_modules/typescript/bin/tsc")

const filesBelow = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** What the program is made of, besides the sources themselves. */
const settings = [
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "scripts/bundle.mjs",
  "scripts/codeCache.mjs",
  "scripts/notices.mjs"
]

const sources = () => [...filesBelow("src").sort(), ...settings.map((name) => join(root, name))]

export const sourcesDigest = (paths = sources()) => digestOf(paths)

/** The web app is built by itself: a change in it compiles nothing else, and the other way round. */
const web = join(dist, "web")
const webSettings = [
  "package-lock.json",
  "web/index.html",
  "web/vite.config.ts",
  "scripts/bundleWeb.mjs",
  "scripts/notices.mjs"
]

const webSources = () => [...filesBelow("web/src").sort(), ...webSettings.map((name) => join(root, name))]

/** Marks `dist` as made of the sources with this digest. */
export const markBuilt = (digest) => {
  mkdirSync(dist, { recursive: true })
  writeStamps(dist, digest, "")
}

// The output goes to stderr: stdout belongs to the command that needed the build.
const run = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: ["ignore", 2, 2] }).status === 0

export const bundle = (folder = dist) => run("scripts/bundle.mjs", folder)

/** Builds beside `dist` and puts the result in its place at once; what runs meanwhile never sees half of it. */
const build = () => {
  const paths = sources()
  const [digest, times] = [digestOf(paths), timesOf(paths)]
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

/** Builds the web app beside `dist`, and puts it in its place at once. */
const buildWeb = () => {
  const paths = webSources()
  const [digest, times] = [digestOf(paths), timesOf(paths)]
  for (const folder of [fresh, previous]) rmSync(folder, { recursive: true, force: true })
  if (!run("scripts/bundleWeb.mjs", fresh)) return false
  writeStamps(fresh, digest, times)
  mkdirSync(dist, { recursive: true })
  if (existsSync(web)) renameSync(web, previous)
  renameSync(fresh, web)
  rmSync(previous, { recursive: true, force: true })
  return true
}

/** The two parts of `dist`, each with whether it is current. */
const parts = [
  { isCurrent: () => isCurrent(dist, sources()), build },
  { isCurrent: () => isCurrent(web, webSources()), build: buildWeb }
]

/**
 * Compiles `src` to `dist`, bundles the command and builds the web app to `dist/web`: each only when it is not current.
 * Returns what prevents it in words, or null when `dist` is current afterwards.
 */
export const ensureBuilt = () => {
  if (parts.every((part) => part.isCurrent())) return null
  if (!existsSync(compiler)) {
    const state = existsSync(join(dist, "main.js")) ? "does not match the sources" : "is missing"
    return (
      `The compiled program in ${dist} ${state}, and the compiler is not installed. ` +
      "Run `npm ci` (without --omit=dev) and try again, or use a release tarball, which contains the compiled program."
    )
  }
  return withLock(() =>
    parts.every((part) => part.isCurrent() || part.build()) ? null : "The build failed; the messages are above."
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problem = ensureBuilt()
  if (problem !== null) {
    console.error(problem)
    process.exitCode = 1
  }
}
