import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { installSidePackage } from "./sidePackage.mjs"

/**
 * Writes what the web app's client has of the snapshot of the OpenAPI document: its types, and beside them the values that
 * the app lists. Another path for the types as the first argument.
 */
const root = fileURLToPath(new URL("../", import.meta.url))
const folder = join(root, "web/openapi")
const target = process.argv[2] ?? join(root, "web/src/api/schema.d.ts")

if (!installSidePackage(folder)) process.exit(1)
const { bin } = JSON.parse(readFileSync(join(folder, "node_modules/openapi-typescript/package.json"), "utf8"))
const generator = join(folder, "node_modules/openapi-typescript", bin["openapi-typescript"])
const document = join(root, "test/snapshots/openapi.json")
execFileSync(process.execPath, [generator, document, "--output", target], { stdio: ["ignore", 2, 2] })

const { items } = JSON.parse(readFileSync(document, "utf8")).components.schemas.CreateWebhookRequest.properties.events
writeFileSync(
  join(dirname(target), "webhookEvents.ts"),
  `/** Written by \`npm run web:types\`. */\nexport const webhookEvents = ${JSON.stringify(items.enum, null, 2)} as const\n`
)
