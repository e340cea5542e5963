import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Option } from "effect"
import { AppConfig } from "../layers/Config.ts"
import { outboundSettings } from "../layers/outbound.ts"
import { PlainGitCodeHost } from "../layers/PlainGitCodeHost.ts"
import { CodeHost } from "../services/ports/CodeHost.ts"
import { failed } from "./failures.ts"
import type { Subject } from "./Subject.ts"

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "assay-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** What a git URL names, fetched for this audit only. */
export const remote = (url: string, requestedBranch: Option.Option<string>) =>
  Effect.gen(function* () {
    const config = yield* AppConfig
    const dataDir = yield* temporaryFolder
    return yield* Effect.gen(function* () {
      const host = yield* CodeHost
      const branch = Option.getOrNull(requestedBranch) ?? (yield* host.inspect({ url })).default_branch
      if (branch === null) return yield* failed(`${url} has no commits, or names no default branch (use --branch).`)
      const { gitDir, commit } = yield* host.fetch({ repositoryId: "one-shot", remote: { url }, branch })
      return {
        source: { kind: "git", gitDir, commit },
        commit: Effect.succeed(commit),
        home: null,
        scope: ""
      } satisfies Subject
    }).pipe(
      Effect.catchTag("CodeHostError", ({ message }) => failed(message)),
      Effect.provide(
        PlainGitCodeHost.layer({ dataDir, localRoots: config.localRepoRoots, ...(yield* outboundSettings(config)) })
      )
    )
  })
