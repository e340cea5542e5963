import type { UserModel } from "../settings/UserModel.ts"
import { type FileRole, roleByContent, roleByPath } from "./FileRole.ts"
import type { Language } from "./Language.ts"
import { type TreeLayout, unknownLayout } from "./TreeLayout.ts"

/** What is settled about a file before it is read: by its path, and by configuration. */
export interface FileTerms {
  /** By its path; what it holds may say more. */
  readonly role: FileRole
  readonly configured: ConfiguredTerms | null
}

/** What the configuration says of a file. */
export interface ConfiguredTerms {
  /** Whatever the file holds. */
  readonly role: FileRole | null
  readonly language: Language | null
  /** It is inspected for credentials only. */
  readonly isExcluded: boolean
  /** Tools and rules that are reported although they are off by default. */
  readonly enabled: ReadonlyArray<string>
  /** Elements of HTML by the name of the component that renders them. */
  readonly components: Readonly<Record<string, string>>
  /** Models of data flow in the file's language. */
  readonly models: ReadonlyArray<UserModel>
}

export const termsOf = (path: string, layout: TreeLayout = unknownLayout): FileTerms => ({
  role: roleByPath(path, layout),
  configured: null
})

/** The role without configuration, by path and content. */
export const ownRoleIn = ({ role }: FileTerms, path: string, text: string, lines: number): FileRole =>
  roleByContent(role, path, text, lines)

/** What an inspection of the same content depends on, as a short text. */
export const termsKey = ({ role, configured }: FileTerms): string =>
  configured === null ? role : `${role} ${JSON.stringify(configured)}`
