import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  export interface ProvidedContext {
    /** Where all folders of this run are. */
    readonly temporaryFolder: string
  }
}

/**
 * Folders are removed when the run ends, not with the file that made them: a module that makes some when it is loaded
 * serves all files of a worker.
 */
export default function setup({ provide }: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), "assay-"))
  chmodSync(folder, 0o755)
  provide("temporaryFolder", folder)
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
