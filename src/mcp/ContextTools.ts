import { Effect, Schema } from "effect"
import { context as operations } from "../schema/operations/index.ts"
import {
  ContextDigest,
  ContextEntriesPage,
  ContextEntry,
  ContextHistoryPage,
  ContextKind,
  ContextScope,
  ContextWritten,
  contextFilters,
  digestLimit,
  filled
} from "../schema/TeamContext.ts"
import { described, JsonObject, optional } from "../schema/Text.ts"
import { ContextEntries } from "../services/context/ContextEntries.ts"
import { ContextEntryStates } from "../services/context/ContextEntryStates.ts"
import { seenVersion } from "../services/context/entryRules.ts"
import { type Current, TeamContext, type Unchanged } from "../services/context/TeamContext.ts"
import { pageArgs, repositoryArgs } from "./args.ts"
import { tool } from "./Tool.ts"

const project = {
  project: optional(described(Schema.String, "Slug of an area, space or project. Default: the workspace."))
}
const key = { key: Schema.String }
const expected_etag = { expected_etag: described(Schema.String, "The entry's current `etag`.") }

const extras = {
  body_md: optional(Schema.String),
  data: optional(JsonObject),
  scope: optional(ContextScope),
  tags: optional(Schema.Array(Schema.String)),
  agent_label: optional(described(Schema.String, "Who you are; default: the key's name."))
}
const content = { kind: ContextKind, title: filled, summary: filled, ...extras }

// Without a condition there is nothing a client could have already.
const valueOf = <A>(found: Unchanged | Current<A>): A => {
  if (found.unchanged) throw new Error("A set without a condition is always sent.")
  return found.value
}

const expected = (etag: string) => seenVersion(etag, "expected_etag")

export const ContextTools = Effect.map(
  Effect.all([TeamContext, ContextEntries, ContextEntryStates]),
  ([context, entries, states]) => [
    tool({
      name: "get_context_digest",
      title: "Get context digest",
      description: "Read what the team wants known, one line an entry; read this before you act.",
      operation: operations.readDigest,
      args: { ...project, limit: digestLimit },
      result: ContextDigest,
      quotesRepository: false,
      run: ({ project = null, limit }) => Effect.map(context.digest(project, limit), valueOf)
    }),
    tool({
      name: "get_repo_context_digest",
      title: "Get repository context digest",
      operation: operations.readRepositoryDigest,
      args: { ...repositoryArgs, limit: digestLimit },
      result: ContextDigest,
      quotesRepository: false,
      run: ({ limit, ...path }) => Effect.map(context.repositoryDigest(path, limit), valueOf)
    }),
    tool({
      name: "list_context_entries",
      title: "List context entries",
      description: "List or search context entries that apply at a level; get_context_entry has the body.",
      operation: operations.listEntries,
      args: { ...project, ...contextFilters, include_disabled: optional(Schema.Boolean), ...pageArgs(20) },
      result: ContextEntriesPage,
      quotesRepository: false,
      run: ({ project = null, limit = 20, ...query }) => Effect.map(context.list(project, { ...query, limit }), valueOf)
    }),
    tool({
      name: "get_context_entry",
      title: "Get context entry",
      operation: operations.readEntry,
      args: { ...project, ...key },
      result: ContextEntry,
      quotesRepository: false,
      run: ({ project = null, key }) => context.get(project, key)
    }),
    tool({
      name: "get_context_entry_history",
      title: "Get context entry history",
      operation: operations.readHistory,
      args: { ...project, ...key, ...pageArgs(10) },
      result: ContextHistoryPage,
      quotesRepository: false,
      run: ({ project = null, key, limit = 10, ...page }) => context.history(project, key, { ...page, limit })
    }),
    tool({
      name: "create_context_entry",
      title: "Create context entry",
      operation: operations.createEntry,
      args: { ...project, ...key, ...content },
      result: ContextWritten,
      quotesRepository: false,
      run: ({ project = null, ...request }) => entries.create(project, request)
    }),
    tool({
      name: "upsert_context_entry",
      title: "Upsert context entry",
      description: "Replace the entry that has `expected_etag`; without one, create it only.",
      operation: operations.putEntry,
      args: { ...project, ...key, expected_etag: optional(expected_etag.expected_etag), ...content },
      result: ContextWritten,
      quotesRepository: false,
      run: ({ project = null, key, expected_etag, ...request }) =>
        expected_etag === undefined
          ? entries.create(project, { ...request, key })
          : entries.replace(project, key, request, expected(expected_etag))
    }),
    tool({
      name: "update_context_entry",
      title: "Update context entry",
      description: "Change the given fields of a context entry; `data` is merged, null removes a key of it.",
      operation: operations.patchEntry,
      args: {
        ...project,
        ...key,
        ...expected_etag,
        kind: optional(ContextKind),
        title: optional(filled),
        summary: optional(filled),
        ...extras
      },
      result: ContextWritten,
      quotesRepository: false,
      run: ({ project = null, key, expected_etag, ...request }) =>
        entries.patch(project, key, request, expected(expected_etag))
    }),
    tool({
      name: "disable_context_entry",
      title: "Disable context entry",
      operation: operations.disableEntry,
      args: { ...project, ...key, ...expected_etag, reason: filled },
      result: ContextWritten,
      quotesRepository: false,
      run: ({ project = null, key, expected_etag, reason }) =>
        states.disable(project, key, reason, expected(expected_etag))
    }),
    tool({
      name: "restore_context_entry",
      title: "Restore context entry",
      operation: operations.restoreEntry,
      args: { ...project, ...key },
      result: ContextWritten,
      quotesRepository: false,
      run: ({ project = null, key }) => states.restore(project, key)
    }),
    tool({
      name: "corroborate_context_entry",
      title: "Corroborate context entry",
      operation: operations.corroborateEntry,
      args: { ...project, ...key, ...expected_etag },
      result: ContextWritten,
      quotesRepository: false,
      run: ({ project = null, key, expected_etag }) => states.corroborate(project, key, expected(expected_etag))
    })
  ]
)
