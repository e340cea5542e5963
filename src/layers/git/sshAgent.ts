import { type KeyObject, sign } from "node:crypto"
import type { Socket } from "node:net"
import type { Effect, Scope } from "effect"
import type { SshKey } from "../../services/credentials/sshKey.ts"
import { mpint, Reader, string, Truncated, uint32 } from "../../services/credentials/sshWire.ts"
import { privateSocket } from "./privateSocket.ts"

// The messages of draft-ietf-sshm-ssh-agent that a client needs for signing in.
const failure = 5
const requestIdentities = 11
const identitiesAnswer = 12
const signRequest = 13
const signResponse = 14
const rsaSha256 = 2
const rsaSha512 = 4

const maxMessageBytes = 256 * 1024

/**
 * An ssh-agent with one key, for the time of the scope: the key is neither on the disk nor known to ssh, which asks for
 * signatures only. `onUse` is called when it has made one.
 */
export const sshAgent = (folder: string, key: SshKey, onUse: () => void): Effect.Effect<string, never, Scope.Scope> =>
  privateSocket(folder, "agent", (socket) => serve(socket, key, onUse))

const serve = (socket: Socket, key: SshKey, onUse: () => void) => {
  let pending = Buffer.alloc(0)
  socket.on("data", (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk])
    while (pending.length >= 4) {
      const length = pending.readUInt32BE()
      if (length > maxMessageBytes) return void socket.destroy()
      if (pending.length < 4 + length) return
      socket.write(string(answerTo(pending.subarray(4, 4 + length), key, onUse)))
      pending = pending.subarray(4 + length)
    }
  })
  socket.on("end", () => socket.end())
}

const answerTo = (message: Buffer, key: SshKey, onUse: () => void): Buffer => {
  switch (message[0]) {
    case requestIdentities:
      return Buffer.concat([Buffer.from([identitiesAnswer]), uint32(1), string(key.publicKey), string("")])
    case signRequest: {
      const signature = signatureOf(message.subarray(1), key)
      if (signature === undefined) break
      onUse()
      return Buffer.concat([Buffer.from([signResponse]), string(signature)])
    }
  }
  return Buffer.from([failure])
}

const signatureOf = (message: Buffer, { key, publicKey }: SshKey): Buffer | undefined => {
  try {
    const reader = new Reader(message)
    if (!reader.string().equals(publicKey)) return undefined
    return signed(key, reader.string(), reader.uint32(), new Reader(publicKey).text())
  } catch (error) {
    if (error instanceof Truncated) return undefined
    throw error
  }
}

const digests: Readonly<Record<string, string>> = {
  "ecdsa-sha2-nistp256": "sha256",
  "ecdsa-sha2-nistp384": "sha384",
  "ecdsa-sha2-nistp521": "sha512"
}

const signed = (key: KeyObject, data: Buffer, flags: number, type: string): Buffer | undefined => {
  if (type === "ssh-ed25519") return Buffer.concat([string(type), string(sign(null, data, key))])
  const digest = digests[type]
  if (digest !== undefined) {
    const pair = sign(digest, data, { key, dsaEncoding: "ieee-p1363" })
    const half = pair.length / 2
    return Buffer.concat([
      string(type),
      string(Buffer.concat([mpint(pair.subarray(0, half)), mpint(pair.subarray(half))]))
    ])
  }
  // Signatures with SHA-1 are not made: servers that know no others are older than 2016.
  const size = (flags & rsaSha512) !== 0 ? 512 : (flags & rsaSha256) !== 0 ? 256 : undefined
  if (size === undefined) return undefined
  return Buffer.concat([string(`rsa-sha2-${size}`), string(sign(`sha${size}`, data, key))])
}
