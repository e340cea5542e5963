import { Effect } from "effect"
import { ClaimLost } from "../../schema/Issue.ts"
import type { CallerInfo } from "../access/Caller.ts"
import type { ClaimState } from "./IssuesRepo.ts"

/** Whether the caller is who claimed the issue: the same key, or the same person signed in. */
export const isHolder = ({ claim_key_id, claim_user_id }: ClaimState, { credential }: CallerInfo): boolean =>
  credential.kind === "api_key" ? claim_key_id === credential.id : claim_user_id === credential.user_id

/**
 * The one check of fences: a write that carries one is rejected unless the caller holds the claim that it belongs to, and the
 * lease has not ended. To be called with the row locked.
 */
export const checkFence = (
  issue: ClaimState,
  { fence, caller }: { readonly fence: number | undefined; readonly caller: CallerInfo }
): Effect.Effect<void, ClaimLost> =>
  fence === undefined || (fence === issue.fence && issue.is_claimed && isHolder(issue, caller))
    ? Effect.void
    : Effect.fail(
        new ClaimLost({
          message: "You do not hold the claim of this fence (any more): claim the issue again, or send no fence.",
          details: { fence }
        })
      )
