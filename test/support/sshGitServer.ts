import { execFileSync, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import ssh2 from "ssh2"
import { aFolder } from "./gitRepository.ts"
import { listening } from "./gitServer.ts"

/** A key pair as ssh-keygen makes it. */
export interface KeyPair {
  readonly privateKey: string
  /** `<type> <key>`, as in an authorized_keys file. */
  readonly publicKey: string
  readonly fingerprint: string
}

/** Further arguments choose the kind of key, its size or a passphrase. */
export const aKeyPair = (...args: ReadonlyArray<string>): KeyPair => {
  const file = join(aFolder(), "key")
  const phrase = args.includes("-N") ? [] : ["-N", ""]
  const kind = args.includes("-t") ? [] : ["-t", "ed25519"]
  execFileSync("ssh-keygen", ["-q", "-f", file, "-C", "", ...kind, ...phrase, ...args])
  const [, fingerprint = ""] = execFileSync("ssh-keygen", ["-l", "-f", file]).toString().split(" ")
  const publicKey = readFileSync(`${file}.pub`, "utf8").trim().split(" ").slice(0, 2).join(" ")
  return { privateKey: readFileSync(file, "utf8"), publicKey, fingerprint }
}

export interface SshGitServer {
  readonly port: number
  /** Lines of a known_hosts file that name the server by this host and its port. */
  readonly knownHosts: (host: string) => string
  /** Keys that clients offered, as in an authorized_keys file, with their user. */
  readonly offers: Array<{ readonly user: string; readonly key: string; readonly hash: string | undefined }>
  /** Who may sign in. */
  readonly authorized: Set<string>
}

const hostKey = aKeyPair()

/** Serves the repositories under a folder over SSH, to who has an authorized key. */
export const anSshGitServer = (
  folder: string,
  ...authorized: ReadonlyArray<string>
): Effect.Effect<SshGitServer, never, Scope.Scope> =>
  Effect.suspend(() => {
    const offers: SshGitServer["offers"] = []
    const keys = new Set(authorized)
    const open = new Set<ssh2.Connection>()
    const server = new ssh2.Server({ hostKeys: [hostKey.privateKey] }, (client) => {
      open.add(client)
      client.on("error", () => {}).on("close", () => open.delete(client))
      client.on("authentication", (attempt) => {
        if (attempt.method !== "publickey") return attempt.reject(["publickey"])
        const key = `${attempt.key.algo} ${attempt.key.data.toString("base64")}`
        offers.push({ user: attempt.username, key, hash: attempt.hashAlgo })
        if (keys.has(key) && isSigned(attempt)) attempt.accept()
        else attempt.reject(["publickey"])
      })
      client.on("session", (accept) =>
        accept().on("exec", (acceptExec, _, { command }) => run(acceptExec(), command, folder))
      )
    })
    const close = () => {
      for (const client of open) client.end()
      server.close()
    }
    const knownHosts = (port: number) => (host: string) => `[${host}]:${port} ${hostKey.publicKey}\n`
    return Effect.map(listening(server, close), (port) => ({
      port,
      knownHosts: knownHosts(port),
      offers,
      authorized: keys
    }))
  })

/** A client first asks whether it may try a key, without a signature. */
const isSigned = ({ key, signature, blob, hashAlgo }: ssh2.PublicKeyAuthContext): boolean => {
  if (signature === undefined || blob === undefined) return true
  const parsed = ssh2.utils.parseKey(`${key.algo} ${key.data.toString("base64")}`)
  return !(parsed instanceof Error) && parsed.verify(blob, signature, hashAlgo) === true
}

const run = (channel: ssh2.ServerChannel, command: string, folder: string) => {
  const [, program = "", path = ""] = /^(git-(?:upload|receive)-pack) '\/?([\w./-]+)'$/.exec(command) ?? []
  const child = spawn("git", ["-c", "safe.directory=*", program.slice(4), join(folder, path)], {
    stdio: ["pipe", "pipe", "ignore"]
  })
  channel.on("error", () => {})
  child.stdin.on("error", () => {})
  channel.pipe(child.stdin)
  child.stdout.pipe(channel, { end: false })
  child.on("close", (code) => {
    channel.exit(code ?? 1)
    channel.end()
  })
}
