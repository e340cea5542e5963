import { Either } from "effect"
import type { CreateCredential, CredentialKind } from "../../schema/Credential.ts"
import { InvalidPayload } from "../../schema/Errors.ts"
import { hostKeyName, parseKnownHosts } from "./knownHosts.ts"
import { fingerprintOf, parsePrivateKey } from "./sshKey.ts"

/** What a request asks to keep, checked. */
export interface CredentialContent {
  readonly kind: CredentialKind
  readonly host: string
  readonly username: string | null
  readonly secret: string
  readonly known_hosts: string | null
  readonly fingerprint: string | null
}

type Field = keyof CreateCredential

const rejected = (field: Field, problem: string) =>
  Either.left(
    new InvalidPayload({
      message: `${field}: ${problem}.`,
      param: field,
      errors: [{ loc: [field], msg: problem, type: "value_error" }]
    })
  )

const usualPort: Record<CredentialKind, number> = { https: 443, ssh: 22 }

/** Fields that the other kind of credential has. */
const foreign: Record<CredentialKind, ReadonlyArray<Field>> = { https: ["private_key", "known_hosts"], ssh: ["secret"] }

export const contentOf = (request: CreateCredential): Either.Either<CredentialContent, InvalidPayload> => {
  const { kind } = request
  const misplaced = foreign[kind].find((field) => request[field] !== undefined)
  if (misplaced !== undefined) return rejected(misplaced, `does not belong to a credential of kind ${kind}`)
  const address = hostOf(request)
  if (address === undefined) return rejected("host", "is not the name or address of a host")
  return kind === "https" ? loginOf(request, address.authority) : deployKeyOf(request, address)
}

interface HostAddress {
  readonly name: string
  readonly port: number
  /** As in remotes' addresses: without the usual port. */
  readonly authority: string
}

const hostOf = ({ kind, host }: CreateCredential): HostAddress | undefined => {
  const [, given = "", digits] = /^(.*?)(?::(\d+))?$/.exec(host.toLowerCase()) ?? []
  const url = `https://${given}`
  if (!URL.canParse(url)) return undefined
  // Over https, numbers and names of other alphabets have one form only; over ssh the address is taken as it is.
  const name = kind === "https" ? new URL(url).hostname : given
  const port = digits === undefined ? usualPort[kind] : Number(digits)
  if (port < 1 || port > 65_535) return undefined
  return { name, port, authority: port === usualPort[kind] ? name : `${name}:${port}` }
}

/** Hosts want some user beside a token, whichever. */
const anyUser = "git"

const loginOf = ({ secret, username = anyUser }: CreateCredential, host: string) =>
  secret === undefined
    ? rejected("secret", "is required for a credential of kind https")
    : Either.right({ kind: "https" as const, host, username, secret, known_hosts: null, fingerprint: null })

const sshUser = /^[A-Za-z0-9][\w.-]*$/

const deployKeyOf = (request: CreateCredential, { name, port, authority }: HostAddress) => {
  const { private_key, known_hosts, username = null } = request
  if (private_key === undefined) return rejected("private_key", "is required for a credential of kind ssh")
  if (known_hosts === undefined) {
    return rejected("known_hosts", "is required for a credential of kind ssh. ssh-keyscan prints the host's keys")
  }
  if (username !== null && !sshUser.test(username)) return rejected("username", "is not the name of a user of ssh")
  const key = parsePrivateKey(private_key)
  if (Either.isLeft(key)) return rejected("private_key", key.left)
  const hosts = parseKnownHosts(known_hosts, hostKeyName(name.replace(/^\[(.*)\]$/, "$1"), port))
  if (Either.isLeft(hosts)) return rejected("known_hosts", hosts.left)
  return Either.right({
    kind: "ssh" as const,
    host: authority,
    username,
    secret: key.right.key.export({ type: "pkcs8", format: "pem" }).toString(),
    known_hosts: hosts.right,
    fingerprint: fingerprintOf(key.right)
  })
}
