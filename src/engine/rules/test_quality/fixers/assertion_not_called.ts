import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"

/** What these compare with is nothing but the value itself, so a call without arguments is what was meant. */
const withoutArguments =
  /\.(?:toBeTruthy|toBeFalsy|toBeNull|toBeDefined|toBeUndefined|toBeNaN|toHaveBeenCalled|toBeInTheDocument|toBeVisible|toThrow|assert_called|assert_called_once|assert_not_called)$/

const compared = /^self\.assert(?:True|_)(?=\()/

const propose = ({ file, match }: FixSite): Proposal => {
  const text = file.text.slice(match.start, match.end).replace(/;$/, "")
  const summary = "Call the assertion, so that the test checks something"
  if (withoutArguments.test(text)) {
    const end = match.start + text.length
    return { edits: [{ start: end, end, text: "()" }], summary }
  }
  if (file.language === "python" && compared.test(text)) {
    const start = match.start + "self.".length
    const end = match.start + compared.exec(text)![0].length
    return { edits: [{ start, end, text: "assertEqual" }], summary: "Compare the value with the one that is expected" }
  }
  return declined("Which value is expected here cannot be read from the test.")
}

export default fixer({
  tool: "test_quality",
  rule: "assertion_not_called",
  languages: ["javascript", "python"],
  propose
})
