import { Layer } from "effect"
import { Cursors } from "../../src/services/access/Cursors.ts"
import { Guard } from "../../src/services/access/Guard.ts"
import { IdentitiesRepo } from "../../src/services/access/IdentitiesRepo.ts"
import { KeyCredentials } from "../../src/services/access/KeyCredentials.ts"
import { Keys } from "../../src/services/access/Keys.ts"
import { KeysRepo } from "../../src/services/access/KeysRepo.ts"
import { PasswordPolicy } from "../../src/services/access/PasswordPolicy.ts"
import { RateLimiter } from "../../src/services/access/RateLimiter.ts"
import { Sessions } from "../../src/services/access/Sessions.ts"
import { SessionsRepo } from "../../src/services/access/SessionsRepo.ts"
import { SignInLimits } from "../../src/services/access/SignInLimits.ts"
import { Site } from "../../src/services/access/Site.ts"
import { Spend } from "../../src/services/access/Spend.ts"
import { SpendRepo } from "../../src/services/access/SpendRepo.ts"
import { MailWriter } from "../../src/services/outbox/MailWriter.ts"
import { Outbox } from "../../src/services/outbox/Outbox.ts"
import { OutboxRepo } from "../../src/services/outbox/OutboxRepo.ts"
import { Account } from "../../src/services/people/Account.ts"
import { AccountRepo } from "../../src/services/people/AccountRepo.ts"
import { Invitations } from "../../src/services/people/Invitations.ts"
import { InvitationsRepo } from "../../src/services/people/InvitationsRepo.ts"
import { LinkRequests } from "../../src/services/people/LinkRequests.ts"
import { Members } from "../../src/services/people/Members.ts"
import { MembersRepo } from "../../src/services/people/MembersRepo.ts"
import { ServerSecrets } from "../../src/services/support/ServerSecrets.ts"
import { AuditLogLive } from "./auditLog.ts"
import { Database } from "./Database.ts"
import { NoticeWriterLive } from "./notices.ts"

const people = Layer.mergeAll(Account.Default, Invitations.Default, LinkRequests.Default, Members.Default)

/** Keys, sessions, members and the guard, without the interfaces. */
export const AccessOverDatabase = Layer.merge(Guard.Default, people).pipe(
  Layer.provideMerge(Layer.mergeAll(Keys.Default, Sessions.Default, Spend.Default)),
  Layer.provide(Layer.merge(SignInLimits.Default, PasswordPolicy.Default)),
  Layer.provideMerge(KeyCredentials.Default),
  Layer.provideMerge(Layer.mergeAll(AuditLogLive, Outbox.Default, Site.Default, NoticeWriterLive)),
  Layer.provideMerge(Layer.merge(Cursors.Default, RateLimiter.inProcess)),
  Layer.provideMerge(ServerSecrets.Default),
  Layer.provideMerge(MailWriter.Default),
  Layer.provideMerge(Layer.mergeAll(KeysRepo.Default, SessionsRepo.Default, SpendRepo.Default, OutboxRepo.Default)),
  Layer.provideMerge(
    Layer.mergeAll(AccountRepo.Default, IdentitiesRepo.Default, InvitationsRepo.Default, MembersRepo.Default)
  ),
  Layer.provideMerge(Database)
)
