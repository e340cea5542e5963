import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import {
  type CreateCredential,
  type Credential,
  CredentialLimitReached,
  CredentialNotFound,
  maxCredentials
} from "../../schema/Credential.ts"
import { CredentialId } from "../../schema/Ids.ts"
import { defaultPageSize, type PageRequest } from "../../schema/Page.ts"
import { Caller } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { unrestricted } from "../access/Reach.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { SecretKey } from "../ports/SecretKey.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { CredentialsRepo } from "./CredentialsRepo.ts"
import { contentOf } from "./credentialRequest.ts"
import { purposeOf } from "./sealedSecret.ts"

/** What private remotes are reached with. Secrets go in, and come out as what git is given only. */
export class Credentials extends Effect.Service<Credentials>()("Credentials", {
  effect: Effect.gen(function* () {
    const repo = yield* CredentialsRepo
    const repositories = yield* Repositories
    const secretKey = yield* SecretKey
    const cursors = yield* Cursors
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const list = Effect.fn("Credentials.list")(function* ({ limit = defaultPageSize, cursor }: PageRequest) {
      const { workspace_id } = yield* Caller
      const after = yield* cursors.open("credentials", {}, cursor)
      const rows = yield* repo.list({ workspace_id, after, limit })
      return yield* cursors.page("credentials", {}, limit, rows, (row) => [row.created_at, row.id])
    })

    const create = Effect.fn("Credentials.create")(function* (request: CreateCredential) {
      const { workspace_id } = yield* Caller
      const { secret, ...content } = yield* contentOf(request)
      const repository_id =
        request.repository === undefined ? null : yield* repositories.resolveSlug(request.repository, "repository")
      yield* repo.lockCredentialsOf(workspace_id)
      if ((yield* unrestricted(repo.countOf(workspace_id))) >= maxCredentials) {
        return yield* new CredentialLimitReached({
          message: `A workspace has at most ${maxCredentials} credentials; delete those that are not used first.`
        })
      }
      const id = yield* newId(CredentialId)
      const sealed = yield* secretKey.seal(secret, purposeOf({ workspace_id, id }))
      yield* repo.insert({ ...content, id, workspace_id, repository_id, sealed, created_at: yield* now })
      const credential = yield* Effect.orDie(Effect.flatten(repo.find({ workspace_id, id })))
      yield* auditLog.record({ object: objectOf(credential), before: null, after: loggedOf(credential) })
      return credential
    }, inTransaction)

    const remove = Effect.fn("Credentials.remove")(function* (id: CredentialId) {
      const { workspace_id } = yield* Caller
      const found = yield* repo.lock({ workspace_id, id })
      if (Option.isNone(found)) return yield* new CredentialNotFound({ message: `No credential ${id}.` })
      yield* repo.remove({ workspace_id, id })
      yield* auditLog.record({ object: objectOf(found.value), before: loggedOf(found.value), after: null })
    }, inTransaction)

    return { list, create, remove }
  })
}) {}

const objectOf = ({ id }: Credential) => ({ kind: "credential", ref: id }) as const

const loggedOf = ({ id: _, created_at: __, last_used_at: ___, ...rest }: Credential) => rest
