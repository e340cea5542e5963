import { Effect, Option } from "effect"
import {
  type ApplicableRules,
  type CanonicalPattern,
  type DiscoveryFiles,
  type DiscoveryOutput,
  emptyDiscovery,
  type HowToGuides,
  PatternNotFound,
  type RepositoryKnowledge
} from "../../schema/Discovery.ts"
import type { JobId, RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import type { RepositoryPath } from "../../schema/Repository.ts"
import { Caller } from "../access/Caller.ts"
import { pathFromRoot } from "../repositories/pathDigests.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { now } from "../support/now.ts"
import { DiscoveriesRepo } from "./DiscoveriesRepo.ts"
import { about, patternsIn, rulesIn } from "./guidance.ts"

const maxDirectives = 50
const maxRules = 40

/** What is known about a repository: the newest output of its discovery, and what is open in it. */
export class Discoveries extends Effect.Service<Discoveries>()("Discoveries", {
  effect: Effect.gen(function* () {
    const repo = yield* DiscoveriesRepo
    const repositories = yield* Repositories

    /** Replaces what the discovery before found. For the workflow, inside a stage's `commit`: needs no caller. */
    const record = Effect.fn("Discoveries.record")(function* (discovery: {
      readonly workspace_id: WorkspaceId
      readonly repository_id: RepositoryId
      readonly job_id: JobId
      readonly commit: string
      readonly output: DiscoveryOutput
    }) {
      yield* repo.replace({ ...discovery, at: yield* now })
    })

    const files = Effect.fn("Discoveries.files")(function* (path: RepositoryPath) {
      const { workspace_id } = yield* Caller
      const repository = yield* repositories.find(path)
      const where = { workspace_id, repository_id: repository.id }
      const newest = Option.getOrNull(yield* repo.newest(where))
      return {
        ...(newest?.output ?? emptyDiscovery),
        last_discovery_at: newest?.discovered_at ?? null,
        last_failure: Option.getOrNull(yield* repo.lastFailure(where))
      } satisfies DiscoveryFiles
    })

    const knowledge = Effect.fn("Discoveries.knowledge")(function* (path: RepositoryPath, limit = maxDirectives) {
      const { workspace_id } = yield* Caller
      const repository = yield* repositories.find(path)
      const where = { workspace_id, repository_id: repository.id }
      const newest = Option.getOrNull(yield* repo.newest(where))
      const directives = yield* repo.directives({ ...where, limit })
      return {
        repo_name: repository.repo_name,
        last_discovery_at: newest?.discovered_at ?? null,
        commit_sha: newest?.commit_sha ?? null,
        profile: newest?.output.profile ?? null,
        principles: newest?.output.principles_md ?? null,
        conventions: newest === null ? [] : conventionsOf(newest.output),
        patterns: newest === null ? [] : patternsIn(newest.output).map(({ name, title }) => ({ name, title })),
        directives: directives.slice(0, limit),
        directives_truncated: directives.length > limit
      } satisfies RepositoryKnowledge
    })

    /** What is to be heeded in one file, which need not be there yet. */
    const rules = Effect.fn("Discoveries.rules")(function* (path: RepositoryPath, file_path: string) {
      const { workspace_id } = yield* Caller
      const repository = yield* repositories.find(path)
      const where = { workspace_id, repository_id: repository.id }
      const newest = Option.getOrNull(yield* repo.newest(where))
      const asked = pathFromRoot(file_path)
      const applicable = newest === null ? [] : about(rulesIn(newest.output), asked)
      const patterns = newest === null ? [] : about(patternsIn(newest.output), asked)
      return {
        repo_name: repository.repo_name,
        file_path: asked,
        path_known: yield* repositories.knowsPath(where, asked),
        commit_sha: newest?.commit_sha ?? null,
        rules: applicable.slice(0, maxRules).map(({ origin, text, support, cited, deviations }) => ({
          origin,
          text,
          support,
          cited,
          deviates: deviations.includes(asked)
        })),
        patterns: patterns.map(summarised),
        directives: yield* repo.directivesIn({ ...where, path: asked })
      } satisfies ApplicableRules
    })

    const pattern = Effect.fn("Discoveries.pattern")(function* (path: RepositoryPath, name: string) {
      const { workspace_id } = yield* Caller
      const repository = yield* repositories.find(path)
      const newest = Option.getOrNull(yield* repo.newest({ workspace_id, repository_id: repository.id }))
      const known = newest === null ? [] : patternsIn(newest.output)
      const found = known.find((one) => one.name === name)
      if (newest === null || found === undefined) {
        const names = known.map((one) => one.name)
        return yield* new PatternNotFound({
          message:
            newest === null
              ? `No discovery of ${repository.repo_name} has run yet; submit the workflow \`discover\` first.`
              : names.length === 0
                ? `The discovery of ${newest.discovered_at} found no recurring pattern in ${repository.repo_name}.`
                : `${repository.repo_name} has no pattern of that name; it has ${names.join(", ")}.`,
          details: { patterns: names }
        })
      }
      return {
        repo_name: repository.repo_name,
        commit_sha: newest.commit_sha,
        ...summarised(found),
        snippet: found.canonical.snippet,
        deviations: found.deviations
      } satisfies CanonicalPattern
    })

    const guides = Effect.fn("Discoveries.guides")(function* (path: RepositoryPath) {
      const { workspace_id } = yield* Caller
      const repository = yield* repositories.find(path)
      const newest = Option.getOrNull(yield* repo.newest({ workspace_id, repository_id: repository.id }))
      return {
        repo_name: repository.repo_name,
        commit_sha: newest?.commit_sha ?? null,
        guides: newest?.output.guides ?? [],
        skills: newest?.output.skills ?? []
      } satisfies HowToGuides
    })

    return { record, files, knowledge, rules, pattern, guides }
  })
}) {}

const summarised = ({ name, title, shape, support, canonical }: ReturnType<typeof patternsIn>[number]) => ({
  name,
  title,
  shape,
  support,
  file_path: canonical.file_path,
  line_start: canonical.line_start,
  line_end: canonical.line_end,
  symbol: canonical.symbol
})

/** What a newcomer reads first stands first. */
const conventionsOf = ({
  hyrax_md,
  domain_md,
  patterns_md,
  guides
}: DiscoveryOutput): RepositoryKnowledge["conventions"] => [
  ...documentOf("overview", "Working on this repository", "What it is, its commands, and where things are.", hyrax_md),
  ...documentOf("domain", "Domain", "The nouns of the code, with their fields, relations and states.", domain_md),
  ...documentOf("patterns", "Patterns", "Patterns found in the code.", patterns_md),
  ...guides
]

const documentOf = (slug: string, title: string, description: string, content: string | null) =>
  content === null ? [] : [{ slug, title, description, content }]
