import { Statement } from "@effect/sql"
import { Context, Effect, FiberRef, FiberRefs, Option } from "effect"

/** Whether a caller waits for the statements of a fiber; those of jobs may take their time. */
export class StatementPatience extends Context.Reference<StatementPatience>()("StatementPatience", {
  defaultValue: (): "request" | "job" => "job"
}) {}

/** The statements of this are waited for as long as a caller should wait. */
export const withRequestPatience = Effect.provideService(StatementPatience, "request")

/** For the few statements of requests whose time grows with what they delete. */
export const withLongStatements = Effect.provideService(StatementPatience, "job")

export const isRequest = Effect.map(StatementPatience, (patience) => patience === "request")

/** What the pool learns of a statement from the comment that its text begins with, and takes off. */
export interface StatementMark {
  readonly isRequest: boolean
  /** Workspace whose rows may be touched: `*` all of them, empty none. */
  readonly workspace: string
  /** IDs of the repositories whose rows are hidden, separated by commas. */
  readonly hidden: string
}

const opening = "/* assay "
const closing = " */"

/** A statement without a mark belongs to the service itself: it is patient and sees every workspace. */
const unmarked: StatementMark = { isRequest: false, workspace: "*", hidden: "" }

const markOf = ({ isRequest, workspace, hidden }: StatementMark): string =>
  `${opening}${isRequest ? "request" : "job"} ${workspace} ${hidden}${closing}`

/** Makes the mark of a statement of the fiber's context. */
type MarkFor = (context: Context.Context<never>, isRequest: boolean) => Omit<StatementMark, "isRequest">

const marking =
  (markFor: MarkFor): Statement.Statement.Transformer =>
  (statement, sql, refs) => {
    const context = FiberRefs.getOrDefault(refs, FiberRef.currentContext)
    const isRequest = Context.get(context, StatementPatience) === "request"
    return Effect.succeed(sql`${sql.literal(markOf({ isRequest, ...markFor(context, isRequest) }))}${statement}`)
  }

/** Marks every statement of this with what `markFor` makes of the fiber's context. */
export const withMarks = (markFor: MarkFor): (<A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) =>
  Statement.withTransformer(marking(markFor))

/** The rest of the fiber waits for its statements as a caller does, and each is marked with what `markFor` makes. */
export const enterRequest = (markFor: MarkFor): Effect.Effect<void> => {
  const marked = FiberRef.set(Statement.currentTransformer, Option.some(marking(markFor)))
  return Effect.zipRight(marked, enter(StatementPatience, "request"))
}

/**
 * Gives the rest of the fiber a service. Unlike one that is provided, it is not taken back: for the first steps of a fiber
 * that is a request's own, as putting a dozen values back at its end is much of what a quick request costs.
 */
export const enter = <I, S>(tag: Context.Tag<I, S>, service: S): Effect.Effect<void> =>
  FiberRef.update(FiberRef.currentContext, Context.add(tag, service))

/** The mark of a statement, and its text without it. */
export const readMark = (text: string): { readonly mark: StatementMark; readonly text: string } => {
  if (!text.startsWith(opening)) return { mark: unmarked, text }
  const end = text.indexOf(closing)
  const [patience, workspace = "", hidden = ""] = text.slice(opening.length, end).split(" ")
  return { mark: { isRequest: patience === "request", workspace, hidden }, text: text.slice(end + closing.length) }
}
