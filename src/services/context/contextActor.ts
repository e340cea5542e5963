import { type KeyId } from "../../schema/Ids.ts"
import type { ContextActor } from "../../schema/TeamContext.ts"
import type { CallerInfo } from "../access/Caller.ts"

/** Who writes, as entries and their history show it. A label that the writer chose is shown, but not vouched for. */
export const contextActor = ({ actor, credential }: CallerInfo, label?: string | null): ContextActor => {
  const chosen = label !== undefined && label !== null && label.trim() !== ""
  if (credential.kind === "session") {
    return {
      kind: "user",
      api_key: null,
      label: chosen ? label : actor.label,
      label_verified: !chosen,
      user_id: credential.user_id
    }
  }
  const { name, prefix } = credential
  return {
    kind: "api_key",
    api_key: { name, prefix },
    label: chosen ? label : `${name} (${prefix})`,
    label_verified: !chosen,
    user_id: null
  }
}

export const keyIdOf = ({ credential }: CallerInfo): KeyId | null =>
  credential.kind === "api_key" ? credential.id : null
