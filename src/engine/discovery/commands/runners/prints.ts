/** Prints, and leaves nothing behind. */
const prints = /^(?:$|#|(?:echo|printf)(?=\s|$)|:$|true$|\$\((?:info|warning|error)\b)/

/** More than the words that are printed: a file that they go to, another command. */
const doesMore = /[|>;&`]|\$\(shell\b/

/** A line of a recipe that only prints. */
export const onlyPrints = (written: string): boolean =>
  prints.test(written) && !doesMore.test(written.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, ""))

/** A script that only says something, and ends: `echo "No tests" && exit 0`. */
export const printsAll = (parts: ReadonlyArray<string>): boolean =>
  parts.length > 0 && parts.every((part) => /^exit(?: \d+)?$/.test(part) || (part !== "" && onlyPrints(part)))
