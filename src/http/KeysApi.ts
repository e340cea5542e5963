import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { closed } from "../schema/closed.ts"
import { InsufficientScope, InvalidCursor, InvalidPayload, SessionRequired } from "../schema/Errors.ts"
import {
  CreatedKey,
  CreateKey,
  KeyLimitReached,
  KeyNotFound,
  KeyOnlyTightens,
  KeyPath,
  KeyRecord,
  UpdateKey
} from "../schema/Key.ts"
import { keys } from "../schema/operations/index.ts"
import { page, pageQuery } from "../schema/Page.ts"
import { Authorization } from "./Authorization.ts"
import { onWire, serves } from "./wire.ts"

export const KeysPage = page("ApiKeysPage", KeyRecord)

export const KeysApi = HttpApiGroup.make("keys")
  .add(
    HttpApiEndpoint.post("create", "/api/keys")
      .annotateContext(
        serves(
          keys.createKey,
          "Creates an API key; the full key is shown once. A key with `agent_label` expires after 7 days unless `expires_at` is sent; null means never. At most 25 keys are live per workspace."
        )
      )
      .setPayload(CreateKey)
      .addSuccess(CreatedKey, { status: 201 })
      .addError(onWire(SessionRequired, InsufficientScope, InvalidPayload, KeyLimitReached))
  )
  .add(
    HttpApiEndpoint.get("list", "/api/keys")
      .annotateContext(serves(keys.listKeys))
      .setUrlParams(closed(pageQuery))
      .addSuccess(KeysPage)
      .addError(onWire(SessionRequired, InvalidCursor))
  )
  .add(
    HttpApiEndpoint.get("get", "/api/keys/:key_id")
      .annotateContext(serves(keys.readKey))
      .setPath(KeyPath)
      .addSuccess(KeyRecord)
      .addError(onWire(SessionRequired, KeyNotFound))
  )
  .add(
    HttpApiEndpoint.patch("update", "/api/keys/:key_id")
      .annotateContext(
        serves(
          keys.updateKey,
          "Renames a key or tightens its limits and scopes. Expiry and allowed IP addresses never change."
        )
      )
      .setPath(KeyPath)
      .setPayload(UpdateKey)
      .addSuccess(KeyRecord)
      .addError(onWire(SessionRequired, KeyNotFound, KeyOnlyTightens))
  )
  .add(
    HttpApiEndpoint.del("revoke", "/api/keys/:key_id")
      .annotateContext(serves(keys.revokeKey))
      .setPath(KeyPath)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(onWire(SessionRequired, KeyNotFound))
  )
  .annotate(OpenApi.Description, "API keys; only signed-in people manage them.")
  .middleware(Authorization)
