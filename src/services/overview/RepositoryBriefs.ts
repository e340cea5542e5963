import { Effect } from "effect"
import { clip } from "../../schema/characters.ts"
import type { Scope } from "../../schema/Key.ts"
import type { RepositoryBrief } from "../../schema/Overview.ts"
import type { RepositoryPath } from "../../schema/Repository.ts"
import { Caller, holds } from "../access/Caller.ts"
import { TeamContext } from "../context/TeamContext.ts"
import { Discoveries } from "../discovery/Discoveries.ts"
import { Overviews } from "./Overviews.ts"

const most = { directives: 8, patterns: 20, entries: 12 }
const longest = { description: 300, principles: 2000, title: 160, summary: 240, label: 80 }

/** What someone needs to know before the first change to a repository, in the length of a page. */
export class RepositoryBriefs extends Effect.Service<RepositoryBriefs>()("RepositoryBriefs", {
  effect: Effect.gen(function* () {
    const overviews = yield* Overviews
    const discoveries = yield* Discoveries
    const context = yield* TeamContext

    /** Team context and observations are read with their own permissions, too: a summary is no way around scopes. */
    const read = Effect.fn("RepositoryBriefs.read")(function* (path: RepositoryPath) {
      const { permissions } = yield* Caller
      const overview = yield* overviews.ofRepository(path)
      const knowledge = yield* discoveries.knowledge(path, most.directives)
      const digest = holds(permissions, "view_context") ? yield* context.repositoryDigest(path, most.entries) : null
      const seesObservations = holds(permissions, "view_observations")
      const { head_sha, last_audit_sha } = overview
      return {
        repo_name: overview.repo_name,
        description: overview.description === null ? null : clip(overview.description, longest.description),
        head_sha,
        last_audit_at: overview.last_audit_at,
        last_audit_sha,
        is_current: last_audit_sha === null || head_sha === null ? false : last_audit_sha === head_sha,
        last_discovery_at: overview.last_discovery_at,
        active_jobs: overview.active_jobs,
        lines: overview.lines,
        open: overview.open,
        open_fix_pr_count: overview.open_fix_pr_count,
        directives: seesObservations
          ? knowledge.directives.map(({ ref, priority, title, file_path, line_start }) => ({
              ref,
              priority,
              title: clip(title, longest.title),
              file_path,
              line_start
            }))
          : [],
        languages: namesIn(knowledge.profile, "languages"),
        frameworks: namesIn(knowledge.profile, "frameworks"),
        package_managers: namesIn(knowledge.profile, "package_managers"),
        principles: knowledge.principles === null ? null : clip(knowledge.principles, longest.principles),
        patterns: knowledge.patterns.slice(0, most.patterns).map(({ name }) => clip(name, longest.label)),
        context:
          digest === null || digest.unchanged
            ? []
            : digest.value.entries.map(({ key, kind, status, summary }) => ({
                key: clip(key, longest.title),
                kind,
                status,
                summary: clip(summary, longest.summary)
              })),
        context_truncated: digest !== null && !digest.unchanged && digest.value.truncated,
        not_shown: needed.filter((scope) => !holds(permissions, scope))
      } satisfies RepositoryBrief
    })

    return { read }
  })
}) {}

const needed: ReadonlyArray<Scope> = ["view_observations", "view_context"]

/** The names of a list of the profile, whose shape is the discovery's own. */
const namesIn = (profile: { readonly [key: string]: unknown } | null, key: string): ReadonlyArray<string> => {
  const list = profile?.[key]
  if (!Array.isArray(list)) return []
  return list
    .flatMap((item: unknown) => {
      if (typeof item !== "object" || item === null || !("name" in item)) return []
      return typeof item.name === "string" ? [clip(item.name, longest.label)] : []
    })
    .slice(0, 10)
}
