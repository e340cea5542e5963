import type { RuleLanguage } from "../../core/tool/AuditTool.ts"
import { csharpCommands } from "../languages/csharpSinks.ts"
import { rubyCommands } from "../languages/rubySinks.ts"
import type { SinkCall, SinkRule } from "../TaintLanguage.ts"
import { ARGUMENT, COMMAND } from "../values/Value.ts"
import { isFlag, isShell, optionHungry } from "./shells.ts"

const label = "a shell command"

const usesShell = ({ option }: SinkCall): boolean => {
  const shell = option("shell")
  return shell !== null && shell !== "false" && shell !== "False" && shell !== "undefined"
}

const child = "(?:child_process|cross-spawn|execa|shelljs|zx|child-process-promise|child_process\\.promises)"

const javascript: ReadonlyArray<SinkRule> = [
  {
    kind: COMMAND,
    label,
    path: /^(?:child_process|child-process-promise|promisify-child-process|mz\/child_process)\.(?:exec|execSync)$/,
    args: [0]
  },
  {
    kind: COMMAND,
    label,
    path: /^(?:shelljs(?:\.exec)?|execa\.(?:command|commandSync|execaCommand|execaCommandSync))$/,
    args: [0],
    when: ({ callee }) => callee !== "shelljs"
  },
  {
    kind: COMMAND,
    label,
    path: new RegExp(`^${child}(?:\\.\\w+)?\\.?(?:spawn|spawnSync|execFile|execFileSync|execa|sync)?$`),
    args: [0],
    when: usesShell
  },
  {
    kind: COMMAND,
    label,
    path: new RegExp(`^${child}\\.(?:spawn|spawnSync|execFile|execFileSync)$`),
    args: [1],
    elements: true,
    when: (call) => isShell(call.literal(0)) && isFlag(call.element(1, 0))
  },
  {
    kind: ARGUMENT,
    label: "the name of a program to run",
    path: /^child_process\.(?:spawn|spawnSync|execFile|execFileSync|fork)$/,
    args: [0]
  },
  {
    kind: ARGUMENT,
    label: "the options of a program",
    path: /^child_process\.(?:spawn|spawnSync|execFile|execFileSync)$/,
    args: [1],
    elements: true,
    when: (call) => optionHungry.test(call.literal(0) ?? "") && !hasSeparator(call)
  }
]

const hasSeparator = (call: SinkCall): boolean => {
  for (let i = 0; i < 12; i++) if (/^--(?:end-of-options)?$/.test(call.element(1, i) ?? "")) return true
  return false
}

const python: ReadonlyArray<SinkRule> = [
  {
    kind: COMMAND,
    label,
    path: /^(?:os\.(?:system|popen)|commands\.getoutput|subprocess\.(?:getoutput|getstatusoutput)|asyncio\.create_subprocess_shell|asyncio\.subprocess\.create_subprocess_shell|popen2\.popen\d)$/,
    args: [0]
  },
  {
    kind: COMMAND,
    label,
    path: /^subprocess\.(?:run|call|check_call|check_output|Popen)$/,
    args: [0],
    named: ["args"],
    when: ({ option }) => /^(?:True|1)$/.test(option("shell") ?? "")
  },
  {
    kind: COMMAND,
    label,
    path: /^subprocess\.(?:run|call|check_call|check_output|Popen)$/,
    args: [0],
    elements: true,
    when: (call) => isShell(call.element(0, 0)) && isFlag(call.element(0, 1))
  },
  { kind: COMMAND, label, path: /^paramiko\.(?:client\.)?SSHClient\(\)\.exec_command$/, args: [0] },
  {
    kind: ARGUMENT,
    label: "the options of a program",
    path: /^subprocess\.(?:run|call|check_call|check_output|Popen)$/,
    args: [0],
    elements: true,
    when: (call) =>
      optionHungry.test(call.element(0, 0) ?? "") && ![1, 2, 3, 4, 5, 6].some((i) => call.element(0, i) === "--")
  }
]

const go: ReadonlyArray<SinkRule> = [
  {
    kind: COMMAND,
    label,
    path: /^os\/exec\.Command$/,
    args: [2, 3],
    when: (call) => isShell(call.literal(0)) && isFlag(call.literal(1))
  },
  {
    kind: COMMAND,
    label,
    path: /^os\/exec\.CommandContext$/,
    args: [3, 4],
    when: (call) => isShell(call.literal(1)) && isFlag(call.literal(2))
  },
  { kind: ARGUMENT, label: "the name of a program to run", path: /^os\/exec\.Command$/, args: [0] },
  { kind: ARGUMENT, label: "the name of a program to run", path: /^os\/exec\.CommandContext$/, args: [1] },
  {
    kind: ARGUMENT,
    label: "the options of a program",
    path: /^os\/exec\.Command$/,
    args: [1, 2, 3, 4, 5],
    when: (call) => optionHungry.test(call.literal(0) ?? "") && ![1, 2, 3, 4].some((i) => call.literal(i) === "--")
  }
]

const java: ReadonlyArray<SinkRule> = [
  { kind: COMMAND, label, path: /^java\.lang\.Runtime(?:\.getRuntime\(\))?\.exec$/, args: [0] },
  {
    kind: COMMAND,
    label,
    path: /^java\.lang\.Runtime(?:\.getRuntime\(\))?\.exec$/,
    args: [0],
    elements: true,
    when: (call) => isShell(call.element(0, 0)) && isFlag(call.element(0, 1))
  },
  {
    kind: COMMAND,
    label,
    path: /^java\.lang\.ProcessBuilder$/,
    args: [2],
    when: (call) => isShell(call.literal(0)) && isFlag(call.literal(1))
  },
  {
    kind: COMMAND,
    label,
    path: /^java\.lang\.ProcessBuilder(?:\(\)\.command)?$/,
    args: [0],
    elements: true,
    when: (call) => isShell(call.element(0, 0)) && isFlag(call.element(0, 1))
  },
  { kind: ARGUMENT, label: "the name of a program to run", path: /^java\.lang\.ProcessBuilder$/, args: [0] }
]

const php: ReadonlyArray<SinkRule> = [
  { kind: COMMAND, label, path: /^(?:exec|shell_exec|system|passthru|popen|proc_open|pcntl_exec)$/, args: [0] }
]

export const commandSinks: Partial<Record<RuleLanguage, ReadonlyArray<SinkRule>>> = {
  javascript,
  python,
  go,
  java,
  php,
  ruby: rubyCommands,
  csharp: csharpCommands
}
