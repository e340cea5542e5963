import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"
import { closed } from "../schema/closed.ts"
import { InsufficientScope, InvalidCursor, KeyRequired, SessionRequired } from "../schema/Errors.ts"
import type { Operation } from "../schema/Operation.ts"
import { context, projectContext } from "../schema/operations/index.ts"
import { pageQuery } from "../schema/Page.ts"
import { ProjectAccessRequired, ProjectNotFound } from "../schema/Project.ts"
import { RepositoryNotFound, RepositoryPath } from "../schema/Repository.ts"
import {
  AlreadyCorroborated,
  BlankField,
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
  FieldTooLarge,
  KeyNotAddressable,
  KeyPadded,
  KeyReserved,
  KeyTooLong,
  MalformedEtag,
  NotProposed,
  PatchContextEntry,
  PreconditionRequired,
  ProjectContextKeyPath,
  ProjectContextPath,
  PutContextEntry,
  ScopeInvalid,
  SecretDetected,
  SelfCorroboration,
  TagsInvalid,
  VersionConflict
} from "../schema/TeamContext.ts"
import { optional } from "../schema/Text.ts"
import { Authorization } from "./Authorization.ts"
import { asPath, onWire, serves } from "./wire.ts"

const IfMatch = Schema.Struct({ "if-match": optional(Schema.String) })
const IfNoneMatch = Schema.Struct({ "if-none-match": optional(Schema.String) })
const EitherMatch = Schema.Struct({ ...IfMatch.fields, ...IfNoneMatch.fields })

const NotModified = HttpApiSchema.Empty(304)

const KeyProblem = Schema.Union(onWire(KeyTooLong), onWire(KeyReserved), onWire(KeyNotAddressable), onWire(KeyPadded))
const FieldProblem = Schema.Union(
  onWire(FieldTooLarge),
  onWire(SecretDetected),
  onWire(ScopeInvalid),
  onWire(TagsInvalid),
  onWire(BlankField)
)
const AccessProblem = Schema.Union(onWire(ProjectNotFound), onWire(ProjectAccessRequired), onWire(InsufficientScope))
const VersionProblem = Schema.Union(
  onWire(ContextEntryNotFound),
  onWire(VersionConflict),
  onWire(MalformedEtag),
  onWire(PreconditionRequired)
)

