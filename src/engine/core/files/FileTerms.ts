import type { UserModel } from "../settings/UserModel.ts"
import { type FileRole, roleByContent, roleByPath } from "./FileRole.ts"
import type { Language } from "./Language.ts"
import { authorshipOf } from "./ownership/foreign.ts"
import type { Owner } from "./ownership/Owner.ts"
import { type TreeLayout, unknownLayout } from "./TreeLayout.ts"

/** What is settled about a file before it is read: by its path, and by configuration. */
export interface FileTerms {
  /** By its path; what it holds may say more. */
  readonly role: FileRole
  readonly configured: ConfiguredTerms | null
  /** Whom the repository belongs to; null where that is not known. */
  readonly owner: Owner | null
  /** The list of holders that packaging keeps, or what its folder says, makes it likely that it was copied. */
  readonly isListed?: true
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

export interface OwnRole {
  readonly role: FileRole
  readonly isUncertain: boolean
}

export const termsOf = (path: string, layout: TreeLayout = unknownLayout, owner: Owner | null = null): FileTerms => ({
  role: roleByPath(path, layout),
  configured: null,
  owner
})

/** The role without configuration, by path and content, and whether others may have written the file first. */
export const ownRoleIn = ({ role, owner, isListed }: FileTerms, path: string, text: string, lines: number): OwnRole => {
  const found = roleByContent(role, path, text, lines)
  if (found !== "source") return { role: found, isUncertain: false }
  const authorship = authorshipOf(path, text, owner, isListed)
  return { role: authorship === "foreign" ? "vendored" : found, isUncertain: authorship === "uncertain" }
}

/** What an inspection of the same content depends on, as a short text. */
export const termsKey = ({ role, configured, owner, isListed }: FileTerms): string =>
  [
    isListed === true ? `listed ${role}` : role,
    owner?.digest ?? "",
    configured === null ? "" : JSON.stringify(configured)
  ].join(" ")
