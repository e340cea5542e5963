import type { SourceFile } from "../files/SourceFile.ts"
import type { AuditTool } from "./AuditTool.ts"

/** Whether a tool has anything to do in a file: a cheap choice, before it inspects the file. */
export const applies = (tool: AuditTool, file: SourceFile): boolean =>
  tool.appliesTo(file) && (tool.mentions === undefined || tool.mentions.test(file.text) || file.mentionsComponents)