/** The same routes twice: for the workspace, and for an area, a space or a project. */
const entries = <const Name extends string, All extends Schema.Schema.Any, One extends Schema.Schema.Any>(
  name: Name,
  prefix: `/api/${string}`,
  paths: { readonly all: All; readonly one: One },
  operations: Readonly<Record<keyof typeof projectContext, Operation>>
) =>
  HttpApiGroup.make(name)
    .add(
      HttpApiEndpoint.get("list", `${prefix}/entries`)
        .annotateContext(serves(operations.listEntries))
        .setPath<All>(asPath(paths.all))
        .setUrlParams(ContextEntriesQuery)
        .setHeaders(IfNoneMatch)
        .addSuccess(ContextEntriesPage)
        .addSuccess(NotModified)
        .addError(onWire(InvalidCursor))
        .addError(onWire(ProjectNotFound))
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
        .addError(onWire(ContextEntryNotFound))
        .addError(onWire(ProjectNotFound))
    )
    .add(
      HttpApiEndpoint.get("history", `${prefix}/entries/:key/history`)
        .annotateContext(serves(operations.readHistory))
        .setPath<One>(asPath(paths.one))
        .setUrlParams(closed(pageQuery))
        .addSuccess(ContextHistoryPage)
        .addError(onWire(InvalidCursor))
        .addError(onWire(ContextEntryNotFound))
        .addError(onWire(ProjectNotFound))
    )
    .add(
      HttpApiEndpoint.post("create", `${prefix}/entries`)
        .annotateContext(serves(operations.createEntry))
        .setPath<All>(asPath(paths.all))
        .setPayload(CreateContextEntry)
        .addSuccess(ContextEntry, { status: 201 })
        .addSuccess(ContextEntryWriteAck, { status: 201 })
        .addError(KeyProblem)
        .addError(FieldProblem)
        .addError(AccessProblem)
        .addError(onWire(ContextKeyTaken))
    )
    .add(
      HttpApiEndpoint.put("put", `${prefix}/entries/:key`)
        .annotateContext(serves(operations.putEntry))
        .setPath<One>(asPath(paths.one))
        .setHeaders(EitherMatch)
        .setPayload(PutContextEntry)
        .addSuccess(ContextWritten)
        .addSuccess(ContextEntry, { status: 201 })
        .addSuccess(ContextEntryWriteAck, { status: 201 })
        .addError(KeyProblem)
        .addError(FieldProblem)
        .addError(AccessProblem)
        .addError(VersionProblem)
        .addError(onWire(ContextKeyTaken))
    )
    .add(
      HttpApiEndpoint.patch("patch", `${prefix}/entries/:key`)
        .annotateContext(serves(operations.patchEntry))
        .setPath<One>(asPath(paths.one))
        .setHeaders(IfMatch)
        .setPayload(PatchContextEntry)
        .addSuccess(ContextWritten)
        .addError(KeyProblem)
        .addError(FieldProblem)
        .addError(AccessProblem)
        .addError(VersionProblem)
    )
    .add(
      HttpApiEndpoint.del("disable", `${prefix}/entries/:key`)
        .annotateContext(serves(operations.disableEntry))
        .setPath<One>(asPath(paths.one))
        .setHeaders(IfMatch)
        .setPayload(DisableContextEntry)
        .addSuccess(ContextWritten)
        .addError(KeyProblem)
        .addError(FieldProblem)
        .addError(AccessProblem)
        .addError(VersionProblem)
    )
    .add(
      HttpApiEndpoint.post("restore", `${prefix}/entries/:key/restore`)
        .annotateContext(serves(operations.restoreEntry))
        .setPath<One>(asPath(paths.one))
        .addSuccess(ContextWritten)
        .addError(KeyProblem)
        .addError(AccessProblem)
        .addError(onWire(ContextEntryNotFound))
        .addError(onWire(ContextKeyTaken))
    )
    .add(
      HttpApiEndpoint.post("confirm", `${prefix}/entries/:key/confirm`)
        .annotateContext(serves(operations.confirmEntry))
        .setPath<One>(asPath(paths.one))
        .setHeaders(IfMatch)
        .addSuccess(ContextWritten)
        .addError(onWire(SessionRequired))
        .addError(KeyProblem)
        .addError(AccessProblem)
        .addError(VersionProblem)
    )
    .add(
      HttpApiEndpoint.post("corroborate", `${prefix}/entries/:key/corroborate`)
        .annotateContext(serves(operations.corroborateEntry))
        .setPath<One>(asPath(paths.one))
        .setHeaders(IfMatch)
        .addSuccess(ContextWritten)
        .addError(onWire(KeyRequired))
        .addError(KeyProblem)
        .addError(onWire(ProjectNotFound))
        .addError(VersionProblem)
        .addError(onWire(NotProposed))
        .addError(onWire(AlreadyCorroborated))
        .addError(onWire(SelfCorroboration))
    )
    .middleware(Authorization)

export const ContextApi = entries(
  "context",
  "/api/context",
  { all: Schema.Struct({}), one: ContextKeyPath },
  context
).add(
  HttpApiEndpoint.get("repositoryDigest", "/api/repos/:github_org/:github_repo/:github_base_branch/context-digest")
    .annotateContext(serves(context.readRepositoryDigest))
    .setPath(RepositoryPath)
    .setUrlParams(DigestQuery)
    .setHeaders(IfNoneMatch)
    .addSuccess(ContextDigest)
    .addSuccess(NotModified)
    .addError(onWire(RepositoryNotFound))
)

export const ProjectContextApi = entries(
  "project_context",
  "/api/projects/:slug/context",
  { all: ProjectContextPath, one: ProjectContextKeyPath },
  projectContext
)
