import { Context, type Effect, type Option, type Redacted, Schema } from "effect"
import type { TrackerKind } from "../../schema/Tracker.ts"

/** Where tickets are created, and as whom. */
export interface TrackerAccount {
  readonly base_url: string
  readonly project: string
  readonly email: string | null
  /** Null on GitHub, where the GitHub App's access is used. */
  readonly token: Redacted.Redacted | null
}

/** A part of a text, which each tracker writes in its own markup. Code may touch no markup: it holds text of repositories. */
export type Block =
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "list"; readonly items: ReadonlyArray<ListItem> }

/** A label, and what it is about: plain text, code, or a link. */
export interface ListItem {
  readonly label: string
  readonly value: string
  readonly form: "text" | "code" | "link"
}

/** What a ticket or comment of ours is recognised by in the tracker. */
export interface Mark {
  /** For people: `<workspace>/OBS-12`. */
  readonly about: string
  /** A UUID that no one else knows before it is published. */
  readonly id: string
  /** Nothing with this mark is older. */
  readonly since: string
}

export interface TicketDraft {
  readonly mark: Mark
  readonly title: string
  readonly body: ReadonlyArray<Block>
}

export interface PublishedTicket {
  /** What the tracker calls it in its API. */
  readonly key: string
  /** Where people read it. */
  readonly url: string
}

export interface CommentDraft {
  readonly mark: Mark
  readonly body: ReadonlyArray<Block>
}

/**
 * `unavailable`: no answer, or the tracker asks to wait; what was asked for may have happened. `address_refused`: the
 * operator does not let the service call there. `credentials`: the token is not accepted or may not do this. `project_not_found`, `ticket_not_found`: it is not there, or hidden from the token.
 * `rejected`: the tracker does not take what was sent. The message is for a person and quotes nothing that was sent.
 */
export class TicketTrackerError extends Schema.TaggedError<TicketTrackerError>()("TicketTrackerError", {
  reason: Schema.Literal(
    "unavailable",
    "address_refused",
    "credentials",
    "project_not_found",
    "ticket_not_found",
    "rejected"
  ),
  message: Schema.String,
  retryAfterSeconds: Schema.NullOr(Schema.Number)
}) {}

/** One kind of tracker. */
export interface TicketTracker {
  /** The ticket with the mark, if it was created before. */
  readonly find: (
    account: TrackerAccount,
    mark: Mark
  ) => Effect.Effect<Option.Option<PublishedTicket>, TicketTrackerError>
  readonly create: (account: TrackerAccount, draft: TicketDraft) => Effect.Effect<PublishedTicket, TicketTrackerError>
  /** Whether the ticket has the comment with the mark. */
  readonly hasComment: (
    account: TrackerAccount,
    ticket: PublishedTicket,
    mark: Mark
  ) => Effect.Effect<boolean, TicketTrackerError>
  readonly comment: (
    account: TrackerAccount,
    ticket: PublishedTicket,
    draft: CommentDraft
  ) => Effect.Effect<void, TicketTrackerError>
}

export class TicketTrackers extends Context.Tag("TicketTrackers")<
  TicketTrackers,
  Readonly<Record<TrackerKind, TicketTracker>>
>() {}
