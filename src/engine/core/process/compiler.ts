import { setFlagsFromString } from "node:v8"

/** Below this, starting up is most of the work. */
const FEW_FILES = 200
/** Below this, optimising the parser costs more than parsing by the code that its fast compiler makes. */
const FEW_PARSED = 80

/** The V8 of Node 22 and later counts calls instead, and complains of the flag on the standard error stream. */
const hasInterruptBudget = Number.parseInt(process.versions.v8, 10) < 12

/**
 * A scan is a great deal of code that runs for about a second, once per thread: left alone, V8 spends a third of the
 * processor time on optimising functions that are hardly called again. It gets patience instead, and all functions get
 * the compiler that costs next to nothing; only where few files have changed, even that is more than interpreting them
 * costs, and the parser, which is WebAssembly, is not optimised at all. To be called before threads start; these settings
 * hold for the whole process and the threads it starts, so only a process that does nothing else may have them.
 */
export const tuneCompiler = (files: number): void => {
  if (hasInterruptBudget) setFlagsFromString("--interrupt-budget=1000000")
  if (files > FEW_FILES) setFlagsFromString("--always-sparkplug")
  if (files > FEW_PARSED) return
  setFlagsFromString("--no-wasm-dynamic-tiering")
  setFlagsFromString("--no-wasm-tier-up")
}
