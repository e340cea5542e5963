import { Either, ParseResult, Schema } from "effect"
import { conflict, notFound } from "./ApiError.ts"
import { AuditActor } from "./AuditLog.ts"
import { closed, record } from "./closed.ts"
import { ages } from "./Facets.ts"
import { ViewId } from "./Ids.ts"
import { maxSearch, ObservationsQuery } from "./Observation.ts"
import { described, field, Instant, oneOf, optional, text } from "./Text.ts"

export const maxViewName = 200
export const maxViewQuery = 2000
/** Views that one person may have in a workspace. */
export const maxViews = 200

const { limit: _limit, cursor: _cursor, include: _include, ...filters } = ObservationsQuery.fields
/** How the web app shows the list: an age, which means the same on every day, and what rows are grouped by. */
const appearance = {
  age: optional(oneOf(...ages)),
  group: optional(oneOf("priority", "rule", "file", "domain", "repository"))
}
/** What a view may narrow and order the list of observations by. */
const ViewFilters = closed({ ...filters, q: optional(text(1, maxSearch)), ...appearance })
const filterNames = Object.keys(ViewFilters.fields)
const decodeFilters = ParseResult.decodeUnknownEither(ViewFilters)

/** Why a text is no query of the list, in words. */
const queryProblem = (query: string): string | undefined => {
  const parameters = [...new URLSearchParams(query)]
  const names = parameters.map(([name]) => name)
  const unknown = names.find((name) => !filterNames.includes(name))
  if (unknown !== undefined) return `may have the filters ${filterNames.join(", ")} only`
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) return `has ${repeated} more than once`
  const decoded = decodeFilters(Object.fromEntries(parameters))
  if (Either.isRight(decoded)) return
  const [problem] = ParseResult.ArrayFormatter.formatIssueSync(decoded.left)
  return `has a filter that the list rejects: ${problem?.path.join(".")} ${problem?.message}`
}

/** The slug that a view's query names, if it names one. */
export const repositoryOf = (query: string): string | null => new URLSearchParams(query).get("repo")

const ViewName = text(1, maxViewName)
  .pipe(Schema.filter((name) => (name.trim() === "" ? "must have a visible character" : undefined)))
  .annotations({ jsonSchema: { type: "string", minLength: 1, maxLength: maxViewName } })

const ViewQuery = text(0, maxViewQuery)
  .pipe(Schema.filter((query) => queryProblem(query)))
  .annotations({ jsonSchema: { type: "string", maxLength: maxViewQuery } })

const name = described(ViewName, "Name of the view, unique among the views of its maker.")
const query = described(
  ViewQuery,
  "Query string of the list of observations, without `limit`, `cursor` and `include`, such as `status=new&priority=P0`; `q` for search words. `age` (today, week, month, older) and `group` (priority, rule, file, domain, repository) say how the web app shows it. Empty for the whole list."
)
const shared = described(Schema.Boolean, "Whether all members of the workspace see the view; otherwise its maker only.")

export const ViewPath = Schema.Struct({ view_id: field(ViewId, "ID of the view.") })

export const View = record(
  "View",
  {
    id: field(ViewId, "ID of the view."),
    name,
    query: described(Schema.String, "Query string of the list of observations."),
    shared,
    created_by: field(AuditActor, "Who made the view."),
    created_at: field(Instant, "When it was made."),
    updated_at: field(Instant, "When it last changed.")
  },
  {
    id: ViewId.make("01a1f84d-c1ea-70a9-a51e-fdfa95578d70"),
    name: "Severe and new",
    query: "status=new&priority=P0&order=display_rank",
    shared: true,
    created_by: { kind: "user", user_id: null, api_key: null, label: "ada@example.org" },
    created_at: "2026-11-20T09:30:00.120Z",
    updated_at: "2026-11-20T09:30:00.120Z"
  }
)
export type View = typeof View.Type

export const CreateView = closed({ name, query, shared }, "CreateViewRequest", {
  name: "Severe and new",
  query: "status=new&priority=P0&order=display_rank",
  shared: true
})
export type CreateView = typeof CreateView.Type

export const UpdateView = closed(
  { name: optional(name), query: optional(query), shared: optional(shared) },
  "UpdateViewRequest",
  { shared: false }
)
export type UpdateView = typeof UpdateView.Type

export class ViewNotFound extends notFound("ViewNotFound", "not_found") {}
export class ViewNameTaken extends conflict("ViewNameTaken", "view_name_taken") {}
export class ViewLimitReached extends conflict("ViewLimitReached", "view_limit_reached") {}
