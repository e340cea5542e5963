import { isFlag, isShell, optionHungry } from "../../sinks/shells.ts"
import { ARGUMENT, COMMAND } from "../../values/Value.ts"
import { OPTIONS, PROGRAM, SHELL } from "../labels.ts"
import type { Model } from "../Model.ts"

export const processes: Model = {
  name: "processes",
  sinks: [
    {
      kind: COMMAND,
      label: SHELL,
      path: /^(?:os\.(?:system|popen)|commands\.getoutput|subprocess\.(?:getoutput|getstatusoutput)|asyncio\.create_subprocess_shell|asyncio\.subprocess\.create_subprocess_shell|popen2\.popen\d)$/,
      args: [0]
    },
    {
      kind: COMMAND,
      label: SHELL,
      path: /^subprocess\.(?:run|call|check_call|check_output|Popen)$/,
      args: [0],
      named: ["args"],
      when: ({ option }) => /^(?:True|1)$/.test(option("shell") ?? "")
    },
    {
      kind: COMMAND,
      label: SHELL,
      path: /^subprocess\.(?:run|call|check_call|check_output|Popen)$/,
      args: [0],
      elements: true,
      when: (call) => isShell(call.element(0, 0)) && isFlag(call.element(0, 1))
    },
    { kind: COMMAND, label: SHELL, path: /^paramiko\.(?:client\.)?SSHClient\(\)\.exec_command$/, args: [0] },
    {
      kind: ARGUMENT,
      label: PROGRAM,
      path: /^subprocess\.(?:run|call|check_call|check_output|Popen)$/,
      args: [0],
      fields: ["0"],
      when: ({ option }) => !/^(?:True|1)$/.test(option("shell") ?? "")
    },
    {
      kind: ARGUMENT,
      label: OPTIONS,
      path: /^subprocess\.(?:run|call|check_call|check_output|Popen)$/,
      args: [0],
      elements: true,
      when: (call) =>
        optionHungry.test(call.element(0, 0) ?? "") && ![1, 2, 3, 4, 5, 6].some((i) => call.element(0, i) === "--")
    }
  ]
}
