import type { TreeSource } from "../source/TreeSource.ts"
import type { AuditTool } from "../tool/AuditTool.ts"
import type { FixSettings } from "./FixRequest.ts"
import { filesOfPass, type MatchedFile } from "./matchedFiles.ts"

/** What cross-file passes matched, kept for the next finding as long as a file is not edited. */
export class Passes {
  private readonly source: TreeSource
  private readonly settings: FixSettings
  private readonly known = new Map<string, ReadonlyArray<MatchedFile>>()

  constructor(source: TreeSource, settings: FixSettings) {
    this.source = source
    this.settings = settings
  }

  knownOf({ id }: AuditTool): ReadonlyArray<MatchedFile> {
    return this.known.get(id) ?? []
  }

  async run(tool: AuditTool): Promise<ReadonlyArray<MatchedFile>> {
    const found = await filesOfPass(this.source, tool, this.settings)
    this.known.set(tool.id, found)
    return found
  }

  forget(path: string): void {
    for (const [id, files] of this.known) {
      this.known.set(
        id,
        files.filter(({ file }) => file.path !== path)
      )
    }
  }
}
