import { startAhead } from "../engine/ahead.ts"

/** Processes that commands will ask something, by command. */
const processes: Readonly<Record<string, string>> = {
  audit: "scan-process",
  review: "scan-process",
  discover: "discovery-process"
}

/** The scanning process loads its code while the command loads its own; neither waits for the other. */
export const startProcessFor = ([command = "", ...rest]: ReadonlyArray<string>): void => {
  const entry = Object.hasOwn(processes, command) ? processes[command] : undefined
  if (entry !== undefined && rest.length > 0) startAhead(entry)
}
