import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { builtFile } from "./builtFile.ts"
import type { SourceRequest } from "./requests/scanRequest.ts"

export type Child = ChildProcessWithoutNullStreams

export const DEFAULT_HEAP_MB = 512

/**
 * V8 rejects the code made at the build where the arguments differ, so the build gives the same ones. Most regular expressions
 * are tried on every file: they are compiled to machine code at once, instead of to bytecode first.
 */
export const nodeArguments = (maxHeapMb: number): ReadonlyArray<string> => [
  `--max-old-space-size=${maxHeapMb}`,
  "--no-regexp-tier-up"
]

/** Nothing of ours but what running git and node needs: the audited repository must not find a secret in here. */
const scrubbedEnvironment = (): NodeJS.ProcessEnv => {
  const kept = ["PATH", "TMPDIR", "TEMP", "TMP", "SystemRoot"] as const
  const environment: NodeJS.ProcessEnv = { LANG: "C.UTF-8", NODE_NO_WARNINGS: "1" }
  for (const name of kept) if (process.env[name] !== undefined) environment[name] = process.env[name]
  return environment
}

interface StartOptions {
  /** The trace that the process goes on with. */
  readonly traceparent: string | null
  /** The arguments that the process starts behind, such as those that confine it. */
  readonly behind: ReadonlyArray<string>
  /** What the request will most likely be about: the process may look at it before it is asked. */
  readonly likelySource?: SourceRequest | null
}

const plain: StartOptions = { traceparent: null, behind: [] }

const started = (entryName: string, maxHeapMb: number, options: StartOptions = plain): Child | null => {
  const { traceparent, behind, likelySource = null } = options
  const entry = builtFile(import.meta.url, entryName)
  if (entry === null) return null
  const [program, ...args] = [...behind, process.execPath, ...nodeArguments(maxHeapMb), fileURLToPath(entry)]
  if (likelySource !== null) args.push(JSON.stringify(likelySource))
  return spawn(program as string, args, {
    env: { ...scrubbedEnvironment(), ...(traceparent === null ? {} : { TRACEPARENT: traceparent }) },
    stdio: ["pipe", "pipe", "pipe"]
  })
}

let ahead: { readonly entryName: string; readonly child: Child } | null = null

const handlesOf = ({ stdin, stdout, stderr }: Child) =>
  [stdin, stdout, stderr].flatMap((stream) => ("ref" in stream && "unref" in stream ? [stream] : [])) as ReadonlyArray<{
    ref(): void
    unref(): void
  }>

/**
 * Starts a process before it is known what to ask of it, so that it loads its code while the caller loads its own. When
 * nothing is asked, it does not keep the caller alive, and ends with it.
 */
export const startAhead = (entryName: string, likelySource: SourceRequest | null = null): void => {
  const child = started(entryName, DEFAULT_HEAP_MB, { ...plain, likelySource })
  if (child === null) return
  child.unref()
  for (const handle of handlesOf(child)) handle.unref()
  child.stdin.on("error", () => undefined)
  child.on("error", () => undefined)
  ahead = { entryName, child }
}

/** A process of this entry, which waits for its request on standard input; null where the project is not built. */
export const childOf = (entryName: string, maxHeapMb: number, options: StartOptions = plain): Child | null => {
  if (ahead?.entryName !== entryName || maxHeapMb !== DEFAULT_HEAP_MB || options.behind.length > 0) {
    return started(entryName, maxHeapMb, options)
  }
  const { child } = ahead
  ahead = null
  if (child.exitCode !== null || child.signalCode !== null) return started(entryName, maxHeapMb, options)
  child.ref()
  for (const handle of handlesOf(child)) handle.ref()
  return child
}
