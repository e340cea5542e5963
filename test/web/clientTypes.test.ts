import { execFileSync } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

const file = (path: string) => new URL(`../../${path}`, import.meta.url)

describe("what the web app's client has of the API", () => {
  it.effect("is that of the OpenAPI document; `npm run web:types` writes it again", () =>
    Effect.acquireUseRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "assay-web-types-"))),
      (folder) =>
        Effect.promise(async () => {
          const types = join(folder, "schema.d.ts")
          execFileSync(process.execPath, [file("scripts/webTypes.mjs").pathname, types], { stdio: "ignore" })
          for (const name of ["schema.d.ts", "webhookEvents.ts"]) {
            const [expected, actual] = await Promise.all([
              readFile(join(folder, name), "utf8"),
              readFile(file(`web/src/api/${name}`), "utf8")
            ])
            assert.isTrue(
              actual === expected,
              `web/src/api/${name} differs from the document: run \`npm run web:types\`.`
            )
          }
        }),
      (folder) => Effect.promise(() => rm(folder, { recursive: true }))
    )
  )
})
