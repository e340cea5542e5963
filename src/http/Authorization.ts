import { HttpApiMiddleware, HttpApiSecurity } from "@effect/platform"
import { Schema } from "effect"
import {
  AddressNotAllowed,
  CsrfRefused,
  ExpiredApiKey,
  FeatureNotEnabled,
  InsufficientScope,
  InvalidApiKey,
  InvalidSession,
  KeyRequired,
  MissingApiKey,
  RateLimited,
  RevokedApiKey,
  SessionRequired,
  UnsupportedMediaType,
  WorkspaceSuspended
} from "../schema/Errors.ts"
import { SpendCeilingReached } from "../schema/Spend.ts"
import { Caller } from "../services/access/Caller.ts"
import { onWire } from "./wire.ts"

/**
 * Admits a request to the operation of its endpoint and provides the caller, before anything of it is decoded.
 * One security scheme on purpose: with several the framework tries the next after any refusal.
 */
export class Authorization extends HttpApiMiddleware.Tag<Authorization>()("Authorization", {
  provides: Caller,
  failure: Schema.Union(
    onWire(MissingApiKey),
    onWire(InvalidApiKey),
    onWire(ExpiredApiKey),
    onWire(RevokedApiKey),
    onWire(AddressNotAllowed),
    onWire(WorkspaceSuspended),
    onWire(InvalidSession),
    onWire(KeyRequired),
    onWire(SessionRequired),
    onWire(InsufficientScope),
    onWire(CsrfRefused),
    onWire(FeatureNotEnabled),
    onWire(RateLimited),
    onWire(SpendCeilingReached),
    onWire(UnsupportedMediaType)
  ),
  security: { apiKey: HttpApiSecurity.bearer }
}) {}
