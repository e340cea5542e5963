import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { ViewId } from "../../schema/Ids.ts"
import { PermissionDenied } from "../../schema/Member.ts"
import { defaultPageSize, type PageRequest } from "../../schema/Page.ts"
import {
  type CreateView,
  maxViews,
  repositoryOf,
  type UpdateView,
  type View,
  ViewLimitReached,
  ViewNameTaken,
  ViewNotFound
} from "../../schema/View.ts"
import { Caller, personOf } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { unrestricted } from "../access/Reach.ts"
import { managesWorkspace } from "../access/roles.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { type ViewRow, ViewsRepo } from "./ViewsRepo.ts"

/** Saved views of the list of observations. A view of a repository is seen by those only who may see the repository. */
export class Views extends Effect.Service<Views>()("Views", {
  effect: Effect.gen(function* () {
    const repo = yield* ViewsRepo
    const repositories = yield* Repositories
    const cursors = yield* Cursors
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    // The operations admit sessions only.
    const person = Effect.map(Caller, (caller) => ({ workspace_id: caller.workspace_id, ...personOf(caller) }))

    /** A view names a repository that its maker can see, or none. */
    const repositoryIn = (query: string) => {
      const slug = repositoryOf(query)
      return slug === null ? Effect.succeed(null) : repositories.resolveSlug(slug, "query")
    }

    const list = Effect.fn("Views.list")(function* ({ limit = defaultPageSize, cursor }: PageRequest) {
      const { workspace_id, user_id } = yield* person
      const filters = { user_id }
      const after = yield* cursors.open("views", filters, cursor)
      const rows = yield* repo.list({ workspace_id, user_id, after, limit })
      const page = yield* cursors.page("views", filters, limit, rows, (row) => [row.name, row.id])
      return { ...page, data: page.data.map(viewOf) }
    })

    /** The view, locked, when the caller may change it. */
    const changeable = Effect.fnUntraced(function* (id: ViewId) {
      const { workspace_id, user_id, role } = yield* person
      const found = yield* repo.lock({ workspace_id, user_id, id })
      if (Option.isNone(found)) return yield* new ViewNotFound({ message: `No view ${id}.` })
      const row = found.value
      if (row.user_id !== user_id && (role === null || !managesWorkspace(role))) {
        return yield* new PermissionDenied({
          message: "Only its maker and admins change a shared view; save a view of your own instead."
        })
      }
      return row
    })

    const create = Effect.fn("Views.create")(function* ({ name, query, shared }: CreateView) {
      const { workspace_id, user_id } = yield* person
      const id = yield* newId(ViewId)
      const repository_id = yield* repositoryIn(query)
      yield* repo.lockViewsOf({ workspace_id, user_id })
      if ((yield* unrestricted(repo.countOf({ workspace_id, user_id }))) >= maxViews) {
        return yield* new ViewLimitReached({
          message: `A person has at most ${maxViews} views in a workspace; delete one first.`
        })
      }
      if (yield* unrestricted(repo.isTaken({ workspace_id, user_id, name, id }))) return yield* nameTaken(name)
      yield* repo.insert({ id, workspace_id, user_id, repository_id, name, query, shared, created_at: yield* now })
      const view = viewOf(yield* changeable(id).pipe(Effect.orDie))
      yield* auditLog.record({ object: { kind: "view", ref: id }, before: null, after: contentOf(view) })
      return view
    }, inTransaction)

    const update = Effect.fn("Views.update")(function* (id: ViewId, changes: UpdateView) {
      const { workspace_id } = yield* Caller
      const row = yield* changeable(id)
      const { name, query, shared } = { ...contentOf(row), ...changes }
      const repository_id = yield* repositoryIn(query)
      if (name !== row.name) {
        yield* repo.lockViewsOf({ workspace_id, user_id: row.user_id })
        if (yield* unrestricted(repo.isTaken({ workspace_id, user_id: row.user_id, name, id })))
          return yield* nameTaken(name)
      }
      yield* repo.update({ workspace_id, id, repository_id, name, query, shared, at: yield* now })
      const view = viewOf({ ...row, name, query, shared, updated_at: yield* now })
      yield* auditLog.record({ object: { kind: "view", ref: id }, before: contentOf(row), after: contentOf(view) })
      return view
    }, inTransaction)

    const remove = Effect.fn("Views.remove")(function* (id: ViewId) {
      const { workspace_id } = yield* Caller
      const row = yield* changeable(id)
      yield* repo.remove({ workspace_id, id })
      yield* auditLog.record({ object: { kind: "view", ref: id }, before: contentOf(row), after: null })
    }, inTransaction)

    return { list, create, update, remove }
  })
}) {}

const contentOf = ({ name, query, shared }: Pick<View, "name" | "query" | "shared">) => ({ name, query, shared })

const viewOf = ({ user_id, email, ...row }: ViewRow): View => ({
  ...row,
  created_by: { kind: "user", user_id, api_key: null, label: email }
})

const nameTaken = (name: string) =>
  new ViewNameTaken({
    message: `A view of the same maker is called ${name} already; choose another name.`,
    param: "name"
  })
