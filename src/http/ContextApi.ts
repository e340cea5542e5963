import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { closed } from "../schema/closed.ts"
import { InvalidCursor, KeyRequired, SessionRequired } from "../schema/Errors.ts"
import type { Operation } from "../schema/Operation.ts"
import { context, projectContext } from "../schema/operations/index.ts"
import { pageQuery } from "../schema/Page.ts"
import { ProjectNotFound } from "../schema/Project.ts"
import { RepositoryPath } from "../schema/Repository.ts"
import {
  AlreadyCorroborated,
  ContextDigest,
  ContextEntriesPage,
  ContextEntriesQuery,
  ContextEntry,
  ContextEntryNotFound,
  ContextEntryWriteAck,
  ContextHistoryPage,
  ContextKeyPath,
  ContextKeyTaken,
  ContextWritten,
  CreateContextEntry,
  DigestQuery,
  DisableContextEntry,
  NotProposed,
  PatchContextEntry,
  ProjectContextKeyPath,
  ProjectContextPath,
  PutContextEntry,
  SelfCorroboration
} from "../schema/TeamContext.ts"
import { optional } from "../schema/Text.ts"
import { Authorization } from "./Authorization.ts"
import {
  ContextAccessErrors,
  ContextFieldErrors,
  ContextKeyErrors,
  ContextVersionErrors,
  RepositoryErrors
} from "./errors.ts"
import { IfMatch } from "./etag.ts"
import { asPath, onWire, serves } from "./wire.ts"

const IfNoneMatch = Schema.Struct({
  "if-none-match": optional(
    Schema.String,
    "On a list or a digest: the ETag of the known version. On PUT: `*`, to create only."
  )
})
const EitherMatch = Schema.Struct({ ...IfMatch.fields, ...IfNoneMatch.fields })

const NotModified = HttpApiSchema.Empty(304)

