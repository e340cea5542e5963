import { Layer } from "effect"
import { Cursors } from "../../src/services/access/Cursors.ts"
import { Guard } from "../../src/services/access/Guard.ts"
import { KeyCredentials } from "../../src/services/access/KeyCredentials.ts"
import { Keys } from "../../src/services/access/Keys.ts"
import { KeysRepo } from "../../src/services/access/KeysRepo.ts"
import { RateLimiter } from "../../src/services/access/RateLimiter.ts"
import { Sessions } from "../../src/services/access/Sessions.ts"
import { SessionsRepo } from "../../src/services/access/SessionsRepo.ts"
import { SignInLimits } from "../../src/services/access/SignInLimits.ts"
import { Spend } from "../../src/services/access/Spend.ts"
import { SpendRepo } from "../../src/services/access/SpendRepo.ts"
import { ServerSecrets } from "../../src/services/support/ServerSecrets.ts"
import { AuditLogLive } from "./auditLog.ts"
import { Database } from "./Database.ts"

/** Keys, sessions and the guard, without a door. */
export const AccessOverDatabase = Guard.Default.pipe(
  Layer.provideMerge(Layer.mergeAll(Keys.Default, Sessions.Default, Spend.Default)),
  Layer.provide(SignInLimits.Default),
  Layer.provideMerge(KeyCredentials.Default),
  Layer.provideMerge(AuditLogLive),
  Layer.provideMerge(Layer.merge(Cursors.Default, RateLimiter.inProcess)),
  Layer.provide(ServerSecrets.Default),
  Layer.provideMerge(Layer.mergeAll(KeysRepo.Default, SessionsRepo.Default, SpendRepo.Default)),
  Layer.provideMerge(Database)
)
