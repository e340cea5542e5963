import { Effect } from "effect"
import type { CodeHostError, RemoteHeads } from "../../services/ports/CodeHost.ts"
import { fromGit } from "./failures.ts"
import { runGit } from "./run.ts"
import type { Transport } from "./transport.ts"

const maxListBytes = 32 * 1024 * 1024
const heads = "refs/heads/"

/** The branches of a remote, without touching any mirror. */
export const listHeads = (transport: Transport): Effect.Effect<RemoteHeads, CodeHostError> =>
  runGit({
    args: ["ls-remote", "--symref", ...transport.args, "--", transport.url, "HEAD", `${heads}*`],
    reach: transport.reach,
    environment: transport.environment,
    maxOutputBytes: maxListBytes
  }).pipe(
    Effect.map((output) => parse(output.toString())),
    Effect.catchAll((failure) => Effect.suspend(() => fromGit(transport.shown)(failure))),
    (read) => transport.reading(read, Effect.void)
  )

const parse = (output: string): RemoteHeads => {
  const found = new Map<string, string>()
  let named: string | null = null
  for (const line of output.split("\n")) {
    const [left = "", right = ""] = line.split("\t")
    if (right === "HEAD" && left.startsWith(`ref: ${heads}`)) named = left.slice(`ref: ${heads}`.length)
    else if (right.startsWith(heads) && /^[0-9a-f]{40,64}$/.test(left)) found.set(right.slice(heads.length), left)
  }
  return { default_branch: named !== null && found.has(named) ? named : null, heads: found }
}
