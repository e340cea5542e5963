import { it, makeMethods } from "@effect/vitest"

/**
 * `layer` replaces the methods of the one `it` that all files of a worker share. Without this, the plain tests of a file would
 * run in the services of an earlier one, with the clock where its tests left it.
 */
makeMethods(it)
