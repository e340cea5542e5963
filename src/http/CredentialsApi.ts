import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import {
  CreateCredential,
  Credential,
  CredentialLimitReached,
  CredentialNotFound,
  CredentialPath
} from "../schema/Credential.ts"
import { closed } from "../schema/closed.ts"
import { InvalidCursor, SessionRequired } from "../schema/Errors.ts"
import { credentials } from "../schema/operations/index.ts"
import { page, pageQuery } from "../schema/Page.ts"
import { Authorization } from "./Authorization.ts"
import { RepositoryFilterErrors } from "./errors.ts"
import { onWire, serves } from "./wire.ts"

export const CredentialsPage = page("CredentialsPage", Credential)

export const CredentialsApi = HttpApiGroup.make("credentials")
  .add(
    HttpApiEndpoint.get("list", "/api/credentials")
      .annotateContext(
        serves(
          credentials.listCredentials,
          "Lists the credentials of private remotes, newest first. No secret is ever returned."
        )
      )
      .setUrlParams(closed(pageQuery))
      .addSuccess(CredentialsPage)
      .addError(onWire(SessionRequired, InvalidCursor))
  )
  .add(
    HttpApiEndpoint.post("create", "/api/credentials")
      .annotateContext(
        serves(
          credentials.createCredential,
          "Stores a credential for private remotes: of a host, also before its repositories are registered, or of one repository. The most specific one is used, the newest of equals: to replace one, store the next and delete it. The secret is sealed, never returned, and offered to this host only."
        )
      )
      .setPayload(CreateCredential)
      .addSuccess(Credential, { status: 201 })
      .addError(onWire(SessionRequired, CredentialLimitReached))
      .addError(RepositoryFilterErrors)
  )
  .add(
    HttpApiEndpoint.del("remove", "/api/credentials/:credential_id")
      .annotateContext(
        serves(credentials.deleteCredential, "Deletes a credential. Calls of git that start afterwards do without it.")
      )
      .setPath(CredentialPath)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(onWire(SessionRequired, CredentialNotFound))
  )
  .annotate(OpenApi.Description, "Credentials of private remotes.")
  .middleware(Authorization)
