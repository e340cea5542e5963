import { rmSync } from "node:fs"
import { fileURLToPath } from "node:url"

/**
 * Bundles the scanning process and its threads into a few files: they start again with every audit, and loading hundreds of
 * modules one by one takes longer than scanning a small change. `builtFile` prefers the bundles to the output of `tsc`.
 */
const folder = fileURLToPath(new URL("../dist/engine/core/process/", import.meta.url))

rmSync(`${folder}bundled`, { recursive: true, force: true })
const esbuild = await import("esbuild").catch(() => null)
if (esbuild === null) console.warn("Without esbuild the scanner is not bundled: it starts a little later.")
await esbuild?.build({
  entryPoints: ["scan-process", "scanWorker", "discovery-process", "observers"].map((name) => `${folder}${name}.js`),
  outdir: `${folder}bundled`,
  bundle: true,
  splitting: true,
  // It finds its WebAssembly beside itself.
  external: ["web-tree-sitter"],
  // For packages that are CommonJS.
  banner: { js: 'import{createRequire as requireFrom}from"node:module";const require=requireFrom(import.meta.url);' },
  // What is not read need not be parsed.
  minifyWhitespace: true,
  platform: "node",
  target: "node20",
  format: "esm",
  logLevel: "warning"
})
