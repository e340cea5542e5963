import type { ComplexFile } from "../../structure/complexFile.ts"

export interface KnownFile {
  readonly path: string
  readonly complexity: ComplexFile
  /** Words of its imports. */
  readonly words: ReadonlySet<string>
}
