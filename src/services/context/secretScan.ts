import { Effect } from "effect"
import { Secrets } from "../../engine/index.ts"
import { type ContextSecretWarning, SecretDetected } from "../../schema/TeamContext.ts"
import type { Written } from "./entryRules.ts"

const textsOf = (
  fields: Written & { readonly key?: string }
): ReadonlyArray<readonly [field: string, text: string]> => [
  ...(["key", "title", "summary", "body_md", "agent_label", "reason"] as const).flatMap((field) => {
    const value = fields[field]
    return typeof value === "string" ? [[field, value] as const] : []
  }),
  ...(fields.data === undefined || fields.data === null
    ? []
    : [["data", JSON.stringify(fields.data, null, 1)] as const]),
  ...(["tags", "labels"] as const).flatMap((field) => {
    const words = fields[field]
    return words === undefined || words === null ? [] : [[field, words.join("\n")] as const]
  })
]

const secretKind = ({ kind, rule }: Secrets.Secret): string => (kind === "labelled" ? "generic-api-key" : rule)

/** Of one field. */
export const scanText = (
  field: string,
  text: string
): Effect.Effect<ReadonlyArray<ContextSecretWarning>, SecretDetected> => {
  const found = Secrets.scanSecrets(text, { unquoted: true, highEntropy: true })
  const certain = found.find(({ kind }) => kind === "provider")
  if (certain !== undefined) {
    return Effect.fail(
      new SecretDetected({
        message: `${field} holds what looks like ${certain.noun}. Refer to where it is kept instead.`,
        param: field,
        details: { field, secret_kind: secretKind(certain) }
      })
    )
  }
  const kinds = [...new Set(found.map(secretKind))]
  return Effect.succeed(kinds.map((secret_kind) => ({ field, secret_kind, message: warningOf(field, secret_kind) })))
}

/**
 * Rejects a write that holds what can only be a credential, by its issuer's format; reports what merely looks
 * like one. Neither ever shows the value.
 */
export const scanForSecrets = (
  fields: Written & { readonly key?: string }
): Effect.Effect<ReadonlyArray<ContextSecretWarning>, SecretDetected> =>
  Effect.map(
    Effect.forEach(textsOf(fields), ([field, text]) => scanText(field, text)),
    (warnings) => warnings.flat()
  )

const warningOf = (field: string, kind: string): string =>
  kind === "high-entropy-string"
    ? `${field} holds a long random-looking value. If it is a credential, take it out and revoke it.`
    : `${field} gives a value to a name that means a credential. If it is one, take it out and revoke it.`
