import { execFile } from "node:child_process"
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as SecretKeyFile from "../../src/layers/SecretKeyFile.ts"
import { SecretKey } from "../../src/services/ports/SecretKey.ts"
import { aFolder } from "../support/gitRepository.ts"

const run = promisify(execFile)

const keyOf = (dataDir: string, key: string | null = null) =>
  Effect.provide(SecretKey, SecretKeyFile.layer({ dataDir, key: key === null ? null : Redacted.make(key) }))

const modeOf = (path: string) => statSync(path).mode & 0o777

const hexadecimal = "00112233445566778899aabbccddeeff".repeat(2)

describe("the secret key", () => {
  it.effect("is made when the first secret is sealed, in a file of its owner only", () =>
    Effect.gen(function* () {
      const dataDir = join(aFolder(), "data")
      const key = yield* keyOf(dataDir)
      assert.throws(() => statSync(dataDir))
      const sealed = yield* key.seal("secret", "row 1")
      assert.deepStrictEqual(readdirSync(dataDir), ["secret.key"])
      assert.strictEqual(modeOf(SecretKeyFile.secretKeyFile(dataDir)), 0o600)
      assert.notInclude(sealed, "secret")
      assert.strictEqual(yield* (yield* keyOf(dataDir)).unseal(sealed, "row 1"), "secret")
    })
  )

  it.effect("opens a text for the row only that it was sealed for", () =>
    Effect.gen(function* () {
      const key = yield* keyOf(aFolder())
      const sealed = yield* key.seal("secret", "row 1")
      assert.include((yield* Effect.flip(key.unseal(sealed, "row 2"))).message, "changed in the database")
      const [name, body = ""] = sealed.split(".")
      const changed = `${name}.${body.slice(0, -2)}${body.endsWith("AA") ? "BB" : "AA"}`
      assert.include((yield* Effect.flip(key.unseal(changed, "row 1"))).message, "changed in the database")
      assert.include((yield* Effect.flip(key.unseal("", "row 1"))).message, "another key")
    })
  )

  it.effect("that is another one than before says so and names the variable", () =>
    Effect.gen(function* () {
      const dataDir = aFolder()
      const sealed = yield* (yield* keyOf(dataDir)).seal("secret", "row")
      rmSync(SecretKeyFile.secretKeyFile(dataDir))
      const { message } = yield* Effect.flip((yield* keyOf(dataDir)).unseal(sealed, "row"))
      assert.include(message, "sealed with another key. Set ASSAY_SECRET_KEY to the key of that time")
      assert.include(message, SecretKeyFile.secretKeyFile(dataDir))
    })
  )

  it.effect("of the variable is the same in base64, URL-safe base64 and hexadecimal, and makes no file", () =>
    Effect.gen(function* () {
      const dataDir = aFolder()
      const bytes = Buffer.from(hexadecimal, "hex")
      const sealed = yield* (yield* keyOf(dataDir, hexadecimal)).seal("secret", "row")
      for (const text of [bytes.toString("base64"), bytes.toString("base64url"), hexadecimal.toUpperCase()]) {
        assert.strictEqual(yield* (yield* keyOf(dataDir, text)).unseal(sealed, "row"), "secret")
      }
      assert.deepStrictEqual(readdirSync(dataDir), [])
    })
  )

  it.effect("is taken from the file by an operator who sets the variable to its content", () =>
    Effect.gen(function* () {
      const dataDir = aFolder()
      const sealed = yield* (yield* keyOf(dataDir)).seal("secret", "row")
      const content = readFileSync(SecretKeyFile.secretKeyFile(dataDir), "utf8").trim()
      assert.strictEqual(yield* (yield* keyOf(aFolder(), content)).unseal(sealed, "row"), "secret")
    })
  )

  it.effect("whose file others may read is taken from them", () =>
    Effect.gen(function* () {
      const dataDir = aFolder()
      const sealed = yield* (yield* keyOf(dataDir)).seal("secret", "row")
      chmodSync(SecretKeyFile.secretKeyFile(dataDir), 0o644)
      assert.strictEqual(yield* (yield* keyOf(dataDir)).unseal(sealed, "row"), "secret")
      assert.strictEqual(modeOf(SecretKeyFile.secretKeyFile(dataDir)), 0o600)
    })
  )

  it.effect("file that holds no key, is a link or a folder stops the start in clear words", () =>
    Effect.gen(function* () {
      const lay = (make: (file: string) => void) => {
        const dataDir = aFolder()
        make(SecretKeyFile.secretKeyFile(dataDir))
        return Effect.map(Effect.flip(keyOf(dataDir)), ({ message }) => message)
      }
      assert.include(yield* lay((file) => writeFileSync(file, "", { mode: 0o600 })), "does not hold a key of 32 bytes")
      assert.include(yield* lay((file) => mkdirSync(file)), "is not a regular file")
      assert.include(yield* lay((file) => symlinkSync("/etc/hostname", file)), "cannot be read")
    })
  )

  it.effect("is one for all processes that start on an empty data folder together", () =>
    Effect.gen(function* () {
      const dataDir = join(aFolder(), "data")
      const program = fileURLToPath(new URL("../support/sealOnce.mjs", import.meta.url))
      const processes = Array.from({ length: 6 }, () => run(process.execPath, [program, dataDir]))
      const sealed = yield* Effect.promise(() => Promise.all(processes))
      const key = yield* keyOf(dataDir)
      for (const { stdout } of sealed) assert.strictEqual(yield* key.unseal(stdout, "row"), "secret")
      assert.deepStrictEqual(readdirSync(dataDir), ["secret.key"])
    })
  )
})
