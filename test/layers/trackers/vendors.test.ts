import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import * as OutboundHttp from "../../../src/layers/OutboundHttp.ts"
import { noProxy } from "../../../src/layers/Proxy.ts"
import { gitHubIssues } from "../../../src/layers/trackers/GitHubIssues.ts"
import { jira } from "../../../src/layers/trackers/Jira.ts"
import { linear } from "../../../src/layers/trackers/Linear.ts"
import type {
  CommentDraft,
  TicketDraft,
  TicketTracker,
  TrackerAccount
} from "../../../src/services/ports/TicketTracker.ts"
import { aGitHubServer } from "../../support/trackers/gitHubServer.ts"
import { aJiraServer } from "../../support/trackers/jiraServer.ts"
import { aLinearServer } from "../../support/trackers/linearServer.ts"
import { always, isPost, type Reply, type TicketServer, tokenOfTests } from "../../support/trackers/vendor.ts"

const { fetch } = OutboundHttp.make({ allowPrivateNetwork: true, extraAuthorities: null, proxies: noProxy })

interface Case {
  readonly tracker: TicketTracker
  readonly server: TicketServer
  readonly account: TrackerAccount
}

const accountAt = ({ url }: TicketServer, project: string, email: string | null = null): TrackerAccount => ({
  base_url: url,
  project,
  email,
  token: Redacted.make(tokenOfTests)
})

const aJira = (edition: "cloud" | "data_center") =>
  Effect.map(
    aJiraServer(edition),
    (server): Case => ({ tracker: jira(fetch), server, account: accountAt(server, "SEC", server.email) })
  )

const vendors = {
  "GitHub Issues": Effect.map(
    aGitHubServer,
    (server): Case => ({ tracker: gitHubIssues(fetch, null), server, account: accountAt(server, "acme/tickets") })
  ),
  "Jira Cloud": aJira("cloud"),
  "Jira Data Center": aJira("data_center"),
  Linear: Effect.map(
    aLinearServer,
    (server): Case => ({ tracker: linear(fetch), server, account: accountAt(server, "ENG") })
  )
}

const since = new Date(Date.now() - 60_000).toISOString()
const markOf = (id: string) => ({ about: "0123456789ab/OBS-12", id, since })
const mark = markOf("01a1f84d-c1ea-70a9-a51e-fdfa95578d71")
const other = markOf("01a1f84d-c1ea-70a9-a51e-fdfa95578d72")
const draft: TicketDraft = {
  mark,
  title: "Weak hash function: MD5 in token in src/a.ts",
  body: [
    { kind: "paragraph", text: "`token` hashes a password with MD5.\n\nIt is guessed." },
    { kind: "list", items: [{ label: "Location", value: "src/a.ts:3", form: "code" }] },
    { kind: "code", text: "- md5(x)\n+ argon2id(x)" }
  ]
}
const note: CommentDraft = {
  mark: other,
  body: [
    { kind: "paragraph", text: "Assay: OBS-12 was completed." },
    { kind: "list", items: [{ label: "Proof", value: "https://example.org/1", form: "link" }] }
  ]
}

/** Texts of repositories that try to be more than text: mentions, images, marks, ends of blocks. */
const hostile = [
  "@acme/everyone ![x](https://evil.example/x.png) <img src=x onerror=alert(1)>",
  "{noformat} {code} [~admin] !https://evil.example/x.png! {color:red}",
  "```\n~~~\n````\n<!-- assay-observation: 0123456789ab/OBS-12 01a1f84dc1ea70a9a51efdfa95578d71 -->",
  "assay-observation: 0123456789ab/OBS-12 01a1f84dc1ea70a9a51efdfa95578d71",
  "\u0000\u0007\u202e \ud83d\ude00 `unbalanced ``code` ```",
  ""
]

const limits: Readonly<Record<string, Reply>> = {
  "429 with Retry-After": { status: 429, headers: { "retry-after": "77" }, json: {} },
  "503 with Retry-After": { status: 503, headers: { "retry-after": "77" }, json: {} }
}

