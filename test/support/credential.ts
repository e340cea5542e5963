import { type KeyId, UserId } from "../../src/schema/Ids.ts"
import type { CallerInfo } from "../../src/services/access/Caller.ts"

/** Of a key made by an owner, for callers that no guard has identified. */
export const keyCredential = (
  id: KeyId,
  created_by = UserId.make("01a1f84d-c1ea-70a9-a51e-fdfa95578d6f")
): Extract<CallerInfo["credential"], { kind: "api_key" }> => ({
  kind: "api_key",
  id,
  name: "ci",
  prefix: "asy_limited1",
  created_by,
  creator_role: "owner"
})
