import { setFlagsFromString } from "node:v8"

/**
 * A scan is a great deal of code that runs for about a second, once per thread: left alone, V8 spends a third of the
 * processor time on optimising functions that are hardly called again. It gets patience instead, and all functions get
 * the compiler that costs next to nothing. Imported for its effect, before the code it is about; these settings hold
 * for the whole process and the threads it starts, so only a process that does nothing else may have them.
 */
setFlagsFromString("--interrupt-budget=1000000")
setFlagsFromString("--always-sparkplug")
