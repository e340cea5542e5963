import { randomInt } from "node:crypto"
import { statSync } from "node:fs"
import { Effect } from "effect"
import type { Account } from "./Account.ts"
import { attempt, type EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import { run } from "./Processes.ts"

/** Group ids that neither Debian nor systemd assigns: no account is a member, and the group needs no entry anywhere. */
const unassigned = { first: 60_706, last: 61_183 }

const isUnassigned = (gid: number) => gid >= unassigned.first && gid <= unassigned.last

/**
 * The account with a group that no other process has. Other programs of the account, which as `nobody` may be anyone's, then
 * neither pass a folder that only root and this group may enter, nor see through the server's entries in /proc.
 */
export const withOwnGroup = (account: Account, root: string): Effect.Effect<Account, EmbeddedPostgresError> =>
  Effect.gen(function* () {
    const present = yield* attempt(`looking at ${root}`, () => statSync(root).gid)
    const gid = isUnassigned(present) ? present : randomInt(unassigned.first, unassigned.last + 1)
    const own = { ...account, gid }
    if ((yield* run("/bin/sh", ["-c", ":"], own)).code === 0) return own
    yield* Effect.logWarning(
      `The database cannot have a group of its own here; other processes of ${account.name} can read its files.`
    )
    return account
  })
