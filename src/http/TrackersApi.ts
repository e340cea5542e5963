import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { closed } from "../schema/closed.ts"
import { InvalidCursor } from "../schema/Errors.ts"
import { trackers } from "../schema/operations/index.ts"
import { page, pageQuery } from "../schema/Page.ts"
import { SetTracker, Tracker, TrackerNotFound, TrackerPath, TrackerQuery } from "../schema/Tracker.ts"
import { Authorization } from "./Authorization.ts"
import { RepositoryFilterErrors } from "./errors.ts"
import { onWire, serves } from "./wire.ts"

export const TrackersPage = page("TrackersPage", Tracker)

export const TrackersApi = HttpApiGroup.make("trackers")
  .add(
    HttpApiEndpoint.get("list", "/api/trackers")
      .annotateContext(
        serves(trackers.listTrackers, "Lists the ticket trackers of the workspace and its repositories, oldest first.")
      )
      .setUrlParams(closed(pageQuery))
      .addSuccess(TrackersPage)
      .addError(onWire(InvalidCursor))
  )
  .add(
    HttpApiEndpoint.put("set", "/api/trackers/:kind")
      .annotateContext(
        serves(
          trackers.setTracker,
          "Sets the ticket tracker of the workspace, or with `repository` that of a repository, which goes before the workspace's. A level has one tracker: a new one replaces the one before, of whatever kind. Published tickets stay where they are. The token is stored sealed and never returned; it stays when it is left out, unless kind, address or account change."
        )
      )
      .setPath(TrackerPath)
      .setPayload(SetTracker)
      .addSuccess(Tracker)
      .addError(RepositoryFilterErrors)
  )
  .add(
    HttpApiEndpoint.del("remove", "/api/trackers/:kind")
      .annotateContext(
        serves(
          trackers.deleteTracker,
          "Removes the ticket tracker of the workspace, or with `repository` that of a repository, with its token. Published tickets stay, and get no more comments."
        )
      )
      .setPath(TrackerPath)
      .setUrlParams(TrackerQuery)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(onWire(TrackerNotFound))
      .addError(RepositoryFilterErrors)
  )
  .annotate(OpenApi.Description, "Ticket trackers that observations are published to.")
  .middleware(Authorization)
