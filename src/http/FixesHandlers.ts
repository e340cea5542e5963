import { Effect } from "effect"
import { Fixes } from "../services/fixes/Fixes.ts"
import { FixWithdrawals } from "../services/fixes/FixWithdrawals.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"

export const FixesHandlers = group(
  Api,
  "fixes",
  Effect.fnUntraced(function* (handlers) {
    const fixes = yield* Fixes
    const withdrawals = yield* FixWithdrawals
    return handlers
      .handle("diff", ({ path }) => fixes.diff(path.ref))
      .handle("withdraw", ({ path }) => withdrawals.withdraw(path.ref))
  })
)
