import { Schema } from "effect"
import { conflict, notFound } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { CredentialId } from "./Ids.ts"
import { field, Instant, nullable, oneOf, optional, patterned, text } from "./Text.ts"

/** Credentials that a workspace may have. */
export const maxCredentials = 1000
export const maxSecret = 8192
export const maxPrivateKey = 20_000
export const maxKnownHosts = 100_000

const kinds = ["https", "ssh"] as const
export const CredentialKind = oneOf(...kinds)
export type CredentialKind = typeof CredentialKind.Type

const Host = patterned(
  1,
  260,
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/,
  "must be a host, with its port where that is not the usual one, such as git.example.org or git.example.org:8443"
)

const User = patterned(1, 255, /^[^:\p{C}]+$/u, "must be a user name, without a colon or control characters")

/** Control characters would end a line of the protocol that git reads it by. */
const Secret = patterned(1, maxSecret, /^[^\p{Cc}]+$/u, "must be one line, without control characters")

export const CredentialPath = Schema.Struct({ credential_id: field(CredentialId, "ID of the credential.") })

const example = {
  id: CredentialId.make("01a1f84d-c1ea-70a9-a51e-fdfa95578d74"),
  kind: "ssh",
  host: "git.example.org",
  repository: "acme/api@main",
  username: null,
  fingerprint: "SHA256:6ySfV0Ue0NwnCDcnXwPnqWqCUnMvWfN1K4qcGrDdbrc",
  created_at: "2026-11-20T09:30:00.120Z",
  last_used_at: null
} as const

export const Credential = record(
  "Credential",
  {
    id: field(CredentialId, "ID of the credential."),
    kind: field(CredentialKind, "`https`: a user and a password or token; `ssh`: a deploy key."),
    host: field(Schema.String, "Host that it is offered to, with its port where that is not the usual one."),
    repository: nullable(
      Schema.String,
      "The only repository that it is for, as `owner/repo@branch`; null for all of the host."
    ),
    username: nullable(Schema.String, "User that signs in; null where the remote's address has it."),
    fingerprint: nullable(Schema.String, "Fingerprint of the public key, as ssh-keygen prints it; null for https."),
    created_at: field(Instant, "When it was stored."),
    last_used_at: nullable(Instant, "When it was last offered to the host, to the minute; null if never.")
  },
  example
)
export type Credential = typeof Credential.Type

export const CreateCredential = closed(
  {
    kind: field(CredentialKind, "`https` for remotes over HTTPS, `ssh` for those over SSH."),
    host: field(Host, "Host that it is offered to, with its port where that is not the usual one."),
    repository: optional(
      text(1, 500),
      "Slug of the only repository that it is for; otherwise it is for all of the host, also those not registered yet."
    ),
    username: optional(
      User,
      "User that signs in. For `https` `git` where none is given, which hosts take with a token; for `ssh` the one of the remote's address comes first."
    ),
    secret: optional(Secret, "Password or token; for `https` only."),
    private_key: optional(
      text(1, maxPrivateKey),
      "Private key without a passphrase, as ssh-keygen or openssl writes it; for `ssh` only."
    ),
    known_hosts: optional(
      text(1, maxKnownHosts),
      "Host keys of the host, as lines of a known_hosts file; no others are trusted. For `ssh` only."
    )
  },
  "CreateCredentialRequest",
  { kind: "https", host: "git.example.org", username: "assay", secret: "an-access-token" }
)
export type CreateCredential = typeof CreateCredential.Type

export class CredentialNotFound extends notFound("CredentialNotFound", "not_found") {}
export class CredentialLimitReached extends conflict("CredentialLimitReached", "credential_limit_reached") {}
