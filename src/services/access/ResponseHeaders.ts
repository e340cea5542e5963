import { Context, type Effect } from "effect"

/** Sets headers on the response to the current request, whatever it turns out to be. */
export class ResponseHeaders extends Context.Tag("ResponseHeaders")<
  ResponseHeaders,
  { readonly set: (headers: Readonly<Record<string, string>>) => Effect.Effect<void> }
>() {}
