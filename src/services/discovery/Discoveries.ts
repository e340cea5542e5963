import { DateTime, Effect } from "effect"
import {
  type DiscoveryFiles,
  type DiscoveryOutput,
  emptyDiscovery,
  type RepositoryKnowledge
} from "../../schema/Discovery.ts"
import type { RepositoryPath } from "../../schema/Repository.ts"
import { Caller } from "../access/Caller.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { DiscoveriesRepo } from "./DiscoveriesRepo.ts"

const maxDirectives = 50

/** What is known about a repository: the newest output of its discovery, and what is open in it. */
export class Discoveries extends Effect.Service<Discoveries>()("Discoveries", {
  effect: Effect.gen(function* () {
    const repo = yield* DiscoveriesRepo
    const repositories = yield* Repositories

    /** Replaces what the discovery before found. For the workflow, inside a stage's `commit`: needs no caller. */
    const record = Effect.fn("Discoveries.record")(function* (discovery: {
      readonly workspace_id: string
      readonly repository_id: string
      readonly job_id: string
      readonly commit: string
      readonly output: DiscoveryOutput
    }) {
      yield* repo.replace({ ...discovery, at: DateTime.formatIso(yield* DateTime.now) })
    })

    const files = Effect.fn("Discoveries.files")(function* (path: RepositoryPath) {
      const { workspace_id } = yield* Caller
      const repository = yield* repositories.find(path)
      const where = { workspace_id, repository_id: repository.id }
      const newest = yield* repo.newest(where)
      return {
        ...(newest?.output ?? emptyDiscovery),
        last_discovery_at: newest?.discovered_at ?? null,
        last_failure: yield* repo.lastFailure(where)
      } satisfies DiscoveryFiles
    })

    const knowledge = Effect.fn("Discoveries.knowledge")(function* (path: RepositoryPath, limit = maxDirectives) {
      const { workspace_id } = yield* Caller
      const repository = yield* repositories.find(path)
      const where = { workspace_id, repository_id: repository.id }
      const newest = yield* repo.newest(where)
      const directives = yield* repo.directives({ ...where, limit })
      return {
        repo_name: repository.repo_name,
        last_discovery_at: newest?.discovered_at ?? null,
        commit_sha: newest?.commit_sha ?? null,
        profile: newest?.output.profile ?? null,
        principles: newest?.output.principles_md ?? null,
        conventions: newest === null ? [] : conventionsOf(newest.output),
        directives: directives.slice(0, limit),
        directives_truncated: directives.length > limit
      } satisfies RepositoryKnowledge
    })

    return { record, files, knowledge }
  })
}) {}

const conventionsOf = ({ patterns_md, guides }: DiscoveryOutput): RepositoryKnowledge["conventions"] => [
  ...(patterns_md === null
    ? []
    : [{ slug: "patterns", title: "Patterns", description: "Patterns found in the code.", content: patterns_md }]),
  ...guides
]
