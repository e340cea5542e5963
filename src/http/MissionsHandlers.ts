import { HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Mission } from "../schema/Mission.ts"
import { matches } from "../services/context/TeamContext.ts"
import { MissionDecisions } from "../services/missions/MissionDecisions.ts"
import { MissionReads } from "../services/missions/MissionReads.ts"
import { Missions } from "../services/missions/Missions.ts"
import { Api } from "./Api.ts"
import type { Conditions } from "./etag.ts"
import { group } from "./group.ts"
import { respond } from "./wire.ts"

const shown = (status: number) => (mission: Mission) =>
  respond(Mission, mission, { status, headers: { etag: `"${mission.etag}"` } })

/** The mission, or 304 when the client has the current version. */
const unlessKnown = (headers: Conditions) => (mission: Mission) =>
  matches(headers["if-none-match"], mission.etag)
    ? Effect.succeed(HttpServerResponse.empty({ status: 304, headers: { etag: `"${mission.etag}"` } }))
    : shown(200)(mission)

export const MissionsHandlers = group(
  Api,
  "missions",
  Effect.fnUntraced(function* (handlers) {
    const missions = yield* Missions
    const reads = yield* MissionReads
    const decisions = yield* MissionDecisions
    const changed = Effect.flatMap(shown(200))
    return handlers
      .handle("list", ({ urlParams }) => reads.list(urlParams))
      .handle("create", ({ payload }) => Effect.flatMap(missions.create(payload), shown(201)))
      .handle("waiting", ({ urlParams }) => reads.waitingOnMe(urlParams))
      .handle("settings", () => Effect.succeed(reads.settings))
      .handle("resolve", ({ urlParams }) => reads.resolve(urlParams))
      .handle("get", ({ path, headers }) => Effect.flatMap(reads.get(path.ref), unlessKnown(headers)))
      .handle("getOfRepository", ({ path: { number, ...repository }, headers }) =>
        Effect.flatMap(reads.getOfRepository(repository, number), unlessKnown(headers))
      )
      .handle("events", ({ path, urlParams }) => reads.events(path.ref, urlParams))
      .handle("pullRequest", ({ path }) => reads.pullRequest(path.ref))
      .handle("resubmit", ({ path, payload }) => changed(missions.resubmit(path.ref, payload)))
      .handle("pause", ({ path }) => changed(decisions.pause(path.ref)))
      .handle("approve", ({ path }) => changed(decisions.approve(path.ref)))
      .handle("sendBack", ({ path, payload }) => changed(decisions.sendBack(path.ref, payload.reason)))
      .handle("raiseBudget", ({ path, payload }) => changed(decisions.raiseBudget(path.ref, payload.budget_usd)))
      .handle("skip", ({ path, payload }) => changed(decisions.skip(path.ref, path.step_id, payload.reason)))
      .handle("retry", ({ path }) => changed(decisions.retry(path.ref, path.step_id)))
      .handle("answer", ({ path, payload }) => changed(decisions.answer(path.ref, payload.text)))
      .handle("resume", ({ path }) => changed(decisions.resume(path.ref)))
      .handle("cancel", ({ path }) => changed(decisions.cancel(path.ref)))
  })
)
