import type { ComplexFile } from "../../structure/complexFile.ts"

export interface KnownFile {
  readonly path: string
  readonly complexity: ComplexFile
  /** Of its imports. */
  readonly words: ReadonlySet<string>
}
