import { Effect, Schema } from "effect"
import { context as operations } from "../schema/operations/index.ts"
import {
  ContextDigest,
  ContextEntriesPage,
  ContextEntrySummary,
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
import { TeamContext } from "../services/context/TeamContext.ts"
import { seenVersion } from "../services/support/seenVersion.ts"
import { pageWithin } from "./answerSize.ts"
import { pageArgs, repositoryArgs } from "./args.ts"
import {
  acknowledgement,
  ContextAcknowledgement,
  ContextEntryWindow,
  ContextEventRow,
  ContextHistoryRows,
  digestWithin,
  eventRow,
  offset,
  valueOf,
  windowAt
} from "./contextAnswers.ts"
import { tool } from "./Tool.ts"

const project = { project: optional(Schema.String, "Slug of an area, space or project; default: the workspace.") }
const key = { key: field(Schema.String, "Key of the entry, as list_context_entries and the digests show it.") }
const currentEtag = described(Schema.String, "The entry's current `etag`.")
const expected_etag = { expected_etag: currentEtag }

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
      run: ({ project = null, limit }) => digestWithin(limit, (limit) => context.digest(project, limit))
    }),
    tool({
      name: "get_repo_context_digest",
      title: "Get repository context digest",
      description:
        "Read the digest of the most specific project, space or area of a repository. Use get_context_entry for the text.",
      operation: operations.readRepositoryDigest,
      args: { ...repositoryArgs, limit: digestLimit },
      result: ContextDigest,
      run: ({ limit, ...path }) => digestWithin(limit, (limit) => context.repositoryDigest(path, limit))
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
      run: ({ project = null, limit = 20, ...query }) =>
        pageWithin(ContextEntrySummary, limit, (limit) =>
          Effect.map(context.list(project, { ...query, limit }), valueOf)
        )
    }),
    tool({
      name: "get_context_entry",
      title: "Get context entry",
      description: "Read one context entry in full. Use get_context_entry_history for its changes.",
      operation: operations.readEntry,
      args: { ...project, ...key, ...offset },
      result: ContextEntryWindow,
      run: ({ project = null, key, offset }) => Effect.map(context.get(project, key), windowAt(offset))
    }),
    tool({
      name: "get_context_entry_history",
      title: "Get context entry history",
      description:
        "List changes of a context entry with the previous values, newest first. Use get_context_entry for the current ones.",
      operation: operations.readHistory,
      args: { ...project, ...key, ...pageArgs(10) },
      result: ContextHistoryRows,
      run: ({ project = null, key, limit = 10, ...query }) =>
        pageWithin(ContextEventRow, limit, (limit) =>
          Effect.map(context.history(project, key, { ...query, limit }), (page) => ({
            ...page,
            data: page.data.map(eventRow)
          }))
        )
    }),
    tool({
      name: "create_context_entry",
      title: "Create context entry",
      description:
        "Create a context entry, proposed until a person confirms it. Use update_context_entry to change one.",
      operation: operations.createEntry,
      args: { ...project, ...createFields },
      result: ContextAcknowledgement,
      run: ({ project = null, ...request }) => Effect.map(entries.create(project, request), acknowledgement)
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
      result: ContextAcknowledgement,
      run: ({ project = null, key, expected_etag, ...request }) =>
        expected_etag === undefined
          ? Effect.map(entries.create(project, { ...request, key }), acknowledgement)
          : Effect.map(entries.replace(project, key, request, expected(expected_etag)), acknowledgement)
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
      result: ContextAcknowledgement,
      run: ({ project = null, key, expected_etag, ...request }) =>
        Effect.map(entries.patch(project, key, request, expected(expected_etag)), acknowledgement)
    }),
    tool({
      name: "disable_context_entry",
      title: "Disable context entry",
      description: "Disable a context entry and free its key. Use restore_context_entry to undo it.",
      operation: operations.disableEntry,
      args: { ...project, ...key, ...expected_etag, ...DisableContextEntry.fields },
      result: ContextAcknowledgement,
      run: ({ project = null, key, expected_etag, reason }) =>
        Effect.map(states.disable(project, key, reason, expected(expected_etag)), acknowledgement)
    }),
    tool({
      name: "restore_context_entry",
      title: "Restore context entry",
      description:
        "Restore the most recently disabled context entry of a key. Use get_context_entry_history to see what it held.",
      operation: operations.restoreEntry,
      args: { ...project, ...key },
      result: ContextAcknowledgement,
      run: ({ project = null, key }) => Effect.map(states.restore(project, key), acknowledgement)
    }),
    tool({
      name: "corroborate_context_entry",
      title: "Corroborate context entry",
      description: "Corroborate a context entry that another key proposed. Use get_context_entry to read it first.",
      operation: operations.corroborateEntry,
      args: { ...project, ...key, ...expected_etag },
      result: ContextAcknowledgement,
      run: ({ project = null, key, expected_etag }) =>
        Effect.map(states.corroborate(project, key, expected(expected_etag)), acknowledgement)
    })
  ]
)
