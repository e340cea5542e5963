import { SqlClient } from "@effect/sql"
import { Clock, DateTime, Duration, Effect, FiberSet, Queue, Random, Stream } from "effect"
import type { AuditActor } from "../../schema/AuditLog.ts"
import { Site } from "../access/Site.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { Notifications } from "../ports/Notifications.ts"
import { SecretKey } from "../ports/SecretKey.ts"
import { WebhookTransport } from "../ports/WebhookTransport.ts"
import { transactional } from "../support/transactional.ts"
import { bodyOf } from "./body.ts"
import { pauseAfter } from "./retries.ts"
import { ownerOfSecret, signedHeaders } from "./signing.ts"
import { deliveryChannel } from "./WebhookDeliveriesRepo.ts"
import { type AttemptResult, type ClaimedDelivery, WebhookSendingRepo } from "./WebhookSendingRepo.ts"

/** Longer than the slowest attempt: only a sender that died holds a delivery as long. */
const lease = Duration.minutes(1)
/** Retries become due without anyone saying so. */
const interval = "2 seconds"
/**
 * Deliveries that a process has under way. Those to failing endpoints have a limit of their own, so that however many hang
 * they take no place from the others.
 */
const atOnce = 64
const perEndpoint = 4
const retention = Duration.days(30)

const sender: AuditActor = { kind: "system", user_id: null, api_key: null, label: "webhooks" }

type Outcome = { readonly status_code: number } | { readonly status_code: null; readonly error: string }

