import { Effect, Layer } from "effect"
import { ConfiguredGitHubApp } from "../services/ports/GitHubApp.ts"
import { TicketTrackers } from "../services/ports/TicketTracker.ts"
import { TicketComments } from "../services/tickets/TicketComments.ts"
import { OutboundHttp } from "./OutboundHttp.ts"
import { gitHubIssues } from "./trackers/GitHubIssues.ts"
import { jira } from "./trackers/Jira.ts"
import { linear } from "./trackers/Linear.ts"

/** The ticket trackers that this version knows. Admins of workspaces choose their addresses. */
export const layer = Layer.effect(
  TicketTrackers,
  Effect.map(Effect.all([OutboundHttp, ConfiguredGitHubApp]), ([{ fetch }, app]) => ({
    github: gitHubIssues(fetch, app),
    jira: jira(fetch),
    linear: linear(fetch)
  }))
)

/** What sends comments on tickets. */
export const comments = Layer.scopedDiscard(Effect.flatMap(TicketComments, ({ loop }) => Effect.forkScoped(loop))).pipe(
  Layer.provide(TicketComments.Default)
)
