import type { Role } from "../../api/members.ts"

/** What each role may do, in words. */
export const roles: ReadonlyArray<{ readonly value: Role; readonly label: string; readonly hint: string }> = [
  { value: "viewer", label: "Viewer", hint: "Reads everything that they may see. Changes nothing and starts nothing." },
  {
    value: "member",
    label: "Member",
    hint: "Also runs jobs, requests fixes, triages, registers repositories, writes context and issues."
  },
  {
    value: "admin",
    label: "Admin",
    hint: "Also manages repositories, projects, settings, every key, and people up to admin."
  },
  { value: "owner", label: "Owner", hint: "Also makes owners and ends it. A workspace always has one." }
]

export const roleName = (role: Role): string => roles.find(({ value }) => value === role)?.label ?? role
