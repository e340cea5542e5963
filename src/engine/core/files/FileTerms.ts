import { type FileRole, roleByContent, roleByPath } from "./FileRole.ts"
import { type TreeLayout, unknownLayout } from "./TreeLayout.ts"

/** What is settled about a file before it is read. */
export interface FileTerms {
  /** By its path; what it holds may say more. */
  readonly role: FileRole
  /** Given by the repository's configuration: what the file holds does not change it. */
  readonly isRoleGiven: boolean
  /** Left out by configuration: it is inspected for credentials only. */
  readonly isExcluded: boolean
}

export const termsOf = (path: string, layout: TreeLayout = unknownLayout): FileTerms => ({
  role: roleByPath(path, layout),
  isRoleGiven: false,
  isExcluded: false
})

export const roleIn = ({ role, isRoleGiven }: FileTerms, path: string, text: string, lines: number): FileRole =>
  isRoleGiven ? role : roleByContent(role, path, text, lines)

/** What an inspection of the same content depends on, as a short text. */
export const termsKey = ({ role, isRoleGiven, isExcluded }: FileTerms): string =>
  `${role}${isRoleGiven ? "!" : ""}${isExcluded ? "-" : ""}`
