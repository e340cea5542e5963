import type { Schema } from "../../api/client.ts"

type Actor = Pick<Schema<"AuditActor">, "kind" | "label"> & { readonly api_key: { readonly name: string } | null }

/** Who did it, in words: a person's name or address, a key's name, a job, or the service itself. */
export const actorWords = ({ kind, label, api_key }: Actor): string => {
  if (api_key !== null) return `key ${api_key.name}`
  if (label !== null) return label
  return kind === "job" ? "a job" : kind === "system" ? "Assay" : "someone who left"
}
