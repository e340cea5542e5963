import { SqlClient } from "@effect/sql"
import { DateTime, Duration, Effect, Option } from "effect"
import { WebhookId } from "../../schema/Ids.ts"
import { defaultPageSize, type PageRequest } from "../../schema/Page.ts"
import {
  type CreateWebhook,
  maxWebhooks,
  type UpdateWebhook,
  type Webhook,
  WebhookAddressRejected,
  WebhookInactive,
  WebhookLimitReached,
  WebhookNotFound,
  type WebhookWithSecret,
  webhookEventTypes
} from "../../schema/Webhook.ts"
import { Caller } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { SecretKey } from "../ports/SecretKey.ts"
import { WebhookTransport } from "../ports/WebhookTransport.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { newId, sha256Hex } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { newSecret, ownerOfSecret } from "./signing.ts"
import { type WebhookContent, type WebhookRow, WebhooksRepo } from "./WebhooksRepo.ts"

/** How long the previous secret signs beside the new one. */
const overlap = Duration.hours(24)

/**
 * Endpoints that a workspace's events are posted to. They belong to the workspace and are made by admins, who see every
 * repository: an endpoint gets what its filters let through, restricted repositories included.
 */
export class Webhooks extends Effect.Service<Webhooks>()("Webhooks", {
  effect: Effect.gen(function* () {
    const repo = yield* WebhooksRepo
    const repositories = yield* Repositories
    const transport = yield* WebhookTransport
    const secretKey = yield* SecretKey
    const cursors = yield* Cursors
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const list = Effect.fn("Webhooks.list")(function* ({ limit = defaultPageSize, cursor }: PageRequest) {
      const { workspace_id } = yield* Caller
      const at = yield* now
      const after = yield* cursors.open("webhooks", {}, cursor)
      const rows = yield* repo.list({ workspace_id, after, limit })
      const page = yield* cursors.page("webhooks", {}, limit, rows, (row) => [row.created_at, row.id])
      return { ...page, data: page.data.map((row) => recordOf(row, at)) }
    })

    const found = (id: WebhookId, row: Option.Option<WebhookRow>) =>
      Option.isSome(row)
        ? Effect.succeed(row.value)
        : Effect.fail(new WebhookNotFound({ message: `No webhook endpoint ${id}.` }))

    const get = Effect.fn("Webhooks.get")(function* (id: WebhookId) {
      const { workspace_id } = yield* Caller
      return recordOf(yield* found(id, yield* repo.find({ workspace_id, id })), yield* now)
    })

    const lock = Effect.fnUntraced(function* (id: WebhookId) {
      const { workspace_id } = yield* Caller
      return yield* found(id, yield* repo.lock({ workspace_id, id }))
    })

    /** An active endpoint, which no one else changes until the transaction ends. */
    const lockActive = Effect.fn("Webhooks.lockActive")(function* (id: WebhookId) {
      const { active } = yield* lock(id)
      if (active) return
      return yield* new WebhookInactive({
        message: "Nothing is sent to an inactive endpoint; set `active` to true first."
      })
    })

    /** Before the transaction: a name server may take its time. */
    const checkAddress = (url: string) =>
      Effect.mapError(transport.check(url), ({ message }) => new WebhookAddressRejected({ message, param: "url" }))

    const idsOf = (slugs: ReadonlyArray<string>) =>
      Effect.map(
        Effect.forEach(slugs, (slug) => repositories.resolveSlug(slug, "repos")),
        (ids) => [...new Set(ids)]
      )

    const insert = Effect.fn("Webhooks.insert")(function* (request: CreateWebhook) {
      const { workspace_id, actor } = yield* Caller
      const key = { workspace_id, id: yield* newId(WebhookId) }
      const secret = newSecret()
      yield* repo.lockWebhooksOf(workspace_id)
      if ((yield* repo.countOf(workspace_id)) >= maxWebhooks) {
        return yield* new WebhookLimitReached({
          message: `A workspace has at most ${maxWebhooks} webhook endpoints; delete one first.`
        })
      }
      const at = yield* now
      yield* repo.insert({
        ...key,
        url: request.url,
        events: inOrder(request.events),
        description: request.description ?? null,
        repository_ids: request.repos === undefined ? null : yield* idsOf(request.repos),
        min_priority: request.min_priority ?? null,
        sealed_secret: yield* secretKey.seal(secret, ownerOfSecret(key)),
        created_by: actor,
        created_at: at
      })
      const webhook = recordOf(yield* Effect.orDie(lock(key.id)), at)
      yield* auditLog.record({ object: objectOf(webhook), before: null, after: loggedOf(webhook) })
      return { ...webhook, secret } satisfies WebhookWithSecret
    }, inTransaction)

    const create = Effect.fn("Webhooks.create")((request: CreateWebhook) =>
      Effect.zipRight(checkAddress(request.url), insert(request))
    )

    const change = Effect.fn("Webhooks.change")(function* (id: WebhookId, changes: UpdateWebhook) {
      const { workspace_id } = yield* Caller
      const row = yield* lock(id)
      const { repos, ...others } = changes
      const repository_ids = repos === undefined ? row.repository_ids : repos === null ? null : yield* idsOf(repos)
      const content = changedContent({ ...row, repository_ids }, others)
      const at = yield* now
      if (isChanged(row, content)) yield* repo.update({ ...content, workspace_id, id, at })
      const [before, after] = [recordOf(row, at), recordOf(yield* lock(id), at)]
      yield* auditLog.record({ object: objectOf(after), before: loggedOf(before), after: loggedOf(after) })
      return after
    }, inTransaction)

    const update = Effect.fn("Webhooks.update")((id: WebhookId, changes: UpdateWebhook) =>
      Effect.zipRight(changes.url === undefined ? Effect.void : checkAddress(changes.url), change(id, changes))
    )

    const rotateSecret = Effect.fn("Webhooks.rotateSecret")(function* (id: WebhookId) {
      const { workspace_id } = yield* Caller
      yield* lock(id)
      const time = yield* DateTime.now
      const at = DateTime.formatIso(time)
      const secret = newSecret()
      yield* repo.rotate({
        workspace_id,
        id,
        sealed_secret: yield* secretKey.seal(secret, ownerOfSecret({ workspace_id, id })),
        expires_at: DateTime.formatIso(DateTime.addDuration(time, overlap)),
        at
      })
      const webhook = recordOf(yield* lock(id), at)
      yield* auditLog.record({
        object: objectOf(webhook),
        before: null,
        after: { rotated_at: at, previous_signs_until: webhook.previous_secret_expires_at }
      })
      return { ...webhook, secret } satisfies WebhookWithSecret
    }, inTransaction)

    const remove = Effect.fn("Webhooks.remove")(function* (id: WebhookId) {
      const { workspace_id } = yield* Caller
      const webhook = recordOf(yield* lock(id), yield* now)
      yield* repo.remove({ workspace_id, id })
      yield* auditLog.record({ object: objectOf(webhook), before: loggedOf(webhook), after: null })
    }, inTransaction)

    return { list, get, lockActive, create, update, rotateSecret, remove }
  })
}) {}

