import type { ApiKey } from "../../api/keys.ts"
import { SecretOnce } from "../../parts/secret_once/SecretOnce.tsx"
import { Snippets } from "../../parts/secret_once/Snippets.tsx"
import { day } from "../../parts/text/day.ts"
import { presetName } from "./presets.ts"
import { snippetsFor } from "./snippets.ts"

/** A new key, shown for the only time, with the set-up of the clients that will use it. */
export const CreatedKey = ({
  created: { key, api_key },
  onClose
}: {
  readonly created: { readonly key: ApiKey; readonly api_key: string }
  readonly onClose: () => void
}) => (
  <SecretOnce
    title={`Key ${key.name} created`}
    name="API key"
    secret={api_key}
    lost="Assay stores a hash of it. If it is lost, revoke it and create another."
    facts={[
      presetName(key.scopes),
      ...(key.requests_per_minute === null ? [] : [`${key.requests_per_minute} requests a minute`]),
      key.expires_at === null ? "never expires" : `expires ${day(key.expires_at)}`
    ].join(" · ")}
    onClose={onClose}
  >
    <Snippets title="Set up a client" snippets={snippetsFor(window.location.origin, api_key)} />
    <p className="muted">The key is filled in. Keep it out of files that you commit.</p>
  </SecretOnce>
)
