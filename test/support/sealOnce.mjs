// A process that seals one text under the key of a data folder, run on dist: node sealOnce.mjs <folder>
import { Effect } from "effect"
import * as SecretKeyFile from "../../dist/layers/SecretKeyFile.js"
import { SecretKey } from "../../dist/services/ports/SecretKey.js"

const dataDir = process.argv[2]

const sealed = Effect.flatMap(SecretKey, (key) => key.seal("secret", "row")).pipe(
  Effect.provide(SecretKeyFile.layer({ dataDir, key: null }))
)

process.stdout.write(await Effect.runPromise(sealed))
