import { DateTime, Effect } from "effect"
import type { ProjectId, WorkspaceId } from "../../schema/Ids.ts"
import { maxNotices, noticeDays } from "../../schema/Notice.ts"
import { now } from "../support/now.ts"
import { type NewNotice, NoticesRepo } from "./NoticesRepo.ts"

/**
 * Writes notices to people, in the transaction that makes the fact true; a person gets one of a kind and subject, however
 * often it is reported. Notices of ended jobs are written by the statement that ends them.
 */
export class NoticeWriter extends Effect.Service<NoticeWriter>()("NoticeWriter", {
  effect: Effect.gen(function* () {
    const repo = yield* NoticesRepo

    const add = Effect.fn("NoticeWriter.add")(function* (
      notice: Omit<NewNotice, "at" | "repository_id"> & Partial<Pick<NewNotice, "repository_id">>
    ) {
      yield* repo.insert({ repository_id: null, ...notice, at: yield* now })
    })

    /** An audit recorded so many new observations of the two highest priorities. */
    const newFindings = Effect.fn("NoticeWriter.newFindings")(function* (
      request: Parameters<typeof repo.insertNewFindings>[0]
    ) {
      if (request.count > 0) yield* repo.insertNewFindings(request)
    })

    /** An API key proposed a context entry at a level, or at the workspace itself (`null`). */
    const entryProposed = Effect.fn("NoticeWriter.entryProposed")(function* (
      workspace_id: WorkspaceId,
      level: { readonly slug: string; readonly line: ReadonlyArray<{ readonly id: ProjectId }> } | null
    ) {
      yield* repo.insertProposal({
        workspace_id,
        line: level === null ? [] : level.line.map(({ id }) => id),
        slug: level?.slug ?? null,
        at: yield* now
      })
    })

    /** Something waits on any of these people. */
    const waits = Effect.fn("NoticeWriter.waits")(function* (
      notice: Omit<Parameters<typeof repo.insertWaiting>[0], "at" | "kind">
    ) {
      yield* repo.insertWaiting({ ...notice, kind: "waiting_on_me", at: yield* now })
    })

    /** It does not any more. */
    const waitsNoLonger = Effect.fn("NoticeWriter.waitsNoLonger")(function* (of: {
      readonly workspace_id: WorkspaceId
      readonly subject: string
    }) {
      yield* repo.settle({ ...of, kind: "waiting_on_me", at: yield* now })
    })

    /** Deletes what is too old, and what is too much. */
    const forget = Effect.fn("NoticeWriter.forget")(function* () {
      const before = DateTime.formatIso(DateTime.subtract(yield* DateTime.now, { days: noticeDays }))
      yield* repo.forget({ before, most: maxNotices })
    })

    return { add, newFindings, entryProposed, waits, waitsNoLonger, forget }
  })
}) {}
