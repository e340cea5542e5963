import type { CredentialId, WorkspaceId } from "../../schema/Ids.ts"

/** What a credential's secret is sealed for: a row copied to another workspace or credential stays closed. */
export const purposeOf = ({ workspace_id, id }: { readonly workspace_id: WorkspaceId; readonly id: CredentialId }) =>
  `credentials/${workspace_id}/${id}`
