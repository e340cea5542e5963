import { Effect } from "effect"
import type { RepositoryId } from "../../schema/Ids.ts"
import type { Issue, IssueNumber } from "../../schema/Issue.ts"
import type { UpdateIssue } from "../../schema/IssueRequests.ts"
import { VersionConflict } from "../../schema/TeamContext.ts"
import { Caller } from "../access/Caller.ts"
import type { SeenVersion } from "../support/seenVersion.ts"
import type { NewIssueEvent } from "./IssueEvents.ts"
import { IssueFiling, sorted } from "./IssueFiling.ts"
import { IssueFilingRepo } from "./IssueFilingRepo.ts"
import { IssueNames, inOrder, type NamedAssignee, shownAssignee } from "./IssueNames.ts"
import { type IssueFields, IssuesRepo } from "./IssuesRepo.ts"
import { IssueWriter, type OpenedIssue } from "./IssueWriter.ts"

/** Changes of what an issue says. */
export class IssueEdits extends Effect.Service<IssueEdits>()("IssueEdits", {
  effect: Effect.gen(function* () {
    const repo = yield* IssuesRepo
    const parts = yield* IssueFilingRepo
    const filing = yield* IssueFiling
    const writer = yield* IssueWriter
    const names = yield* IssueNames

    /** What the issue is about from now on. Repositories that the caller does not see stay. */
    const repositoriesAfter = Effect.fnUntraced(function* (issue: OpenedIssue, slugs: UpdateIssue["repos"]) {
      if (slugs === undefined) return issue.repository_ids
      const { hidden_repositories } = yield* Caller
      const kept = issue.repository_ids.filter((id) => hidden_repositories.includes(id))
      return inOrder([...kept, ...(yield* names.repositoryIds(slugs))])
    })

    /** One event for each repository: who may not see one, does not see its event. */
    const repositoryEvents = Effect.fnUntraced(function* (issue: OpenedIssue, after: ReadonlyArray<RepositoryId>) {
      const added = after.filter((id) => !issue.repository_ids.includes(id))
      const removed = issue.repository_ids.filter((id) => !after.includes(id))
      if (added.length + removed.length === 0) return []
      const slugs = yield* parts.slugs({ workspace_id: issue.workspace_id, ids: [...added, ...removed] })
      const eventOf = (event: "repository_added" | "repository_removed") => (repository_id: RepositoryId) => ({
        event,
        repository_id,
        detail: { repository: slugs.get(repository_id) ?? null }
      })
      return [...added.map(eventOf("repository_added")), ...removed.map(eventOf("repository_removed"))]
    })

    const levelAfter = Effect.fnUntraced(function* (issue: OpenedIssue, slug: string | undefined) {
      return slug === undefined || slug === issue.project ? issue.project_id : (yield* filing.levelFor(slug)).id
    })

    const assigneeAfter = (issue: OpenedIssue, before: Issue, name: UpdateIssue["assignee"]) => {
      const { assignee_user_id, assignee_key_id } = issue
      const unchanged: NamedAssignee = { assignee_user_id, assignee_key_id, shown: shownAssignee(before) }
      return name === undefined ? Effect.succeed(unchanged) : names.assignee(name)
    }

    const fieldsAfter = Effect.fnUntraced(function* (issue: OpenedIssue, before: Issue, changes: UpdateIssue) {
      const { project, repos, assignee, labels = issue.labels } = changes
      const { shown, ...assigned } = yield* assigneeAfter(issue, before, assignee)
      const fields: IssueFields = {
        ...assigned,
        title: changes.title ?? issue.title,
        body_md: changes.body_md ?? issue.body_md,
        priority: changes.priority ?? issue.priority,
        labels: sorted(labels),
        project_id: yield* levelAfter(issue, project),
        repository_ids: yield* repositoriesAfter(issue, repos)
      }
      return { fields, shown }
    })

    /** Rejected where the issue is not the version that the caller has seen; without one, whatever it is. */
    const update = Effect.fn("IssueEdits.update")(function* (
      number: IssueNumber,
      changes: UpdateIssue,
      seen: SeenVersion | null
    ) {
      const expected = seen === null ? null : yield* seen
      const { issue } = yield* writer.change(number, {}, (issue, _by, before) =>
        Effect.gen(function* () {
          if (expected !== null && (expected.id !== issue.id || expected.version !== issue.version)) {
            return yield* versionConflict(issue)
          }
          const { fields, shown } = yield* fieldsAfter(issue, before, changes)
          const happened: ReadonlyArray<NewIssueEvent> = [
            ...edited({ ...issue, assignee: shownAssignee(before) }, { ...fields, assignee: shown }),
            ...moved(issue, fields),
            ...(yield* repositoryEvents(issue, fields.repository_ids))
          ]
          if (happened.length > 0) yield* repo.edit(issue, fields)
          return happened
        })
      )
      return issue
    })

    return { update }
  })
}) {}

const versionConflict = ({ id, version }: OpenedIssue) => {
  const current_etag = `${id}:${version}`
  return new VersionConflict({
    message: `The issue changed; its ETag is now ${current_etag}. Read it again, and send that one.`,
    details: { current_etag }
  })
}

/** The levels by their IDs: readers of the history see the slugs of those that are not hidden from them. */
const moved = ({ project_id: from }: OpenedIssue, { project_id: to }: IssueFields): ReadonlyArray<NewIssueEvent> =>
  from === to ? [] : [{ event: "moved", detail: { from, to } }]

interface Edited extends Pick<IssueFields, "title" | "body_md" | "priority" | "labels"> {
  readonly assignee: string | null
}

const editedFields = ["title", "body_md", "priority", "labels", "assignee"] as const

/** One event for all fields that differ; of the text it says only that it changed. */
const edited = (before: Edited, after: Edited): ReadonlyArray<NewIssueEvent> => {
  const fields = editedFields.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  if (fields.length === 0) return []
  const shown = (values: Edited) =>
    Object.fromEntries(fields.filter((name) => name !== "body_md").map((name) => [name, values[name]]))
  return [{ event: "updated", detail: { fields, from: shown(before), to: shown(after) } }]
}
