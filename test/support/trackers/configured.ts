import { Effect } from "effect"
import { Trackers } from "../../../src/services/tickets/Trackers.ts"
import { anObservation, aRegisteredRepository, as, aWorkspace } from "../builders.ts"
import { aGitHubServer } from "./gitHubServer.ts"
import { aJiraServer } from "./jiraServer.ts"
import { aLinearServer } from "./linearServer.ts"
import { type TicketServer, tokenOfTests } from "./vendor.ts"

export const trackersOfTests = {
  "GitHub Issues": "github",
  "Jira Cloud": "jira_cloud",
  "Jira Data Center": "jira_data_center",
  Linear: "linear"
} as const
type TrackerOfTests = (typeof trackersOfTests)[keyof typeof trackersOfTests]

const serverOf = (name: TrackerOfTests) => {
  switch (name) {
    case "github":
      return Effect.map(
        aGitHubServer,
        (server) => ({ server, kind: "github", project: "acme/tickets", email: null }) as const
      )
    case "linear":
      return Effect.map(aLinearServer, (server) => ({ server, kind: "linear", project: "ENG", email: null }) as const)
    default:
      return Effect.map(
        aJiraServer(name === "jira_cloud" ? "cloud" : "data_center"),
        (server) => ({ server, kind: "jira", project: "SEC", email: server.email }) as const
      )
  }
}

/** A workspace with two open observations in a repository, whose tracker is a server of the test. */
export const aTrackedRepository = (name: TrackerOfTests) =>
  Effect.gen(function* () {
    const found = yield* serverOf(name)
    const server: TicketServer = found.server
    const { kind, project, email } = found
    const owner = yield* aWorkspace()
    const repository = yield* aRegisteredRepository(owner)
    const request = { base_url: server.url, project, token: tokenOfTests, ...(email === null ? {} : { email }) }
    yield* Effect.flatMap(Trackers, (trackers) => trackers.set(kind, request)).pipe(as(owner))
    const ref = yield* anObservation(owner, repository)
    const other = yield* anObservation(owner, repository)
    return { owner, repository, ref, other, server, kind, request }
  })
