import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { aCollector, attributesOf, type CollectedSpan } from "../support/collector.ts"
import { Database, TestDatabase } from "../support/Database.ts"
import { aRepository } from "../support/gitRepository.ts"
import { aServer, aTemporaryFolder, readEvents, signIn } from "../support/server.ts"

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const caller = "00f067aa0ba902b7"
const traceparent = `00-${traceId}-${caller}-01`

const named = (spans: ReadonlyArray<CollectedSpan>, name: string) => {
  const found = spans.filter((span) => span.name === name)
  assert.isNotEmpty(found, `${name} in:\n${spans.map((span) => span.name).join("\n")}`)
  return found[0]!
}

/** Names of a span and of those above it, up to one that no one has sent. */
const ancestry = (spans: ReadonlyArray<CollectedSpan>, span: CollectedSpan): ReadonlyArray<string> => {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return [span.name, ...(parent === undefined ? [span.parentSpanId ?? ""] : ancestry(spans, parent))]
}

it.scopedLive(
  "one trace leads from a request through its job's stages and statements into the scanning process",
  () =>
    Effect.gen(function* () {
      const dataDir = yield* aTemporaryFolder
      const repository = aRepository({ "src/index.js": "export const one = 1\n" })
      const collector = yield* aCollector
      const { url } = yield* TestDatabase
      const server = yield* aServer({
        dataDir,
        env: {
          DATABASE_URL: Redacted.value(url),
          ASSAY_LOCAL_REPO_ROOTS: repository.path,
          OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
          OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=a%20key",
          OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
          // Other requests of this test are not recorded: only what continues a sampled trace.
          OTEL_TRACES_SAMPLER: "parentbased_always_off",
          OTEL_METRIC_EXPORT_INTERVAL: "300",
          OTEL_BSP_SCHEDULE_DELAY: "100"
        }
      })
      const key = yield* signIn(server, ["view_jobs", "submit_audit_jobs", "register_repo"])
      const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
        Effect.promise(async () => {
          const response = await fetch(`${server.api}${path}`, {
            method: "POST",
            headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
            body: JSON.stringify(body)
          })
          return (await response.json()) as { readonly id: string }
        })
      yield* post("/api/repos", { github_org: "test", github_repo: "traced", clone_url: repository.path })
      const { id } = yield* post(
        "/api/repos/test/traced/main/jobs",
        { workflow: "audit" },
        { traceparent, "x-secret": "hunter2" }
      )
      yield* readEvents(server, key, id)
      yield* Effect.promise(async () => {
        while (!collector.collected.some(({ path }) => path === "/v1/metrics"))
          await new Promise((resolve) => setTimeout(resolve, 50))
      })
      yield* server.stop

      const spans = collector.spans()
      assert.deepStrictEqual([...new Set(spans.map((span) => span.traceId))], [traceId])
      const request = named(spans, "POST /api/repos/:github_org/:github_repo/:github_base_branch/jobs")
      assert.strictEqual(request.parentSpanId, caller)
      assert.deepInclude(attributesOf(request), {
        "http.request.method": "POST",
        "http.response.status_code": "201",
        "http.route": "/api/repos/:github_org/:github_repo/:github_base_branch/jobs"
      })
      const job = named(spans, "job audit")
      assert.deepInclude(attributesOf(job), { "assay.job.id": id, "assay.job.status": "completed" })
      assert.include(ancestry(spans, job), request.name)
      const child = named(spans, "scan-process")
      assert.deepStrictEqual(ancestry(spans, child).slice(0, 4), [
        "scan-process",
        "scanInProcess",
        "stage inspect",
        "job audit"
      ])
      assert.strictEqual(ancestry(spans, child).at(-1), caller)
      // What the process reports of its own time lies within its parent's.
      const inventory = named(spans, "inventory")
      assert.strictEqual(inventory.parentSpanId, child.spanId)
      const scan = named(spans, "scanInProcess")
      assert.isTrue(BigInt(inventory.endTimeUnixNano) <= BigInt(scan.endTimeUnixNano))
      const statement = spans.find((span) => ancestry(spans, span)[1] === "stage record" && span.kind === 3)
      assert.strictEqual(attributesOf(statement!)["db.system.name"], "postgresql")

      for (const { headers } of collector.collected) assert.strictEqual(headers["x-collector-key"], "a key")
      const sent = collector.collected.map(({ text }) => text).join("\n")
      for (const secret of ["hunter2", key, "a password for tests"]) assert.notInclude(sent, secret)
      assert.include(sent, "deployment.environment.name")
      assert.include(sent, "http.server.request.duration")
    }).pipe(Effect.provide(Database)),
  120_000
)
