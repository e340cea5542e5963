import type { Socket } from "node:net"
import { Effect, Redacted, type Scope } from "effect"
import { privateSocket } from "./privateSocket.ts"

/** What one host gets, and no other. */
export interface Login {
  readonly protocol: "https" | "http"
  /** As in the address: with the port where it is not the usual one. */
  readonly host: string
  readonly username: string
  readonly secret: Redacted.Redacted
  /** Called when git has asked for it. */
  readonly onUse: () => void
}

const maxRequestBytes = 64 * 1024

/**
 * Hands logins to git: `git credential-cache`, a part of git, asks this socket as it would ask its own daemon. So the secret
 * is in no file, argument or environment, and git needs no program of ours.
 */
export const credentialSocket = (
  folder: string,
  logins: ReadonlyArray<Login>
): Effect.Effect<string, never, Scope.Scope> => privateSocket(folder, "login", (socket) => answer(socket, logins))

const answer = (socket: Socket, logins: ReadonlyArray<Login>) => {
  let text = ""
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk
    if (text.length > maxRequestBytes) socket.destroy()
  })
  socket.on("end", () => {
    const request = new Map(text.split("\n").map((line): [string, string] => split(line)))
    const login = request.get("action") === "get" ? logins.find((one) => isFor(one, request)) : undefined
    login?.onUse()
    socket.end(login === undefined ? "" : `username=${login.username}\npassword=${Redacted.value(login.secret)}\n`)
  })
}

const split = (line: string): [string, string] => {
  const [, name = "", value = ""] = /^([^=]*)=(.*)$/s.exec(line) ?? []
  return [name, value]
}

const isFor = ({ protocol, host, username }: Login, request: ReadonlyMap<string, string>) =>
  request.get("protocol") === protocol &&
  request.get("host")?.toLowerCase() === host &&
  // Absent where the address names no user.
  (request.get("username") ?? username) === username

/** The setting that makes git ask the socket, and nothing else. */
export const credentialHelper = (socket: string): Readonly<Record<string, string>> => ({
  "credential.helper": `cache --socket='${socket.replaceAll("'", "'\\''")}'`
})
