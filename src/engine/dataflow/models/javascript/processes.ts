import { isFlag, isShell, optionHungry } from "../../sinks/shells.ts"
import type { SinkCall } from "../../TaintLanguage.ts"
import { ARGUMENT, COMMAND } from "../../values/Value.ts"
import { OPTIONS, PROGRAM, SHELL } from "../labels.ts"
import type { Model } from "../Model.ts"

const usesShell = ({ option }: SinkCall): boolean => {
  const shell = option("shell")
  return shell !== null && shell !== "false" && shell !== "False" && shell !== "undefined"
}
const child = "(?:child_process|cross-spawn|execa|shelljs|zx|child-process-promise|child_process\\.promises)"
const hasSeparator = (call: SinkCall): boolean => {
  for (let i = 0; i < 12; i++) if (/^--(?:end-of-options)?$/.test(call.element(1, i) ?? "")) return true
  return false
}

export const processes: Model = {
  name: "processes",
  sinks: [
    {
      kind: COMMAND,
      label: SHELL,
      path: /^(?:child_process|child-process-(?:promise|es6-promise)|promisify-child-process|mz\/child_process|async-child-process)\.(?:exec|execSync|execAsync)$/,
      args: [0]
    },
    {
      // Packages whose only function hands its argument to a shell.
      kind: COMMAND,
      label: SHELL,
      path: /^(?:async-execute|exec-promise|exec-sh(?:\.promise)?|await-exec|shell-exec|then-exec|node-exec-promise|execute-command|node-cmd\.(?:get|run|runSync))$/,
      args: [0]
    },
    {
      kind: COMMAND,
      label: SHELL,
      path: /^(?:shelljs(?:\.exec)?|execa\.(?:shell|shellSync|command|commandSync|execaCommand|execaCommandSync))$/,
      args: [0],
      when: ({ callee }) => callee !== "shelljs"
    },
    {
      kind: COMMAND,
      label: SHELL,
      path: new RegExp(`^${child}(?:\\.\\w+)?\\.?(?:spawn|spawnSync|execFile|execFileSync|execa|sync)?$`),
      args: [0],
      when: usesShell
    },
    {
      kind: COMMAND,
      label: SHELL,
      path: new RegExp(`^${child}(?:\\.default)?(?:\\.(?:spawn|spawnSync|execFile|execFileSync|execa|sync))?$`),
      args: [0, 1],
      line: true,
      when: (call) => call.option("shell") === "true"
    },
    {
      kind: COMMAND,
      label: SHELL,
      path: new RegExp(`^${child}\\.(?:spawn|spawnSync|execFile|execFileSync)$`),
      args: [1],
      elements: true,
      when: (call) => isShell(call.literal(0)) && isFlag(call.element(1, 0))
    },
    {
      kind: ARGUMENT,
      label: PROGRAM,
      path: /^child_process\.(?:spawn|spawnSync|execFile|execFileSync|fork)$/,
      args: [0]
    },
    {
      kind: ARGUMENT,
      label: OPTIONS,
      path: /^child_process\.(?:spawn|spawnSync|execFile|execFileSync)$/,
      args: [1],
      elements: true,
      when: (call) => optionHungry.test(call.literal(0) ?? "") && !hasSeparator(call)
    }
  ]
}
