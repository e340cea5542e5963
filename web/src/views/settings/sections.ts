import { type ComponentType, lazy } from "react"
import type { Scope } from "../../api/session.ts"

export interface SettingsSection {
  readonly id: string
  readonly name: string
  readonly group: "You" | "Workspace" | "Connections" | "Records"
  /** The permission without which there is nothing to see. */
  readonly needs?: Scope
  readonly view: ComponentType
}

const admin = "manage_tenant_settings" as const

/** The sections of the settings, in their order; each is loaded when it is opened. */
export const sections: ReadonlyArray<SettingsSection> = [
  {
    id: "profile",
    name: "Profile",
    group: "You",
    view: lazy(async () => ({ default: (await import("./Profile.tsx")).Profile }))
  },
  {
    id: "password",
    name: "Password",
    group: "You",
    view: lazy(async () => ({ default: (await import("./Password.tsx")).Password }))
  },
  {
    id: "sessions",
    name: "Sessions",
    group: "You",
    view: lazy(async () => ({ default: (await import("./Sessions.tsx")).Sessions }))
  },
  {
    id: "members",
    name: "Members",
    group: "Workspace",
    view: lazy(async () => ({ default: (await import("./Members.tsx")).Members }))
  },
  {
    id: "guidance",
    name: "Guidance",
    group: "Workspace",
    view: lazy(async () => ({ default: (await import("./Guidance.tsx")).Guidance }))
  },
  {
    id: "general",
    name: "Features and limits",
    group: "Workspace",
    view: lazy(async () => ({ default: (await import("./General.tsx")).General }))
  },
  {
    id: "rules",
    name: "Rules",
    group: "Workspace",
    view: lazy(async () => ({ default: (await import("./Rules.tsx")).Rules }))
  },
  {
    id: "credentials",
    name: "Code hosts",
    group: "Connections",
    needs: admin,
    view: lazy(async () => ({ default: (await import("./Credentials.tsx")).Credentials }))
  },
  {
    id: "trackers",
    name: "Ticket trackers",
    group: "Connections",
    needs: admin,
    view: lazy(async () => ({ default: (await import("./Trackers.tsx")).Trackers }))
  },
  {
    id: "webhooks",
    name: "Webhooks",
    group: "Connections",
    needs: admin,
    view: lazy(async () => ({ default: (await import("./Webhooks.tsx")).Webhooks }))
  },
  {
    id: "outbox",
    name: "Outbox",
    group: "Records",
    needs: admin,
    view: lazy(async () => ({ default: (await import("./Outbox.tsx")).Outbox }))
  },
  {
    id: "audit-log",
    name: "Audit log",
    group: "Records",
    needs: admin,
    view: lazy(async () => ({ default: (await import("./AuditLog.tsx")).AuditLog }))
  },
  {
    id: "doctor",
    name: "Doctor",
    group: "Records",
    needs: admin,
    view: lazy(async () => ({ default: (await import("./Doctor.tsx")).Doctor }))
  }
]