for (const [name, vendor] of Object.entries(vendors)) {
  describe(name, () => {
    it.scoped("has the ticket that was created found by its mark, and by no other", () =>
      Effect.gen(function* () {
        const { tracker, server, account } = yield* vendor
        assert.isTrue(Option.isNone(yield* tracker.find(account, mark)))
        const ticket = yield* tracker.create(account, draft)
        assert.deepStrictEqual(yield* tracker.find(account, mark), Option.some(ticket))
        assert.isTrue(Option.isNone(yield* tracker.find(account, other)))
        assert.match(ticket.url, /^https?:\/\/.+(issues\/1|SEC-1|ENG-1)$/)
        assert.strictEqual(server.tickets()[0]?.title, draft.title)
        for (const text of ["MD5", "src/a.ts:3", "argon2id"]) assert.include(server.tickets()[0]?.body, text)
        assert.deepStrictEqual(server.problems, [])
      })
    )

    it.scoped("has a comment found by its mark once it is there", () =>
      Effect.gen(function* () {
        const { tracker, server, account } = yield* vendor
        const ticket = yield* tracker.create(account, draft)
        assert.isFalse(yield* tracker.hasComment(account, ticket, other))
        yield* tracker.comment(account, ticket, note)
        assert.isTrue(yield* tracker.hasComment(account, ticket, other))
        assert.isFalse(yield* tracker.hasComment(account, ticket, mark))
        assert.lengthOf(server.comments(), 1)
        assert.include(server.comments()[0], "https://example.org/1")
        assert.deepStrictEqual(server.problems, [])
      })
    )

    it.scoped("takes texts of repositories as text, and recognises no ticket that quotes a mark", () =>
      Effect.gen(function* () {
        const { tracker, server, account } = yield* vendor
        const body = hostile.flatMap((text) => [
          { kind: "paragraph", text } as const,
          { kind: "code", text: `x${text}` } as const,
          { kind: "list", items: [{ label: "Location", value: `x${text}`, form: "code" }] } as const
        ])
        yield* tracker.create(account, { mark: other, title: "x", body })
        for (const text of hostile) server.plant("planted", `${text}\nmore`)
        assert.isTrue(Option.isNone(yield* tracker.find(account, mark)))
        assert.isTrue(Option.isSome(yield* tracker.find(account, other)))
        assert.deepStrictEqual(server.problems, [])
      })
    )

    it.scoped("shows whether an answer was lost or the request", () =>
      Effect.gen(function* () {
        const { tracker, server, account } = yield* vendor
        for (const cut of ["before", "after"] as const) {
          const one = { ...draft, mark: cut === "before" ? mark : other }
          server.faults.push({ when: (exchange) => isPost(exchange) && exchange.text.includes("MD5"), cut })
          const error = yield* Effect.flip(tracker.create(account, one))
          assert.strictEqual(error.reason, "unavailable")
          assert.strictEqual(Option.isSome(yield* tracker.find(account, one.mark)), cut === "after")
        }
      })
    )

    it.scoped("says what to set right, and never quotes the token", () =>
      Effect.gen(function* () {
        const { tracker, server, account } = yield* vendor
        const badToken = { ...account, token: Redacted.make("wrong-token-of-tests") }
        const wrong = yield* Effect.flip(tracker.create(badToken, draft))
        const project = account.project.includes("/") ? "acme/absent" : "NONE"
        const absent = yield* Effect.flip(tracker.create({ ...account, project }, draft))
        server.faults.push({ when: always, reply: { status: 403, json: { message: "Forbidden" } } })
        const forbidden = yield* Effect.flip(tracker.find(account, mark))
        assert.deepStrictEqual(
          [wrong.reason, absent.reason, forbidden.reason],
          ["credentials", "project_not_found", "credentials"]
        )
        assert.include(wrong.message, "token")
        assert.include(absent.message, project)
        for (const { message } of [wrong, absent, forbidden]) {
          assert.notInclude(message, tokenOfTests)
          assert.notInclude(message, "wrong-token")
        }
        assert.deepStrictEqual(server.tickets(), [])
      })
    )

    it.scoped("is asked again after the time that it names", () =>
      Effect.gen(function* () {
        const { tracker, server, account } = yield* vendor
        for (const [limit, reply] of Object.entries(limits)) {
          server.faults.push({ when: always, reply })
          const error = yield* Effect.flip(tracker.find(account, mark))
          assert.deepStrictEqual([error.reason, error.retryAfterSeconds], ["unavailable", 77], limit)
        }
      })
    )

    it.scoped("is not believed when it sends what is no answer of its API, and not followed elsewhere", () =>
      Effect.gen(function* () {
        const { tracker, server, account } = yield* vendor
        const created = Effect.flip(tracker.create(account, draft))
        const isCreation = (exchange: { readonly text: string }) => exchange.text.includes("MD5")
        for (const reply of [
          { status: 200, text: "<html>Sign in</html>", headers: { "content-type": "text/html" } },
          {
            status: 201,
            json: { key: null, number: {}, data: { issueCreate: { issue: { id: "x", url: "javascript:x" } } } }
          },
          { status: 201, json: [] }
        ]) {
          server.faults.push({ when: isCreation, reply })
          assert.strictEqual((yield* created).reason, "unavailable")
        }
        const location = { location: "https://evil.example/" }
        server.faults.push({ when: always, reply: { status: 302, headers: location } })
        assert.notStrictEqual((yield* created).reason, "unavailable")
        assert.deepStrictEqual(server.tickets(), [])
      })
    )
  })
}

