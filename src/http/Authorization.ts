import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "@effect/platform"
import { Caller } from "../services/access/Caller.ts"
import { AdmissionErrors } from "./errors.ts"

/**
 * Admits a request to the operation of its endpoint and provides the caller, before anything of it is decoded.
 * One security scheme on purpose: with several the framework tries the next after any error.
 */
export class Authorization extends HttpApiMiddleware.Tag<Authorization>()("Authorization", {
  provides: Caller,
  failure: AdmissionErrors,
  security: {
    apiKey: HttpApiSecurity.annotate(HttpApiSecurity.bearer, OpenApi.Description, "An API key, created in the web app.")
  }
}) {}
