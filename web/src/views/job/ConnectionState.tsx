import type { Connection } from "../../api/eventStream.ts"
import { StateBadge, type StateLook } from "../../parts/badges/Badge.tsx"

const looks: Readonly<Record<Connection, StateLook>> = {
  connecting: { words: "Connecting", icon: "wait", tone: "p3" },
  live: { words: "Live", icon: "done", tone: "good" },
  interrupted: { words: "Connection lost; trying again", icon: "offline", tone: "p1" },
  ended: { words: "Ended", icon: "done", tone: "p3" }
}

/** Whether what is shown is what happens. */
export const ConnectionState = ({ connection }: { readonly connection: Connection }) => (
  <StateBadge look={looks[connection]} />
)
