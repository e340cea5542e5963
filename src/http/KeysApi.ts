import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "@effect/platform"
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
      .annotateContext(serves(keys.createKey))
      .setPayload(CreateKey)
      .addSuccess(CreatedKey, { status: 201 })
      .addError(onWire(SessionRequired))
      .addError(onWire(InsufficientScope))
      .addError(onWire(InvalidPayload))
      .addError(onWire(KeyLimitReached))
  )
  .add(
    HttpApiEndpoint.get("list", "/api/keys")
      .annotateContext(serves(keys.listKeys))
      .setUrlParams(closed(pageQuery))
      .addSuccess(KeysPage)
      .addError(onWire(SessionRequired))
      .addError(onWire(InvalidCursor))
  )
  .add(
    HttpApiEndpoint.get("get", "/api/keys/:key_id")
      .annotateContext(serves(keys.readKey))
      .setPath(KeyPath)
      .addSuccess(KeyRecord)
      .addError(onWire(SessionRequired))
      .addError(onWire(KeyNotFound))
  )
  .add(
    HttpApiEndpoint.patch("update", "/api/keys/:key_id")
      .annotateContext(serves(keys.updateKey))
      .setPath(KeyPath)
      .setPayload(UpdateKey)
      .addSuccess(KeyRecord)
      .addError(onWire(SessionRequired))
      .addError(onWire(KeyNotFound))
      .addError(onWire(KeyOnlyTightens))
  )
  .add(
    HttpApiEndpoint.del("revoke", "/api/keys/:key_id")
      .annotateContext(serves(keys.revokeKey))
      .setPath(KeyPath)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(onWire(SessionRequired))
      .addError(onWire(KeyNotFound))
  )
  .middleware(Authorization)
