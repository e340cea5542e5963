import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { type Command, shellCommands } from "../../../languages/formats/shell.ts"

const read = (file: SourceFile): ReadonlyArray<Command> => shellCommands(file.text)

/** Simple commands of a script. */
export const commandsIn = (file: SourceFile): ReadonlyArray<Command> => file.memo(read, read)

/** The simple command around a range of a script. */
export const commandAt = (file: SourceFile, start: number, end: number): Command | undefined =>
  commandsIn(file).find((command) => command.start <= start && end <= command.end)
