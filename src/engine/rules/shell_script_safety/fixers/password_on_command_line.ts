import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { commandAt } from "./commandAt.ts"

/** The value of one variable, quoted or not: an assignment does not split it. */
const variable = /^(?:"\$(?:\w+|\{\w+\})"|\$(?:\w+|\{\w+\}))$/

const propose = ({ file, match }: FixSite): Proposal => {
  const command = file.language === "shell" ? commandAt(file, match.start, match.end) : undefined
  const words = command?.words ?? []
  const at = words.findIndex(({ text }) => text === "sshpass")
  const [program, option, value] = words.slice(at, at + 3)
  const isLast = option?.text === "-p"
  const password = isLast ? value?.text : option?.text.slice(2)
  if (at < 0 || program === undefined || option === undefined) {
    return declined("How the password gets to the program in another way depends on the machine.")
  }
  if (!words.slice(0, at).every(({ text }) => /^\w+=/.test(text))) {
    return declined("A program before `sshpass` may not pass the environment on.")
  }
  if (password === undefined || !variable.test(password)) {
    return declined("The password is written out in the script: it has to be changed and kept elsewhere.")
  }
  return {
    edits: [
      { start: program.start, end: program.start, text: `SSHPASS=${password} ` },
      { start: option.start, end: isLast ? value!.end : option.end, text: "-e" }
    ],
    summary: "Pass the password to `sshpass` in its environment"
  }
}

export default fixer({ tool: "shell_script_safety", rule: "password_on_command_line", languages: ["shell"], propose })
