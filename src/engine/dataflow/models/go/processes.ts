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
      path: /^os\/exec\.Command$/,
      args: [2, 3],
      when: (call) => isShell(call.literal(0)) && isFlag(call.literal(1))
    },
    {
      kind: COMMAND,
      label: SHELL,
      path: /^os\/exec\.CommandContext$/,
      args: [3, 4],
      when: (call) => isShell(call.literal(1)) && isFlag(call.literal(2))
    },
    { kind: ARGUMENT, label: PROGRAM, path: /^os\/exec\.Command$/, args: [0] },
    { kind: ARGUMENT, label: PROGRAM, path: /^os\/exec\.CommandContext$/, args: [1] },
    {
      kind: ARGUMENT,
      label: OPTIONS,
      path: /^os\/exec\.Command$/,
      args: [1, 2, 3, 4, 5],
      when: (call) => optionHungry.test(call.literal(0) ?? "") && ![1, 2, 3, 4].some((i) => call.literal(i) === "--")
    }
  ]
}
