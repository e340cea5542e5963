import { Context, Effect, Option } from "effect"
import type { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { enterRequest, withMarks, withRequestPatience } from "../support/requestStatements.ts"
import { Caller } from "./Caller.ts"

// Row-level security is the second wall between workspaces, and the only one around restricted repositories: a statement
// carries what its fiber may see, and the database hides every other row from it.

interface Region {
  readonly workspace_id: WorkspaceId
  readonly hidden_repositories: ReadonlyArray<RepositoryId>
}

/** Replaces what the caller may see, where a service needs more or no caller is known. */
class Reach extends Context.Tag("Reach")<Reach, Region | "everything">() {}

/** For what is not of one workspace, such as finding out whose session a token is. */
export const asSystem = Effect.provideService(Reach, "everything")

/** As a job of the workspace: its rows, those of restricted repositories too. */
export const withinWorkspace = (workspace_id: WorkspaceId) =>
  Effect.provideService(Reach, { workspace_id, hidden_repositories: [] })

/** For limits of the whole workspace, which count what the caller may not see. */
export const unrestricted = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Caller> =>
  Effect.flatMap(Caller, ({ workspace_id }) => withinWorkspace(workspace_id)(effect))

/** A request sees nothing before its caller is known. */
const regionOf = (context: Context.Context<never>, isRequest: boolean): Region | "everything" | "nothing" =>
  Context.getOption(context, Reach).pipe(
    Option.orElse(() => Context.getOption(context, Caller)),
    Option.getOrElse(() => (isRequest ? "nothing" : "everything"))
  )

const markOfReach = (context: Context.Context<never>, isRequest: boolean) => {
  const region = regionOf(context, isRequest)
  if (region === "everything") return { workspace: "*", hidden: "" }
  if (region === "nothing") return { workspace: "", hidden: "" }
  return { workspace: region.workspace_id, hidden: region.hidden_repositories.join(",") }
}

/** The statements of this see no more than their fiber may; every job runs within it. */
export const withReach = withMarks(markOfReach)

/** For what a caller waits for. */
export const withRequestReach = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  withReach(withRequestPatience(effect))

/** Every request begins with this: the rest of its fiber sees no more than it may. */
export const enterRequestReach = enterRequest(markOfReach)

/** For what goes on after its request, such as a stream: its statements see no more than its caller may. */
export const reachOfCaller = Effect.map(
  Caller,
  (caller) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Caller>> =>
      withRequestReach(Effect.provideService(effect, Caller, caller))
)
