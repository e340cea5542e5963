import { Effect, Layer } from "effect"
import { KeyExpiryNotices } from "../services/outbox/KeyExpiryNotices.ts"
import { OutboxSender } from "../services/outbox/OutboxSender.ts"
import type { AppConfig } from "./Config.ts"
import * as SmtpMailer from "./SmtpMailer.ts"

const notices = Layer.scopedDiscard(Effect.flatMap(KeyExpiryNotices, ({ loop }) => Effect.forkScoped(loop))).pipe(
  Layer.provide(KeyExpiryNotices.Default)
)

const sender = Layer.scopedDiscard(Effect.flatMap(OutboxSender, ({ loop }) => Effect.forkScoped(loop))).pipe(
  Layer.provide(OutboxSender.Default)
)

const smtp = ({ smtpUrl: url, mailFrom: from }: AppConfig) =>
  // Without a server, mails stay in the outbox, where admins read them.
  url === null || from === null ? Layer.empty : Layer.provide(sender, SmtpMailer.layer({ url, from }))

/** What writes e-mails by the clock, and what sends them. */
export const layer = (config: AppConfig) => Layer.merge(notices, smtp(config))
