import { readFileSync } from "node:fs"

const source = readFileSync(new URL("./scriptedAgent.mjs", import.meta.url), "utf8")
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/**
 * The command line of the scripted agent, which its mode may follow. It holds the script itself: an agent does not see the
 * machine's `/tmp`, and the checkout may lie there.
 */
export const scriptedAgent = `'${process.execPath}' --input-type=module --eval ${quoted(source)}`
