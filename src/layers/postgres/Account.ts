import { readFileSync, statSync } from "node:fs"
import { Effect } from "effect"
import { attempt, EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"

/** The unprivileged user the postgres processes run as when we are root. */
export interface Account {
  readonly uid: number
  readonly gid: number
  readonly name: string
}

/** Every account but root's, `nobody` first. */
export const unprivileged = (passwd: string): ReadonlyArray<Account> =>
  passwd
    .split("\n")
    .flatMap((line) => {
      const [name, , uid, gid] = line.split(":")
      const account = { name: name ?? "", uid: Number(uid), gid: Number(gid) }
      return Number.isInteger(account.uid) &&
        Number.isInteger(account.gid) &&
        account.uid !== 0 &&
        !line.startsWith("#")
        ? [account]
        : []
    })
    .sort((a, b) => Number(b.name === "nobody") - Number(a.name === "nobody"))

const ownerOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.uid

/**
 * Who postgres runs as: `undefined` = as ourselves. Root may not run it, so then it is the account that owns the data already, or
 * `nobody`. The account must be in the password file: initdb looks its name up.
 */
export const accountFor = (data: string): Effect.Effect<Account | undefined, EmbeddedPostgresError> =>
  Effect.gen(function* () {
    if (process.geteuid?.() !== 0) return undefined
    const accounts = unprivileged(yield* attempt("reading /etc/passwd", () => readFileSync("/etc/passwd", "utf8")))
    const owner = yield* attempt(`looking at ${data}`, () => ownerOf(data))
    const chosen = accounts.find(({ uid }) => uid === owner) ?? accounts[0]
    if (chosen === undefined) {
      return yield* new EmbeddedPostgresError({
        reason: "no_account",
        message:
          "PostgreSQL refuses to run as root and /etc/passwd has no other user. Start as another user, or set DATABASE_URL."
      })
    }
    return chosen
  })