/** Each once, in the order in which they are documented. */
const inOrder = (events: ReadonlyArray<string>): ReadonlyArray<string> =>
  events.includes("*") ? ["*"] : webhookEventTypes.filter((type) => events.includes(type))

/** Another address or a resumed endpoint starts without the failures of before. */
const changedContent = (row: WebhookContent, changes: Omit<UpdateWebhook, "repos">): WebhookContent => {
  const { url, events, description, repository_ids, min_priority, active } = { ...row, ...changes }
  const isFresh = url !== row.url || (active && !row.active)
  return {
    url,
    events: inOrder(events),
    description,
    repository_ids,
    min_priority,
    active,
    disabled_reason: active ? null : row.disabled_reason,
    failing_since: isFresh ? null : row.failing_since
  }
}

const isChanged = (row: WebhookContent, content: WebhookContent): boolean =>
  JSON.stringify(row.repository_ids) !== JSON.stringify(content.repository_ids) ||
  row.events.join() !== content.events.join() ||
  (["url", "description", "min_priority", "active", "disabled_reason"] as const).some(
    (name) => row[name] !== content[name]
  )

const recordOf = (
  { repository_ids: _, sealed_secret: __, previous_secret_expires_at: until, ...row }: WebhookRow,
  at: string
): Webhook => ({ ...row, previous_secret_expires_at: until !== null && until > at ? until : null })

const objectOf = ({ id }: Webhook) => ({ kind: "webhook", ref: id }) as const

/** What people decide of it. Addresses may carry a key of the receiver's: of their query only a hash is kept. */
const loggedOf = ({ url, events, description, repos, min_priority, active, disabled_reason }: Webhook) => ({
  url: url.replace(/\?.*/, (query) => `?… (${sha256Hex(query).slice(0, 8)})`),
  events,
  description,
  repos,
  min_priority,
  active,
  disabled_reason
})
