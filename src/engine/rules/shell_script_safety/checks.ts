import { type Emit } from "../../core/tool/AuditTool.ts"
import type { Command, Word } from "../../languages/formats/shell.ts"
import type { RuleId } from "./rules.ts"

export interface Script {
  readonly text: string
  readonly commands: ReadonlyArray<Command>
  /** A step of a workflow: a fresh machine that is thrown away, where errors end the script. */
  readonly isStep: boolean
}

const prefixes = /^(?:sudo|exec|command|time|nice|then|do|else|if|while|!|-[nEHS])$/

/** Words from the program's name on, without `sudo`, keywords and assignments in front. */
export const call = ({ words }: Command): ReadonlyArray<Word> => {
  const from = words.findIndex(({ text }) => !prefixes.test(text) && !/^\w+=/.test(text))
  return from < 0 ? [] : words.slice(from)
}

const isRecursive = (words: ReadonlyArray<Word>): boolean =>
  words.some(({ text }) => /^-[a-zA-Z]*[rR]|^--recursive$/.test(text))

const shown = (word: Word): string => `\`${word.text.slice(0, 60).replace(/`/g, "'")}\``

const alwaysSet = /^(?:HOME|PWD|OLDPWD|SHELL|GITHUB_\w+|RUNNER_\w+|UID|USER|BASH_\w+|0|\$|\?|#|!)$/
const ROOTS =
  /^(?:\/(?:\*|\.\*|\.\[\^\.\]\*)?|\/(?:bin|boot|dev|etc|home|lib|lib64|opt|root|sbin|srv|sys|usr|var)\/?\*?)$/

/** What is left of a word when its variables are empty. */
const emptied = (word: Word): string => {
  let text = ""
  let at = word.start
  for (const { start, end } of word.expansions) {
    text += word.text.slice(at - word.start, start - word.start)
    at = end
  }
  return (text + word.text.slice(at - word.start)).replace(/["']/g, "").replace(/\/{2,}/g, "/")
}

/** The script looks whether there is a value, or gives one that is not empty. */
const settles = (text: string, name: string): boolean => {
  if (alwaysSet.test(name)) return true
  for (let at = text.indexOf(name), n = 0; at >= 0 && n < 200; at = text.indexOf(name, at + name.length), n++) {
    const before = text.slice(Math.max(0, at - 40), at)
    const after = text.slice(at + name.length, at + name.length + 60)
    if (/\w$/.test(before) || /^\w/.test(after)) continue
    if (/(?:-[znder]|test|\[)\s+"?\$\{?$/.test(before) || (/^:?[?=]/.test(after) && before.endsWith("{"))) return true
    if (/\b(?:for|read(?:\s+-\w+)*|select)\s+$/.test(before)) return true
    const isAssigned = /(?:^|[\s;&|(])$/.test(before) && after.startsWith("=")
    if (isAssigned && !/^=(?:["']?\$\{?\w+\}?["']?|["']{0,2})(?:[\s;&|)]|$)/.test(after)) return true
  }
  return false
}

/** Whether a variable is sure to have a value, asked once for each name. */
export const settledNames = ({ text }: Pick<Script, "text">): ((name: string) => boolean) => {
  const known = new Map<string, boolean>()
  return (name) => {
    const verdict = known.get(name) ?? settles(text, name)
    known.set(name, verdict)
    return verdict
  }
}

/** No variable of the word is sure to have a value, and without one nothing but a folder of the system is left. */
export const leavesRoot = (word: Word, isSettled: (name: string) => boolean): boolean =>
  word.expansions.length > 0 &&
  word.expansions.every(({ name, isGuarded }) => !isGuarded && !isSettled(name)) &&
  !word.text.includes("$(") &&
  ROOTS.test(emptied(word))

export const removals = (script: Script, emit: Emit<RuleId>): void => {
  const isSettled = settledNames(script)
  const isStrict = /\bset\s+(?:-\w*\s+)*-\w*u|nounset/.test(script.text)
  for (const command of script.commands) {
    const words = call(command)
    if (words[0]?.text !== "rm" || !isRecursive(words)) continue
    for (const word of words.slice(1)) {
      const [first] = word.expansions
      if (first === undefined) continue
      if (!isStrict && leavesRoot(word, isSettled)) {
        emit({
          rule: "removal_with_unset_variable",
          start: command.start,
          end: command.end,
          message: `When \`${first.name}\` is empty, ${shown(word)} means \`${emptied(word)}\`.`,
          identifiers: /^\w{2,}$/.test(first.name) ? [first.name] : []
        })
      } else if (!script.isStep && word.expansions.some(({ name, isQuoted }) => !isQuoted && /^[1-9@*]$/.test(name))) {
        emit({
          rule: "removal_of_unquoted_argument",
          start: command.start,
          end: command.end,
          message: `${shown(word)} is split at spaces and expanded: more may be removed than was named.`
        })
      }
    }
  }
}

/** `eval "$name=\$value"` gives a variable a value; the name is the script's own. */
const setsVariable = /^["']?(?:export\s+)?\$\{?[1-9]\}?=|^["']?\w+=/

export const evaluations = (script: Script, emit: Emit<RuleId>): void => {
  for (const command of script.commands) {
    const words = call(command)
    if (words[0]?.text !== "eval") continue
    const given = words.slice(1).find(({ expansions }) => expansions.some(({ name }) => /^[1-9@*]$/.test(name)))
    if (given === undefined || setsVariable.test(given.text) || words.slice(1).some(({ text }) => text.includes("\\$")))
      continue
    emit({
      rule: "eval_of_arguments",
      start: command.start,
      end: command.end,
      message: `${shown(given)} is parsed as code once more: whatever is in an argument runs.`
    })
  }
}

const predictable = /^["']?\/tmp\/[\w.-]+(?:\$\$|\$\{\$\})?[\w.-]*["']?$/

export const temporaryFiles = (script: Script, emit: Emit<RuleId>): void => {
  for (const { words } of script.commands) {
    words.forEach((word, i) => {
      const redirected = /^\d?>>?\|?(.*)$/s.exec(word.text)
      const target = redirected === null ? null : redirected[1] === "" ? (words[i + 1]?.text ?? "") : redirected[1]!
      const assigned = /^\w+=(.*\$(?:\$|\{\$\}).*)$/s.exec(word.text)?.[1] ?? null
      const path = target ?? assigned
      if (path === null || !predictable.test(path.slice(0, 200))) return
      const shownPath = path.replace(/["'`]/g, "").slice(0, 60)
      const message = `Any user of the machine can put a link at \`${shownPath}\` first, and this script writes where it leads.`
      emit({ rule: "predictable_temp_file", start: word.start, end: word.end, message })
    })
  }
}

export const permissions = (script: Script, emit: Emit<RuleId>): void => {
  for (const command of script.commands) {
    const words = call(command)
    if (words[0]?.text !== "chmod") continue
    const mode = words.slice(1).find(({ text }) => !text.startsWith("-"))
    if (mode === undefined || !/^(?:0?777|0?666|(?:a|ugo|o)?\+rwx|(?:a|ugo|o)=rwx|[oa]\+w|[oa]\+rw)$/.test(mode.text))
      continue
    if (mode.text === "+rwx" || words.some(({ text }) => /\/dev\/|\.X11-unix/.test(text))) continue
    emit({
      rule: "writable_by_everybody",
      start: command.start,
      end: command.end,
      message: `\`chmod ${mode.text}\` lets every user and every process of the machine change ${shown(words.at(-1)!)}.`
    })
  }
}

const remote = /^(?:ssh|scp|sftp|rsync|sshfs|autossh|git|ssh-copy-id)$/

export const hostKeys = (script: Script, emit: Emit<RuleId>): void => {
  for (const command of script.commands) {
    const words = call(command)
    const isRemote =
      words.some(({ text }) => remote.test(text)) ||
      command.words.some(({ text }) => /^(?:GIT_SSH_COMMAND|\w*SSH\w*)=/.test(text))
    const option = isRemote
      ? command.words.find(({ text }) => /StrictHostKeyChecking[= ]["']?(?:no|off)\b/i.test(text))
      : undefined
    if (option === undefined || /127\.0\.0\.1|localhost/.test(script.text.slice(command.start, command.end))) continue
    emit({
      rule: "host_key_not_checked",
      start: option.start,
      end: option.end,
      message: "The script trusts any machine that answers in the host's place, and sends it everything."
    })
  }
}

export const passwords = (script: Script, emit: Emit<RuleId>): void => {
  script.commands.forEach((command, i) => {
    const words = call(command)
    const next = script.commands[i + 1]
    const isEchoed = words[0]?.text === "echo" && command.after === "|" && next !== undefined
    const isSudo = isEchoed && next.words[0]?.text === "sudo" && next.words.some(({ text }) => text === "-S")
    const at = words.findIndex(({ text }) => text === "sshpass")
    const isPassed =
      at >= 0 &&
      /^-p./.test(words[at + 1]?.text === "-p" ? `-p${words[at + 2]?.text ?? ""}` : (words[at + 1]?.text ?? ""))
    if (!isSudo && !isPassed) return
    const end = isSudo ? next.end : command.end
    const message = `The password stands ${isSudo ? "in the script" : "on the command line"}, where other users and logs see it.`
    emit({ rule: "password_on_command_line", start: command.start, end, message })
  })
}

const NEAR = 3

export const directories = (script: Script, emit: Emit<RuleId>): void => {
  if (script.isStep || /\bset\s+(?:-\w*\s+)*-\w*e|errexit|^#!.*\s-\w*e/m.test(script.text)) return
  script.commands.forEach((command, i) => {
    const [program, folder] = call(command)
    if (program?.text !== "cd" || folder === undefined || (command.after !== "\n" && command.after !== ";")) return
    if (folder.expansions.length === 0 && /^(?:\.\.?|~|\/|-)$/.test(folder.text)) return
    for (const later of script.commands.slice(i + 1, i + 1 + NEAR)) {
      const words = call(later)
      if (words[0]?.text === "cd" || /^(?:fi|done|\[|test|exit|return)$/.test(later.words[0]?.text ?? "")) return
      const target = words.slice(1).find(({ text }) => /^(?:\*|\.\/\*|\.\*|\.)$/.test(text))
      if (words[0]?.text !== "rm" || target === undefined || !isRecursive(words)) continue
      emit({
        rule: "removal_after_unchecked_cd",
        start: later.start,
        end: later.end,
        message: `When \`cd ${folder.text.slice(0, 40).replace(/`/g, "'")}\` fails, this empties the folder the script was started in.`
      })
      return
    }
  })
}
