import { createHash } from "node:crypto"
import type { IncomingMessage } from "node:http"

const mostKnown = 10_000

/** All whose workspace is not known yet, so that invented credentials are no more than one workspace. */
const unknown = "unknown"

/** Which workspace a request is for, before anything of it is checked: the one that its credential was last admitted to. */
export class CredentialWorkspaces {
  private readonly known = new Map<string, string>()

  of(credential: string | null): string {
    return credential === null ? unknown : (this.known.get(credential) ?? unknown)
  }

  /** Notes what the guard has established of a request. */
  learn(credential: string | null, workspace: string): void {
    if (credential === null || this.known.get(credential) === workspace) return
    if (this.known.size >= mostKnown) this.known.delete(this.known.keys().next().value!)
    this.known.set(credential, workspace)
  }
}

/** A digest of the request's credential, not the credential itself: nothing in memory can be used as one. */
export const credentialOf = ({ headers: { authorization, cookie } }: IncomingMessage): string | null => {
  const text = authorization ?? cookie
  return text === undefined ? null : createHash("sha256").update(text).digest("base64")
}
