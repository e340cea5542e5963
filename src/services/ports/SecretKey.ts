import { Context, type Effect, Schema } from "effect"

/** The text was sealed with another key, or for another row, or was changed. The message names the way out. */
export class SecretUnreadable extends Schema.TaggedError<SecretUnreadable>()("SecretUnreadable", {
  message: Schema.String
}) {}

/** Seals the secrets that the database holds for others, under a key that the database does not hold. */
export class SecretKey extends Context.Tag("SecretKey")<
  SecretKey,
  {
    /**
     * `associated` says whose secret it is, such as `credentials/<workspace>/<row>/secret`. It is not stored: the text opens
     * for who names the same only, so that a sealed text copied into another row stays closed.
     */
    readonly seal: (text: string, associated: string) => Effect.Effect<string>
    readonly unseal: (sealed: string, associated: string) => Effect.Effect<string, SecretUnreadable>
  }
>() {}
