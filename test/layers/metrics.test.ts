import { readFileSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { metrics } from "../../src/layers/metrics.ts"
import { factsOf } from "../../src/services/support/RequestFacts.ts"
import { aKey, anObservation, aRegisteredRepository, aWorkspace } from "../support/builders.ts"
import { aFolder } from "../support/gitRepository.ts"
import { TestApp } from "../support/TestApp.ts"
import { send } from "../support/wire.ts"

const names = (text: string) => [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = ""]) => name)
const isUsual = (name: string) => /^(process|nodejs)_/.test(name)

const request = {
  method: "GET",
  route: "/api/jobs/:job_id",
  status: 200,
  millis: 20,
  requestId: "req_0",
  actor: null,
  isStream: false,
  span: null
}

layer(TestApp)("the metrics", (it) => {
  it.effect("are those that the operator's guide lists, beside the usual ones of a process", () =>
    Effect.gen(function* () {
      const { text } = yield* metrics(aFolder())
      const served = names(yield* text)
      const guide = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8")
      const listed = [...guide.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name = ""]) => name)
      assert.sameMembers(
        served.filter((name) => !isUsual(name)),
        listed.filter((name) => /^(http|assay)_/.test(name))
      )
      assert.includeMembers(served, ["process_cpu_seconds_total", "nodejs_eventloop_lag_seconds"])
    })
  )

  it.effect("count requests by route, and make one label of all methods that no route has", () =>
    Effect.gen(function* () {
      const { observer, text } = yield* metrics(aFolder())
      observer.ended(request)
      for (const method of ["PROPFIND", "BREW", ""])
        observer.ended({ ...request, method, route: "unmatched", status: 405 })
      observer.ended({ ...request, isStream: true, route: "/api/jobs/:job_id/events", millis: 1e6 })
      const stream = factsOf({})
      stream.isStream = true
      observer.underWay.add(stream).add(factsOf({}))
      const printed = yield* text
      assert.include(
        printed,
        'http_request_duration_seconds_bucket{le="0.025",method="GET",route="/api/jobs/:job_id",status="200"} 1'
      )
      assert.include(printed, 'http_request_duration_seconds_count{method="other",route="unmatched",status="405"} 3')
      assert.notInclude(printed, "/events")
      assert.match(printed, /^http_requests_in_flight 2$/m)
      assert.match(printed, /^assay_event_streams 1$/m)
    })
  )

  it.effect("count what the database holds, again after ten seconds", () =>
    Effect.gen(function* () {
      const { text } = yield* metrics(aFolder())
      const owner = yield* aWorkspace()
      const { api_key: as } = yield* aKey(owner)
      const repository = yield* aRegisteredRepository(owner)
      assert.match(yield* text, /^assay_queue_age_seconds 0$/m)
      for (let i = 0; i < 3; i++) yield* anObservation(owner, repository)
      const job = yield* send({ path: "/api/repos/acme/api/main/jobs", as, json: { workflow: "audit" } })
      assert.strictEqual(job.status, 201, job.text)
      yield* TestClock.adjust("10 seconds")
      const printed = yield* text
      assert.match(printed, /^assay_observations\{status="new",priority="P\d"\} 3$/m)
      assert.match(printed, /^assay_jobs\{workflow="audit",status="pending"\} 1$/m)
      assert.match(printed, /^assay_database_connections\{pool="[^"]+",state="idle"\} \d+$/m)
    })
  )
})
