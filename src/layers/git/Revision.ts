import { createHash } from "node:crypto"
import { Effect } from "effect"
import type { CodeHostError, Revision } from "../../services/ports/CodeHost.ts"
import { codeHostError, fromGit } from "./failures.ts"
import { type BringOptions, bringBranch, bringRef } from "./Mirror.ts"
import { runGit } from "./run.ts"
import type { Transport } from "./transport.ts"

/** Where code hosts keep the newest commit of a pull request: GitHub and Gitea, GitLab, Bitbucket. */
const pullRequestRefs = (number: number) => [
  `refs/pull/${number}/head`,
  `refs/merge-requests/${number}/head`,
  `refs/pull-requests/${number}/from`
]

// A NUL keeps them apart from branches, whose hashed names are beside them.
const localRef = (name: string) => `refs/assay/${createHash("sha256").update(`\0${name}`).digest("hex")}`

/** Brings something else than the registered branch, and gives its commit. Only under the mirror's lock. */
export const bringRevision = Effect.fn("Mirror.bringRevision")(function* (
  gitDir: string,
  transport: Transport,
  revision: Revision,
  options: BringOptions
): Effect.fn.Return<string, CodeHostError> {
  switch (revision.kind) {
    case "branch":
      return yield* bringBranch(gitDir, transport, revision.name, options).pipe(
        Effect.catchIf(isNoSuchRef, () =>
          codeHostError("branch_not_found", `There is no branch ${JSON.stringify(revision.name.slice(0, 100))}.`)
        )
      )
    case "pull_request": {
      const ref = yield* pullRequestRef(transport, revision.number)
      return yield* bringRef(gitDir, transport, { remote: ref, local: localRef(ref) }, options)
    }
    case "commit":
      return yield* bringRef(gitDir, transport, { remote: revision.sha, local: localRef(revision.sha) }, options).pipe(
        Effect.catchIf(
          ({ reason }) => reason === "corrupt" || reason === "unreachable" || reason === "branch_not_found",
          () =>
            codeHostError(
              "branch_not_found",
              `${transport.shown} has no commit ${revision.sha}, or does not hand it out: name its branch instead.`
            )
        )
      )
  }
})

const isNoSuchRef = ({ reason }: CodeHostError) => reason === "branch_not_found"

const pullRequestRef = Effect.fnUntraced(function* (transport: Transport, number: number) {
  const candidates = pullRequestRefs(number)
  const output = yield* runGit({
    args: ["ls-remote", ...transport.args, "--", transport.url, ...candidates],
    reach: transport.reach,
    environment: transport.environment
  }).pipe(
    Effect.catchAll((failure) => Effect.suspend(() => Effect.fail(fromGit(transport.shown)(failure)))),
    (read) => transport.reading(read, Effect.void)
  )
  // Patterns match the ends of names, too.
  const there = new Set(
    output
      .toString()
      .split("\n")
      .map((line) => line.split("\t")[1])
  )
  const ref = candidates.find((name) => there.has(name))
  if (ref === undefined) {
    return yield* codeHostError(
      "branch_not_found",
      `${transport.shown} shows no pull request ${number} (no ${candidates[0]}, nor its like on other hosts).`
    )
  }
  return ref
})
