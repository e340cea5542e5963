import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { Script } from "node:vm"
import { crc32 } from "node:zlib"

/** CommonJS modules of one folder, which know each other by their file names. */
export interface Bundle {
  readonly load: (name: string) => unknown
  /** Writes beside each module that is loaded the code that V8 has made of it by now. */
  readonly writeCache: () => void
}

/** Reading and checking the code of a small module takes as long as compiling it. */
const MIN_SOURCE_BYTES = 8_192
const HEADER_BYTES = 8

type Wrapped = (
  exports: object,
  require: (name: string) => unknown,
  module: { exports: unknown },
  filename: string,
  dirname: string,
  importModule: (url: string) => Promise<unknown>
) => void

const parameters = "exports,require,module,__filename,__dirname,importModule"

/** The chunk of an entry, beside the file that starts it. */
export const entryOf = (name: string): string => `${name}-entry.cjs`

const cachePath = (path: string): string => `${path}.cache`

/**
 * V8 rejects the code of another version, or made with other flags, by itself; but it knows a source by its length only
 * and trusts the bytes. So the file starts with the checksums of the source and of the code.
 */
const cachedCode = (path: string, source: Buffer): Buffer | undefined => {
  if (source.length < MIN_SOURCE_BYTES || !existsSync(cachePath(path))) return undefined
  const file = readFileSync(cachePath(path))
  if (file.length <= HEADER_BYTES || file.readUInt32LE(0) !== crc32(source)) return undefined
  const code = file.subarray(HEADER_BYTES)
  return file.readUInt32LE(4) === crc32(code) ? code : undefined
}

const writeCode = (path: string, source: Buffer, code: Buffer): void => {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(crc32(source), 0)
  header.writeUInt32LE(crc32(code), 4)
  const draft = `${cachePath(path)}.${process.pid}`
  writeFileSync(draft, Buffer.concat([header, code]))
  renameSync(draft, cachePath(path))
}

/**
 * Loads the modules of a bundle with the code that V8 made of them before, where it is there: compiling them is a third of
 * what a command of a second costs. Node 20 keeps no compiled code, and only scripts, not ES modules, can be given theirs;
 * so a bundle is CommonJS.
 */
export const bundleIn = (folder: string): Bundle => {
  const scripts = new Map<string, { readonly script: Script; readonly source: Buffer }>()
  const modules = new Map<string, { exports: unknown }>()
  const ownUrl = pathToFileURL(join(folder, "/")).href

  const compiled = (name: string): Wrapped => {
    const path = join(folder, name)
    const source = readFileSync(path)
    const cachedData = cachedCode(path, source)
    const script = new Script(`(function(${parameters}){${source.toString("utf8")}\n})`, {
      filename: path,
      ...(cachedData === undefined ? {} : { cachedData })
    })
    scripts.set(name, { script, source })
    return script.runInThisContext()
  }

  /** What is imported by its address: a start of this bundle shares the modules that are loaded; all else is Node's. */
  const importModule = async (url: string): Promise<unknown> => {
    const [, name] = url.startsWith(ownUrl) ? (/^(\w+)\.cjs$/.exec(url.slice(ownUrl.length)) ?? []) : []
    return name === undefined ? import(url) : load(entryOf(name))
  }

  const others = createRequire(join(folder, "/"))
  const require = Object.assign(
    (specifier: string): unknown => (specifier.startsWith("./") ? load(specifier.slice(2)) : others(specifier)),
    { resolve: others.resolve }
  )

  const load = (name: string): unknown => {
    const loaded = modules.get(name)
    if (loaded !== undefined) return loaded.exports
    const module = { exports: {} }
    modules.set(name, module)
    compiled(name)(module.exports, require, module, join(folder, name), folder, importModule)
    return module.exports
  }

  const writeCache = (): void => {
    for (const [name, { script, source }] of scripts) {
      if (source.length >= MIN_SOURCE_BYTES) writeCode(join(folder, name), source, script.createCachedData())
    }
  }

  return { load, writeCache }
}
