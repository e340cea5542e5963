import { Effect, Option } from "effect"
import { type IssueNumber, type IssueSummary } from "../../schema/Issue.ts"
import type { IssuesQuery } from "../../schema/IssueRequests.ts"
import { defaultPageSize, type PageRequest } from "../../schema/Page.ts"
import { Cursors } from "../access/Cursors.ts"
import { Projects } from "../projects/Projects.ts"
import type { Position } from "../support/keyset.ts"
import type { Sight } from "./IssueColumnsRepo.ts"
import { IssueEventsRepo } from "./IssueEventsRepo.ts"
import { IssueListRepo, type IssueSelection } from "./IssueListRepo.ts"
import { IssueNames } from "./IssueNames.ts"
import { IssuesRepo } from "./IssuesRepo.ts"
import { IssueWriter, noIssue } from "./IssueWriter.ts"

/** Issues of a workspace. */
export class Issues extends Effect.Service<Issues>()("Issues", {
  effect: Effect.gen(function* () {
    const repo = yield* IssuesRepo
    const listRepo = yield* IssueListRepo
    const eventsRepo = yield* IssueEventsRepo
    const writer = yield* IssueWriter
    const names = yield* IssueNames
    const projects = yield* Projects
    const cursors = yield* Cursors

    const get = Effect.fn("Issues.get")((number: IssueNumber) => writer.read(number))

    const assigneeOf = Effect.fnUntraced(function* (name: string) {
      if (name === "none") return null
      const { assignee_user_id, assignee_key_id } = yield* names.assignee(name)
      if (assignee_key_id !== null) return { key_id: assignee_key_id }
      return assignee_user_id === null ? null : { user_id: assignee_user_id }
    })

    const levelsOf = (sight: Sight, project: string) =>
      Effect.flatMap(projects.level(project), ({ id }) => listRepo.levelsBelow(sight, id))

    const selectionOf = Effect.fnUntraced(function* (
      sight: Sight,
      { project, repo: slug, assignee, labels, ...same }: IssueFilters
    ) {
      return {
        ...same,
        ...(project === undefined ? {} : { project_ids: yield* levelsOf(sight, project) }),
        ...(slug === undefined ? {} : { repository_id: yield* names.repositoryId(slug) }),
        ...(assignee === undefined ? {} : { assignee: yield* assigneeOf(assignee) }),
        ...(labels === undefined ? {} : { labels: labelsOf(labels) })
      } satisfies IssueSelection
    })

    const list = Effect.fn("Issues.list")(function* ({ limit = defaultPageSize, cursor, ...filters }: IssuesQuery) {
      const sight = yield* writer.sight
      const selection = yield* selectionOf(sight, filters)
      const after = yield* cursors.open("issues", filters, cursor)
      const found = yield* listRepo.list(sight, { ...selection, after, limit })
      return yield* cursors.page("issues", filters, limit, found, positionIn(filters))
    })

    /** Newest first. */
    const events = Effect.fn("Issues.events")(function* (
      number: IssueNumber,
      { limit = defaultPageSize, cursor }: PageRequest
    ) {
      const sight = yield* writer.sight
      const id = yield* repo.idOf(sight, number)
      if (Option.isNone(id)) return yield* noIssue(number)
      const after = yield* cursors.open("issue events", { number }, cursor)
      const found = yield* eventsRepo.list(sight, { issue_id: id.value, after, limit })
      const page = yield* cursors.page("issue events", { number }, limit, found, ({ seq }) => [seq])
      return { ...page, data: page.data.map(({ seq: _, ...event }) => event) }
    })

    return { get, list, events }
  })
}) {}

type IssueFilters = Omit<IssuesQuery, "limit" | "cursor">

const labelsOf = (labels: string): ReadonlyArray<string> =>
  labels
    .split(",")
    .map((label) => label.trim())
    .filter((label) => label !== "")

const positionIn =
  ({ ready }: IssueFilters) =>
  ({ ref, priority }: IssueSummary): Position => {
    const number = Number(ref.slice("ISS-".length))
    return ready === true ? [priority, number] : [number]
  }
