import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { build } from "vite"
import { notices } from "./notices.mjs"

/** Bundles the web app into a folder, and compresses its files once, so that the service only sends them. */
const target = resolve(process.argv[2] ?? "dist/web")

const compressible = /\.(?:js|css|svg|json)$/
// Below about one packet, compressing saves nothing that a reader could notice.
const worthCompressing = 1400

const { output } = await build({
  configFile: fileURLToPath(new URL("../web/vite.config.ts", import.meta.url)),
  logLevel: "warn",
  build: { outDir: target, emptyOutDir: true }
})

const inputs = output.flatMap((part) => (part.type === "chunk" ? Object.keys(part.modules) : part.originalFileNames))
writeFileSync(join(target, "LICENSES.txt"), notices(inputs))

const assets = join(target, "assets")
for (const name of readdirSync(assets)) {
  const content = readFileSync(join(assets, name))
  if (!compressible.test(name) || content.length < worthCompressing) continue
  writeFileSync(join(assets, `${name}.gz`), gzipSync(content, { level: 9 }))
  writeFileSync(
    join(assets, `${name}.br`),
    brotliCompressSync(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
    })
  )
}
