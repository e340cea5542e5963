import { generateKeyPairSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { fingerprintOf, parsePrivateKey, publicLineOf } from "../../../src/services/credentials/sshKey.ts"
import { aKeyPair } from "../../support/sshGitServer.ts"

const kinds: ReadonlyArray<ReadonlyArray<string>> = [
  ["-t", "ed25519"],
  ["-t", "rsa", "-b", "2048"],
  ["-t", "rsa", "-b", "3072"],
  ["-t", "rsa", "-b", "2048", "-m", "PEM"],
  ["-t", "ecdsa", "-b", "256"],
  ["-t", "ecdsa", "-b", "384"],
  ["-t", "ecdsa", "-b", "521"],
  ["-t", "ecdsa", "-b", "256", "-m", "PEM"],
  ["-t", "ecdsa", "-b", "256", "-m", "PKCS8"]
]

const problem = (text: string) => {
  const parsed = parsePrivateKey(text)
  return Either.isLeft(parsed) ? parsed.left : assert.fail("is a key")
}

describe("a private key", () => {
  for (const args of kinds) {
    it(`of ssh-keygen ${args.join(" ")} has the public key and the fingerprint that ssh-keygen shows`, () => {
      const pair = aKeyPair(...args)
      const key = Either.getOrThrow(parsePrivateKey(pair.privateKey))
      assert.strictEqual(fingerprintOf(key), pair.fingerprint)
      assert.strictEqual(publicLineOf(key), pair.publicKey)
    })
  }

  it("is read whatever ends its lines and stands around it, and again from the form that is stored", () => {
    const { privateKey, fingerprint } = aKeyPair()
    for (const text of [privateKey.replaceAll("\n", "\r\n"), `\n  ${privateKey}\n\n`, privateKey.trim()]) {
      const key = Either.getOrThrow(parsePrivateKey(text))
      const stored = key.key.export({ type: "pkcs8", format: "pem" }).toString()
      assert.strictEqual(fingerprintOf(Either.getOrThrow(parsePrivateKey(stored))), fingerprint)
    }
  })

  it("with a passphrase is rejected with the way out, in each form", () => {
    const forms = [[], ["-t", "rsa", "-b", "2048", "-m", "PEM"], ["-t", "rsa", "-b", "2048", "-m", "PKCS8"]]
    for (const form of forms) {
      const { privateKey } = aKeyPair("-N", "a passphrase", ...form)
      assert.include(problem(privateKey), "passphrase")
      assert.include(problem(privateKey), "ssh-keygen -t ed25519 -N ''")
    }
  })

  it("of another kind, too short, or that is none is rejected in words", () => {
    const pem = (key: ReturnType<typeof generateKeyPairSync>["privateKey"]) =>
      key.export({ type: "pkcs8", format: "pem" }).toString()
    const { publicKey } = aKeyPair()
    assert.include(problem(publicKey), "is a public key")
    assert.include(problem("PuTTY-User-Key-File-3: ssh-ed25519"), "puttygen")
    assert.include(problem(pem(generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey)), "2048")
    assert.include(problem(pem(generateKeyPairSync("ed448").privateKey)), "not supported")
    assert.include(problem(pem(generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey)), "not supported")
    const torn = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n-----END OPENSSH PRIVATE KEY-----"
    for (const text of ["", "hunter2", torn, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"])
      assert.include(problem(text), "is not a private key", text)
  })

  it("whose public part is of another key is rejected", () => {
    const body = (text: string) => Buffer.from(text.replace(/-----.*-----/g, ""), "base64")
    const [one, two] = [body(aKeyPair().privateKey), body(aKeyPair().privateKey)]
    // The public key comes before the private part, in the same place for keys of one kind.
    const mixed = Buffer.concat([one.subarray(0, 94), two.subarray(94)])
    const text = `-----BEGIN OPENSSH PRIVATE KEY-----\n${mixed.toString("base64")}\n-----END OPENSSH PRIVATE KEY-----\n`
    assert.include(problem(text), "is damaged")
  })
})
