import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { isProgramPath } from "../../../languages/formats/programPath.ts"

const option = /--chmod=(0?777)\s/
const command = /\bchmod\s+((?:-\S+\s+)*)(0?777|(?:a|ugo)[+=]rwx)\s+([^&|;\n\\]+)/g

const unknownWriter = declined(
  "Who writes to these files cannot be read from the file; give them to the user of the image."
)

const propose = ({ file, match }: FixSite): Proposal => {
  const text = file.text.slice(match.start, match.end)
  const copied = option.exec(text)
  const summary = "Let only the owner change the program; everyone may still run it"
  if (/^(?:COPY|ADD)\b/i.test(text) && copied !== null) {
    const start = match.start + copied.index + "--chmod=".length
    const target = text.trim().split(/\s+/).at(-1) ?? ""
    return isProgramPath(target)
      ? { edits: [{ start, end: start + copied[1]!.length, text: "755" }], summary }
      : unknownWriter
  }
  const found = [...text.matchAll(command)]
  const isSafe = found.every(
    ([, flags = "", , targets = ""]) => flags === "" && targets.trim().split(/\s+/).every(isProgramPath)
  )
  if (found.length === 0 || !isSafe) return unknownWriter
  const edits = found.map(({ index, 0: all, 2: mode = "" }) => {
    const start = match.start + index + all.indexOf(mode)
    return { start, end: start + mode.length, text: "755" }
  })
  return { edits, summary }
}

export default fixer({ tool: "container_configuration", rule: "world_writable", languages: ["dockerfile"], propose })
