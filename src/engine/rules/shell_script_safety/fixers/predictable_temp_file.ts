import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"

const assigned = /^(\w+)=(["']?)\/tmp\/([\w.-]*?)[.-]?\$(?:\$|\{\$\})\2$/

/** The name itself is made into something else, or its absence is counted on. */
const otherUses = (name: string): RegExp =>
  new RegExp(
    `\\b(?:mkdir|mkfifo|ln|mknod|mktemp|socat|cp -[rRa]\\w*|git clone)\\b[^\\n]*\\$\\{?${name}\\b|(?:\\[|\\btest)\\s+(?:!\\s+)?-[efdpSsLh]\\s+"?\\$\\{?${name}\\b|\\$(?:${name}|\\{${name}\\})[\\w.-]|\\$\\{${name}[^}\\w]`
  )

const propose = ({ file, match }: FixSite): Proposal => {
  const word = assigned.exec(file.text.slice(match.start, match.end))
  if (word === null || word[2] === "'") {
    return declined("The name is written out, so other commands or programs may rely on it.")
  }
  const [, name = "", quote = "", prefix = ""] = word
  if (otherUses(name).test(file.text)) {
    return declined(`\`$${name}\` is not used as one plain file, so a file made beforehand could be in the way.`)
  }
  const template = `/tmp/${prefix === "" ? "" : `${prefix}.`}XXXXXX`
  return {
    edits: [{ start: match.start + name.length + 1, end: match.end, text: `${quote}$(mktemp ${template})${quote}` }],
    summary: "Create the temporary file under a name that no one can predict"
  }
}

export default fixer({ tool: "shell_script_safety", rule: "predictable_temp_file", languages: ["shell"], propose })
