import { Effect, Schema } from "effect"
import { context as operations } from "../schema/operations/index.ts"
import {
  ContextDigest,
  ContextEntriesPage,
  ContextEntry,
  ContextHistoryPage,
  ContextWritten,
  contextFilters,
  createFields,
  DisableContextEntry,
  digestLimit,
  patchFields,
  putFields
} from "../schema/TeamContext.ts"
import { described, field, optional } from "../schema/Text.ts"
import { ContextEntries } from "../services/context/ContextEntries.ts"
import { ContextEntryStates } from "../services/context/ContextEntryStates.ts"
import { seenVersion } from "../services/context/entryRules.ts"
import { type Current, TeamContext, type Unchanged } from "../services/context/TeamContext.ts"
import { pageArgs, repositoryArgs } from "./args.ts"
import { tool } from "./Tool.ts"

const project = { project: optional(Schema.String, "Slug of an area, space or project; default: the workspace.") }
const key = { key: field(Schema.String, "Key of the entry, as list_context_entries and the digests show it.") }
const currentEtag = described(Schema.String, "The entry's current `etag`.")
const expected_etag = { expected_etag: currentEtag }

// A tool sends no condition, so the service always returns the value.
const valueOf = <A>(found: Unchanged | Current<A>): A => {
  if (found.unchanged) throw new Error("A request without a condition returns the value.")
  return found.value
}

const expected = (etag: string) => seenVersion(etag, "expected_etag")

export const ContextTools = Effect.map(
  Effect.all([TeamContext, ContextEntries, ContextEntryStates]),
  ([context, entries, states]) => [
    tool({
      name: "get_context_digest",
      title: "Get context digest",
      description:
        "Read the context entries that apply at a level, one line each, before acting. Use get_context_entry for the text.",
      operation: operations.readDigest,
      args: { ...project, limit: digestLimit },
      result: ContextDigest,
      run: ({ project = null, limit }) => Effect.map(context.digest(project, limit), valueOf)
    }),
    tool({
      name: "get_repo_context_digest",
      title: "Get repository context digest",
      description:
        "Read the digest of the most specific project, space or area of a repository. Use get_context_entry for the text.",
      operation: operations.readRepositoryDigest,
      args: { ...repositoryArgs, limit: digestLimit },
      result: ContextDigest,
      run: ({ limit, ...path }) => Effect.map(context.repositoryDigest(path, limit), valueOf)
    }),
    tool({
      name: "list_context_entries",
      title: "List context entries",
      description: "List or search context entries that apply at a level. Use get_context_entry for the text.",
      operation: operations.listEntries,
      args: {
        ...project,
        ...contextFilters,
        include_disabled: optional(Schema.Boolean, "Also list this level's own disabled entries."),
        ...pageArgs(20)
      },
      result: ContextEntriesPage,
      run: ({ project = null, limit = 20, ...query }) => Effect.map(context.list(project, { ...query, limit }), valueOf)
    }),
    tool({
      name: "get_context_entry",
      title: "Get context entry",
      description: "Read one context entry in full. Use get_context_entry_history for its changes.",
      operation: operations.readEntry,
      args: { ...project, ...key },
      result: ContextEntry,
      run: ({ project = null, key }) => context.get(project, key)
    }),
    tool({
      name: "get_context_entry_history",
      title: "Get context entry history",
      description:
        "List changes of a context entry with the previous values, newest first. Use get_context_entry for the current ones.",
      operation: operations.readHistory,
      args: { ...project, ...key, ...pageArgs(10) },
      result: ContextHistoryPage,
      run: ({ project = null, key, limit = 10, ...page }) => context.history(project, key, { ...page, limit })
    }),
    tool({
      name: "create_context_entry",
      title: "Create context entry",
      description:
        "Create a context entry, proposed until a person confirms it. Use update_context_entry to change one.",
      operation: operations.createEntry,
      args: { ...project, ...createFields },
      result: ContextWritten,
      run: ({ project = null, ...request }) => entries.create(project, request)
    }),
    tool({
      name: "upsert_context_entry",
      title: "Upsert context entry",
      description:
        "Create an entry, or replace the version identified by `expected_etag`. Use update_context_entry to change single fields.",
      operation: operations.putEntry,
      args: {
        ...project,
        ...key,
        expected_etag: optional(
          Schema.String,
          "The entry's current `etag`, to replace it; leave it out to create the entry."
        ),
        ...putFields
      },
      result: ContextWritten,
      run: ({ project = null, key, expected_etag, ...request }) =>
        expected_etag === undefined
          ? entries.create(project, { ...request, key })
          : entries.replace(project, key, request, expected(expected_etag))
    }),
    tool({
      name: "update_context_entry",
      title: "Update context entry",
      description:
        "Change the given fields of a context entry; `data` is merged. Use upsert_context_entry to replace it.",
      operation: operations.patchEntry,
      args: {
        ...project,
        ...key,
        ...expected_etag,
        ...patchFields
      },
      result: ContextWritten,
      run: ({ project = null, key, expected_etag, ...request }) =>
        entries.patch(project, key, request, expected(expected_etag))
    }),
    tool({
      name: "disable_context_entry",
      title: "Disable context entry",
      description: "Disable a context entry and free its key. Use restore_context_entry to undo it.",
      operation: operations.disableEntry,
      args: { ...project, ...key, ...expected_etag, ...DisableContextEntry.fields },
      result: ContextWritten,
      run: ({ project = null, key, expected_etag, reason }) =>
        states.disable(project, key, reason, expected(expected_etag))
    }),
    tool({
      name: "restore_context_entry",
      title: "Restore context entry",
      description:
        "Restore the most recently disabled context entry of a key. Use get_context_entry_history to see what it held.",
      operation: operations.restoreEntry,
      args: { ...project, ...key },
      result: ContextWritten,
      run: ({ project = null, key }) => states.restore(project, key)
    }),
    tool({
      name: "corroborate_context_entry",
      title: "Corroborate context entry",
      description: "Corroborate a context entry that another key proposed. Use get_context_entry to read it first.",
      operation: operations.corroborateEntry,
      args: { ...project, ...key, ...expected_etag },
      result: ContextWritten,
      run: ({ project = null, key, expected_etag }) => states.corroborate(project, key, expected(expected_etag))
    })
  ]
)
