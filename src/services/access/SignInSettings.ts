import { Context } from "effect"
import type { Role } from "../../schema/Session.ts"

/** How people may sign in, as the operator of the installation configured it. */
export class SignInSettings extends Context.Reference<SignInSettings>()("SignInSettings", {
  defaultValue: (): {
    readonly passwords: boolean
    /** Domains of the addresses that a provider may sign in, in lower case; empty: of any member, and no newcomers. */
    readonly allowedDomains: ReadonlyArray<string>
    readonly newcomerRole: Role
  } => ({ passwords: true, allowedDomains: [], newcomerRole: "member" })
}) {}
