import { declined, fixer } from "../../../core/fix/Fixer.ts"

/** Puts the value of a `return` on its line. */
export default fixer({
  tool: "correctness_bugs",
  rule: "return_value_on_next_line",
  languages: ["javascript"],
  propose: ({ file, match }) => {
    const gap = /^return(\s+)/.exec(file.text.slice(match.start, match.end))?.[1]
    if (gap === undefined) return declined("Something other than white space stands between the return and the value.")
    const start = match.start + "return".length
    return { edits: [{ start, end: start + gap.length, text: " " }], summary: "Return the value" }
  }
})