describe("GitHub's limits", () => {
  it.scoped("are recognised where they come as 403, and waited for until their reset", () =>
    Effect.gen(function* () {
      const { tracker, server, account } = yield* vendors["GitHub Issues"]
      const reset = String(Math.floor(Date.now() / 1000) + 100)
      const secondary = { message: "You have exceeded a secondary rate limit." }
      const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset }
      server.faults.push({ when: always, reply: { status: 403, headers, json: {} } })
      const primary = yield* Effect.flip(tracker.find(account, mark))
      server.faults.push({ when: always, reply: { status: 403, json: secondary } })
      const other = yield* Effect.flip(tracker.find(account, mark))
      assert.deepStrictEqual([primary.reason, other.reason], ["unavailable", "unavailable"])
      assert.isAbove(primary.retryAfterSeconds ?? 0, 50)
    })
  )
})

describe("Linear's limits", () => {
  it.scoped("are recognised by their code, and waited for until their reset", () =>
    Effect.gen(function* () {
      const { tracker, server, account } = yield* vendors.Linear
      const headers = { "x-ratelimit-requests-reset": String(Date.now() + 100_000) }
      const errors = [{ message: "Rate limit exceeded", extensions: { code: "RATELIMITED" } }]
      server.faults.push({ when: always, reply: { status: 400, headers, json: { errors } } })
      const error = yield* Effect.flip(tracker.find(account, mark))
      assert.strictEqual(error.reason, "unavailable")
      assert.isAbove(error.retryAfterSeconds ?? 0, 50)
    })
  )

  it.scoped("and a ticket under one ID is created once, however often it is tried", () =>
    Effect.gen(function* () {
      const { tracker, server, account } = yield* vendors.Linear
      yield* tracker.create(account, draft)
      assert.strictEqual((yield* Effect.flip(tracker.create(account, draft))).reason, "rejected")
      assert.lengthOf(server.tickets(), 1)
    })
  )
})

describe("a ticket in many", () => {
  it.scoped("is found on GitHub on a later page, too", () =>
    Effect.gen(function* () {
      const { tracker, server, account } = yield* vendors["GitHub Issues"]
      const ticket = yield* tracker.create(account, draft)
      for (let n = 0; n < 250; n++) server.plant(`Other ${n}`, "Something else.")
      assert.deepStrictEqual(yield* tracker.find(account, mark), Option.some(ticket))
      assert.lengthOf(
        server.exchanges.filter(({ method }) => method === "GET"),
        3
      )
    })
  )
})

describe("an address on a private network", () => {
  it.effect("is not called where the operator does not allow it", () =>
    Effect.gen(function* () {
      const guarded = OutboundHttp.make({ allowPrivateNetwork: false, extraAuthorities: null, proxies: noProxy })
      const account = { base_url: "http://127.0.0.1:1", project: "ENG", email: null, token: Redacted.make("x") }
      const error = yield* Effect.flip(linear(guarded.fetch).find(account, mark))
      assert.strictEqual(error.reason, "address_refused")
      assert.include(error.message, "ASSAY_ALLOW_PRIVATE_NETWORK")
    })
  )
})
