import type { ApiKey } from "../../api/keys.ts"
import { Badge } from "../../parts/badges/Badge.tsx"
import { Button } from "../../parts/button/Button.tsx"
import { type Column, Table } from "../../parts/layout/Table.tsx"
import { day } from "../../parts/text/day.ts"
import { Money } from "../../parts/text/Money.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { isLive, lifeOf } from "./expiry.ts"
import styles from "./Keys.module.css"
import { presetName } from "./presets.ts"

/** When a key ends; marked when that is soon. */
const End = ({ apiKey, now }: { readonly apiKey: ApiKey; readonly now: Date }) => {
  const { expires_at, revoked_at } = apiKey
  const life = lifeOf(apiKey, now)
  if (life === "revoked")
    return (
      <Badge icon="dismiss" pill>
        Revoked {revoked_at === null ? null : day(revoked_at)}
      </Badge>
    )
  if (expires_at === null) return "Never"
  if (life === "expired")
    return (
      <Badge icon="clock" pill>
        Expired {day(expires_at)}
      </Badge>
    )
  if (life === "expiring")
    return (
      <Badge icon="clock" tone="p1" pill>
        Expires <Time at={expires_at} long />
      </Badge>
    )
  return <span title={expires_at}>{day(expires_at)}</span>
}

const Limits = ({ apiKey }: { readonly apiKey: ApiKey }) => (
  <>
    {apiKey.requests_per_minute === null ? null : <div>{apiKey.requests_per_minute} requests a minute</div>}
    {apiKey.dollars_per_hour === null ? null : (
      <div>
        <Money amount={apiKey.dollars_per_hour} /> an hour
      </div>
    )}
    {apiKey.allowed_cidrs === null || apiKey.allowed_cidrs.length === 0 ? null : (
      <div title={apiKey.allowed_cidrs.join(", ")}>from {apiKey.allowed_cidrs[0]}</div>
    )}
  </>
)

const columns = (
  now: Date,
  creatorOf: (key: ApiKey) => string,
  onTighten: (key: ApiKey) => void,
  onRevoke: (key: ApiKey) => void
): ReadonlyArray<Column<ApiKey>> => [
  {
    name: "Name",
    cell: ({ name, prefix, agent_label }) => (
      <>
        <strong>{name}</strong>
        <div className={`${styles.hint} mono`}>{prefix}…</div>
        {agent_label === null ? null : <div className={styles.hint}>Agent {agent_label}</div>}
      </>
    )
  },
  {
    name: "Scopes",
    cell: (apiKey) => (
      <>
        <span title={apiKey.scopes.join("\n")}>
          {presetName(apiKey.scopes)} <span className="muted">· {apiKey.scopes.length} scopes</span>
        </span>
        <div className={styles.hint}>
          <Limits apiKey={apiKey} />
        </div>
      </>
    )
  },
  {
    name: "Last used",
    cell: ({ last_used_at, last_used_ip }) =>
      last_used_at === null ? (
        <span className="muted">Never</span>
      ) : (
        <>
          <Time at={last_used_at} long />
          <div className={`${styles.hint} num`}>{last_used_ip}</div>
        </>
      )
  },
  { name: "Expires", cell: (apiKey) => <End apiKey={apiKey} now={now} /> },
  { name: "Created by", cell: (apiKey) => <span className="soft">{creatorOf(apiKey)}</span> },
  {
    name: "Actions",
    nameHidden: true,
    figure: true,
    cell: (apiKey) =>
      isLive(apiKey, now) ? (
        <span className={styles.actions}>
          <Button look="ghost" small aria-label={`Tighten ${apiKey.name}`} onPress={() => onTighten(apiKey)}>
            Tighten…
          </Button>
          <Button look="danger" small aria-label={`Revoke ${apiKey.name}`} onPress={() => onRevoke(apiKey)}>
            Revoke…
          </Button>
        </span>
      ) : null
  }
]

interface KeyTableProps {
  readonly keys: ReadonlyArray<ApiKey>
  readonly now: Date
  readonly creatorOf: (key: ApiKey) => string
  readonly onTighten: (key: ApiKey) => void
  readonly onRevoke: (key: ApiKey) => void
}

export const KeyTable = ({ keys, now, creatorOf, onTighten, onRevoke }: KeyTableProps) => (
  <Table label="API keys" columns={columns(now, creatorOf, onTighten, onRevoke)} rows={keys} keyOf={({ id }) => id} />
)
