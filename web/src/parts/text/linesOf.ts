/** The lines of a text that a person typed, without empty ones and the space around them. */
export const linesOf = (text: string): Array<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