/** The same routes twice: for the workspace, and for an area, a space or a project. */
const entries = <const Name extends string, All extends Schema.Schema.Any, One extends Schema.Schema.Any>(
  name: Name,
  prefix: `/api/${string}`,
  paths: { readonly all: All; readonly one: One },
  operations: Readonly<Record<keyof typeof projectContext, Operation>>,
  description: string
) =>
  HttpApiGroup.make(name)
    .annotate(OpenApi.Description, description)
    .add(
      HttpApiEndpoint.get("list", `${prefix}/entries`)
        .annotateContext(serves(operations.listEntries))
        .setPath<All>(asPath(paths.all))
        .setUrlParams(ContextEntriesQuery)
        .setHeaders(IfNoneMatch)
        .addSuccess(ContextEntriesPage)
        .addSuccess(NotModified)
        .addError(onWire(InvalidCursor, ProjectNotFound))
    )
    .add(
      HttpApiEndpoint.get("digest", `${prefix}/entries/digest`)
        .annotateContext(serves(operations.readDigest))
        .setPath<All>(asPath(paths.all))
        .setUrlParams(DigestQuery)
        .setHeaders(IfNoneMatch)
        .addSuccess(ContextDigest)
        .addSuccess(NotModified)
        .addError(onWire(ProjectNotFound))
    )
    .add(
      HttpApiEndpoint.get("get", `${prefix}/entries/:key`)
        .annotateContext(serves(operations.readEntry))
        .setPath<One>(asPath(paths.one))
        .addSuccess(ContextEntry)
        .addError(onWire(ContextEntryNotFound, ProjectNotFound))
    )
    .add(
      HttpApiEndpoint.get("history", `${prefix}/entries/:key/history`)
        .annotateContext(serves(operations.readHistory))
        .setPath<One>(asPath(paths.one))
        .setUrlParams(closed(pageQuery))
        .addSuccess(ContextHistoryPage)
        .addError(onWire(InvalidCursor, ContextEntryNotFound, ProjectNotFound))
    )
    .add(
      HttpApiEndpoint.post("create", `${prefix}/entries`)
        .annotateContext(
          serves(
            operations.createEntry,
            "Creates an entry; returns `key_taken` while an enabled entry of the same level holds the key. Callers without view_context receive the acknowledgement only."
          )
        )
        .setPath<All>(asPath(paths.all))
        .setPayload(CreateContextEntry)
        .addSuccess(ContextEntry, { status: 201 })
        .addSuccess(ContextEntryWriteAck, { status: 201 })
        .addError(ContextKeyErrors)
        .addError(ContextFieldErrors)
        .addError(onWire(SessionRequired))
        .addError(ContextAccessErrors)
        .addError(onWire(ContextKeyTaken))
    )
    .add(
      HttpApiEndpoint.put("put", `${prefix}/entries/:key`)
        .annotateContext(
          serves(
            operations.putEntry,
            "Creates the entry with `If-None-Match: *` (201) or replaces it with `If-Match` (200). `data` is replaced when sent: null clears it. Left out, `data`, tags, labels and scope are kept."
          )
        )
        .setPath<One>(asPath(paths.one))
        .setHeaders(EitherMatch)
        .setPayload(PutContextEntry)
        .addSuccess(ContextWritten)
        .addSuccess(ContextEntry, { status: 201 })
        .addSuccess(ContextEntryWriteAck, { status: 201 })
        .addError(ContextKeyErrors)
        .addError(ContextFieldErrors)
        .addError(onWire(SessionRequired))
        .addError(ContextAccessErrors)
        .addError(ContextVersionErrors)
        .addError(onWire(ContextKeyTaken))
    )
    .add(
      HttpApiEndpoint.patch("patch", `${prefix}/entries/:key`)
        .annotateContext(
          serves(
            operations.patchEntry,
            "Changes parts of an entry. `data` is a JSON merge patch: null removes a key. A field that is null is left unchanged."
          )
        )
        .setPath<One>(asPath(paths.one))
        .setHeaders(IfMatch)
        .setPayload(PatchContextEntry)
        .addSuccess(ContextWritten)
        .addError(ContextKeyErrors)
        .addError(ContextFieldErrors)
        .addError(onWire(SessionRequired))
        .addError(ContextAccessErrors)
        .addError(ContextVersionErrors)
    )
    .add(
      HttpApiEndpoint.del("disable", `${prefix}/entries/:key`)
        .annotateContext(serves(operations.disableEntry))
        .setPath<One>(asPath(paths.one))
        .setHeaders(IfMatch)
        .setPayload(DisableContextEntry)
        .addSuccess(ContextWritten)
        .addError(ContextKeyErrors)
        .addError(ContextFieldErrors)
        .addError(ContextAccessErrors)
        .addError(ContextVersionErrors)
    )
    .add(
      HttpApiEndpoint.post("restore", `${prefix}/entries/:key/restore`)
        .annotateContext(
          serves(
            operations.restoreEntry,
            "Restores the most recently disabled entry of a key; returns `key_taken` while an enabled entry holds the key."
          )
        )
        .setPath<One>(asPath(paths.one))
        .addSuccess(ContextWritten)
        .addError(ContextKeyErrors)
        .addError(ContextAccessErrors)
        .addError(onWire(ContextEntryNotFound, ContextKeyTaken))
    )
    .add(
      HttpApiEndpoint.post("confirm", `${prefix}/entries/:key/confirm`)
        .annotateContext(serves(operations.confirmEntry))
        .setPath<One>(asPath(paths.one))
        .setHeaders(IfMatch)
        .addSuccess(ContextWritten)
        .addError(onWire(SessionRequired))
        .addError(ContextKeyErrors)
        .addError(ContextAccessErrors)
        .addError(ContextVersionErrors)
    )
    .add(
      HttpApiEndpoint.post("corroborate", `${prefix}/entries/:key/corroborate`)
        .annotateContext(serves(operations.corroborateEntry))
        .setPath<One>(asPath(paths.one))
        .setHeaders(IfMatch)
        .addSuccess(ContextWritten)
        .addError(onWire(KeyRequired))
        .addError(ContextKeyErrors)
        .addError(onWire(ProjectNotFound))
        .addError(ContextVersionErrors)
        .addError(onWire(NotProposed, AlreadyCorroborated, SelfCorroboration))
    )
    .middleware(Authorization)

export const ContextApi = entries(
  "context",
  "/api/context",
  { all: Schema.Struct({}), one: ContextKeyPath },
  context,
  "Notes of the team for people and agents, at the workspace."
).add(
  HttpApiEndpoint.get("repositoryDigest", "/api/repos/:github_org/:github_repo/:github_base_branch/context-digest")
    .annotateContext(serves(context.readRepositoryDigest))
    .setPath(RepositoryPath)
    .setUrlParams(DigestQuery)
    .setHeaders(IfNoneMatch)
    .addSuccess(ContextDigest)
    .addSuccess(NotModified)
    .addError(RepositoryErrors)
)

export const ProjectContextApi = entries(
  "project_context",
  "/api/projects/:slug/context",
  { all: ProjectContextPath, one: ProjectContextKeyPath },
  projectContext,
  "Notes of the team at an area, a space or a project, including what it inherits."
)