/** Posts events to endpoints; any number of processes may do so, each attempt is made by one of them. */
export class WebhookSender extends Effect.Service<WebhookSender>()("WebhookSender", {
  effect: Effect.gen(function* () {
    const repo = yield* WebhookSendingRepo
    const transport = yield* WebhookTransport
    const secretKey = yield* SecretKey
    const notifications = yield* Notifications
    const site = yield* Site
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    /** The secrets in force, the newest first. */
    const secretsOf = ({ workspace_id, webhook_id, sealed_secret, sealed_previous_secret }: ClaimedDelivery) =>
      Effect.forEach([sealed_secret, sealed_previous_secret], (sealed) =>
        sealed === null
          ? Effect.succeed([])
          : Effect.map(secretKey.unseal(sealed, ownerOfSecret({ workspace_id, id: webhook_id })), (secret) => [secret])
      ).pipe(Effect.map((secrets) => secrets.flat()))

    const post = Effect.fnUntraced(function* (delivery: ClaimedDelivery) {
      const { event_id, type, at, data, min_priority, url } = delivery
      const secrets = yield* secretsOf(delivery)
      const body = bodyOf({ type, at, data, min_priority }, yield* site.url)
      const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      return yield* transport.post({
        url,
        headers: {
          "content-type": "application/json",
          "user-agent": "assay",
          ...signedHeaders(secrets, { id: event_id, timestamp, body })
        },
        body
      })
    })

    const outcomeOf = (delivery: ClaimedDelivery): Effect.Effect<Outcome> =>
      Effect.match(post(delivery), {
        onSuccess: (status_code): Outcome => ({ status_code }),
        onFailure: ({ message }): Outcome => ({ status_code: null, error: message })
      })

    const disable = Effect.fnUntraced(function* ({ delivery, at }: AttemptResult) {
      const { workspace_id, webhook_id } = delivery
      const reason = "The endpoint answered 410 Gone."
      if (!(yield* repo.disable(delivery, reason, at))) return
      yield* auditLog.record({
        object: { kind: "webhook", ref: webhook_id },
        before: { active: true, disabled_reason: null },
        after: { active: false, disabled_reason: reason },
        by: { workspace_id, actor: sender }
      })
    })

    const finish = Effect.fn("WebhookSender.finish")(function* (attempt: AttemptResult, outcome: Outcome) {
      const { status_code } = outcome
      if (isSuccess(status_code)) {
        yield* repo.markDelivered(attempt)
        return
      }
      const error = status_code === null ? outcome.error : `The endpoint answered ${status_code}.`
      const pause = status_code === gone ? null : pauseAfter(attempt.delivery.attempts, yield* Random.next)
      const next =
        pause === null ? null : DateTime.formatIso(DateTime.addDuration(DateTime.unsafeMake(attempt.at), pause))
      const isMine = yield* repo.markFailed({ ...attempt, error, next })
      if (isMine && status_code === gone) yield* disable(attempt)
    }, inTransaction)

    const deliver = Effect.fn("WebhookSender.deliver")(function* (delivery: ClaimedDelivery) {
      const started = yield* Clock.currentTimeMillis
      const outcome = yield* outcomeOf(delivery)
      const time = yield* DateTime.now
      const duration_ms = Math.max(0, DateTime.toEpochMillis(time) - started)
      const { status_code } = outcome
      const result = { delivery, at: DateTime.formatIso(time), status_code, duration_ms }
      yield* Effect.uninterruptible(finish(result, outcome))
    })

    /** One that is stopped, as by a shutdown, is due again at once. */
    const attempt = (delivery: ClaimedDelivery) =>
      deliver(delivery).pipe(
        Effect.onInterrupt(() =>
          Effect.flatMap(DateTime.now, (at) => repo.release({ delivery, at: DateTime.formatIso(at) }))
        ),
        Effect.catchAllCause((cause) => Effect.logWarning("A webhook delivery has no result.", cause)),
        Effect.annotateLogs({ delivery_id: delivery.id, webhook_id: delivery.webhook_id })
      )

    const claim = Effect.fn("WebhookSender.claim")(function* (free: {
      readonly working: number
      readonly failing: number
    }) {
      const at = yield* DateTime.now
      return yield* repo.claimDue({
        now: DateTime.formatIso(at),
        until: DateTime.formatIso(DateTime.addDuration(at, lease)),
        perEndpoint,
        ...free
      })
    })

    /** Sends all that is due now, and waits for the results. */
    const tick = Effect.fn("WebhookSender.tick")(function* () {
      const sendSome = Effect.gen(function* () {
        const claimed = yield* claim({ working: atOnce, failing: atOnce })
        yield* Effect.forEach(claimed, attempt, { concurrency: "unbounded", discard: true })
        return claimed.length
      })
      yield* Effect.repeat(sendSome, { while: (sent) => sent > 0 })
    })

    const sweep = Effect.fn("WebhookSender.sweep")(function* () {
      const at = yield* DateTime.now
      const before = DateTime.formatIso(DateTime.subtractDuration(at, retention))
      yield* repo.forget({ before, at: DateTime.formatIso(at) })
    })

    const unfailing = (name: string, effect: Effect.Effect<void>) =>
      Effect.catchAllCause(effect, (cause) => Effect.logWarning(`The ${name} of webhooks failed.`, cause))

    /** For ever: at every new event and at every result, at least every 2 seconds; no endpoint is waited for. */
    const loop = Effect.gen(function* () {
      const wakes = yield* Queue.sliding<unknown>(1)
      const [working, failing] = [yield* FiberSet.make<void>(), yield* FiberSet.make<void>()]
      const start = (delivery: ClaimedDelivery) =>
        FiberSet.run(
          delivery.is_failing ? failing : working,
          Effect.ensuring(attempt(delivery), Queue.offer(wakes, undefined))
        )
      const startDue = Effect.gen(function* () {
        const free = {
          working: atOnce - (yield* FiberSet.size(working)),
          failing: atOnce - (yield* FiberSet.size(failing))
        }
        yield* Effect.forEach(yield* claim(free), start, { discard: true })
      })
      yield* Effect.forkScoped(
        Stream.runForEach(notifications.watch(deliveryChannel), () => Queue.offer(wakes, undefined))
      )
      yield* Effect.forkScoped(Effect.forever(Effect.delay(unfailing("sweep", sweep()), "1 hour")))
      return yield* Effect.forever(
        Effect.zipRight(unfailing("sending", startDue), Effect.timeoutOption(Queue.take(wakes), interval))
      )
    }).pipe(Effect.scoped)

    return { tick, sweep, loop }
  })
}) {}

const gone = 410

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300
