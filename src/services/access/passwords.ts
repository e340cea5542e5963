import { hash, verify } from "@node-rs/argon2"
import { Effect } from "effect"

/** Argon2id, in the encoded form that carries its own salt and parameters. */
export const hashPassword = (password: string) => Effect.promise(() => hash(password))

// A made-up account's hash: checking against it takes as long as checking a real one.
const unknownUser = "$argon2id$v=19$m=19456,t=2,p=1$qIYqF7iDdH7hU4OFcyK+qg$IzZngpmRbZ2COZKn7bu4W3Hktt9REIKNgq87MMthw6k"

/** `null` for an account that does not exist or has no password: refused in the same time. */
export const verifyPassword = (encoded: string | null, password: string) =>
  Effect.map(
    Effect.promise(() => verify(encoded ?? unknownUser, password)),
    (matches) => matches && encoded !== null
  )
