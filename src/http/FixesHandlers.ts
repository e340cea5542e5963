import { Effect } from "effect"
import { Fixes } from "../services/fixes/Fixes.ts"
import { FixPrs } from "../services/fixes/FixPrs.ts"
import { FixWithdrawals } from "../services/fixes/FixWithdrawals.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"

export const FixesHandlers = group(
  Api,
  "fixes",
  Effect.fnUntraced(function* (handlers) {
    const fixes = yield* Fixes
    const withdrawals = yield* FixWithdrawals
    const fixPrs = yield* FixPrs
    return handlers
      .handle("list", ({ urlParams }) => fixPrs.listAll(urlParams))
      .handle("diff", ({ path }) => fixes.diff(path.ref))
      .handle("withdraw", ({ path }) => withdrawals.withdraw(path.ref))
  })
)
