import type { EntrySummary } from "../../api/context.ts"
import { Badge } from "../../parts/badges/Badge.tsx"
import type { IconName } from "../../parts/icon/Icon.tsx"

type Kind = EntrySummary["kind"]

const kinds: Readonly<Record<Kind, readonly [words: string, icon: IconName]>> = {
  decision: ["Decision", "review"],
  convention: ["Convention", "context"],
  runbook: ["Runbook", "repo"],
  warning: ["Warning", "warn"],
  note: ["Note", "suggestion"],
  flag: ["Flag", "mission"]
}

export const kindOptions = (Object.keys(kinds) as ReadonlyArray<Kind>).map((value) => ({
  value,
  label: kinds[value][0]
}))

export const EntryKind = ({ kind }: { readonly kind: Kind }) => <Badge icon={kinds[kind][1]}>{kinds[kind][0]}</Badge>

export const EntryState = ({ entry }: { readonly entry: EntrySummary }) => {
  if (entry.disabled_at !== null)
    return (
      <Badge icon="dismiss" pill>
        Disabled
      </Badge>
    )
  return entry.status === "proposed" ? (
    <Badge icon="issue" tone="info" pill>
      Proposed
    </Badge>
  ) : (
    <Badge icon="done" tone="good" pill>
      Live
    </Badge>
  )
}

export const Corroborated = ({ entry, long = false }: { readonly entry: EntrySummary; readonly long?: boolean }) =>
  entry.corroborated_at === null ? null : (
    <Badge icon="shield" tone="good" pill>
      Corroborated{long && entry.corroborated_by?.label != null ? ` by ${entry.corroborated_by.label}` : ""}
    </Badge>
  )

/** Who wrote something: a person, or a key with the name that it goes by. */
export const actorName = ({ api_key, label }: EntrySummary["updated_by"]): string =>
  label ?? api_key?.name ?? "someone unknown"
