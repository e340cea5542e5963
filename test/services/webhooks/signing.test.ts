import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { Webhook } from "standardwebhooks"
import { bodyOf, maxBody } from "../../../src/services/webhooks/body.ts"
import { pauseAfter } from "../../../src/services/webhooks/retries.ts"
import { newSecret, signedHeaders } from "../../../src/services/webhooks/signing.ts"

const body = JSON.stringify({ type: "job.failed", data: { text: "ä → 𝄞" } })
const now = () => Math.floor(Date.now() / 1000)
const message = () => ({ id: "01a1f84d-c1ea-70a9-a51e-fdfa95578d74", timestamp: now(), body })

describe("a signature", () => {
  it("is verified by the public library of Standard Webhooks, with either secret during a rotation", () => {
    const [old, next, other] = [newSecret(), newSecret(), newSecret()]
    const headers = signedHeaders([next, old], message())
    for (const secret of [old, next]) assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
    assert.throws(() => new Webhook(other).verify(body, headers))
    assert.throws(() => new Webhook(next).verify(`${body} `, headers))
    assert.throws(() => new Webhook(next).verify(body, { ...headers, "webhook-id": "another" }))
    assert.throws(() => new Webhook(next).verify(body, signedHeaders([next], { ...message(), timestamp: now() - 600 })))
  })

  it("is made with a secret of 32 random bytes, which no other one equals", () => {
    const secrets = Array.from({ length: 100 }, newSecret)
    assert.strictEqual(new Set(secrets).size, 100)
    for (const secret of secrets) {
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.lengthOf(Buffer.from(secret.slice(6), "base64"), 32)
    }
  })
})

describe("a failing delivery", () => {
  it("is tried again after 5 s, 1, 5, 30 min, 2, 5, 10, 14, 20, 24 h, each 20 % more or less, and then no more", () => {
    const seconds = [5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
    const at = (chance: number) =>
      seconds.map((_, attempt) => Duration.toSeconds(pauseAfter(attempt + 1, chance) ?? Duration.zero))
    assert.deepStrictEqual(at(0.5), seconds)
    at(0).forEach((pause, i) => assert.closeTo(pause, seconds[i]! * 0.8, 0.01))
    at(1).forEach((pause, i) => assert.closeTo(pause, seconds[i]! * 1.2, 0.01))
    assert.isNull(pauseAfter(11, 0.5))
  })
})

const observationsEvent = (count: number) => ({
  type: "observation.created",
  at: "2026-11-20T09:30:00.120Z",
  min_priority: null,
  data: {
    repository: "acme/api@main",
    job_id: null,
    by_priority: { P0: 0, P1: count / 2, P2: count / 2, P3: 0 },
    observations: Array.from({ length: count }, (_, n) => ({
      ref: `OBS-${n + 1}`,
      kind: "finding",
      priority: n < count / 2 ? "P1" : "P2",
      close_reason: null,
      url: `/api/observations/OBS-${n + 1}`
    }))
  }
})

describe("a body", () => {
  it("names the observations that the endpoint's priority lets through, and counts those only", () => {
    const sent = JSON.parse(bodyOf({ ...observationsEvent(10), min_priority: "P1" }, "https://assay.example.org"))
    assert.deepInclude(sent.data, { count: 5, by_priority: { P0: 0, P1: 5 } })
    assert.lengthOf(sent.data.observations, 5)
    assert.strictEqual(sent.data.observations[4].url, "https://assay.example.org/api/observations/OBS-5")
  })

  it("has at most 20 kB, whatever the address of the installation: the last observations are counted, not named", () => {
    const site = `https://${"a".repeat(60)}.example.org/${"b".repeat(1000)}`
    const text = bodyOf(observationsEvent(100), site)
    assert.isAtMost(Buffer.byteLength(text), maxBody)
    const { data } = JSON.parse(text)
    assert.strictEqual(data.count, 100)
    assert.isAbove(data.observations.length, 10)
    assert.isBelow(data.observations.length, 100)
    assert.isAtMost(Buffer.byteLength(bodyOf(observationsEvent(100), "https://assay.example.org")), maxBody)
  })
})
