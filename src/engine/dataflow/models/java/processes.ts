import { isFlag, isShell } from "../../sinks/shells.ts"
import { ARGUMENT, COMMAND } from "../../values/Value.ts"
import { PROGRAM, SHELL } from "../labels.ts"
import type { Model } from "../Model.ts"

export const processes: Model = {
  name: "processes",
  sinks: [
    {
      kind: COMMAND,
      label: SHELL,
      path: /^java\.lang\.Runtime(?:\.getRuntime\(\))?\.exec$/,
      args: [0],
      // An array is no line that is cut into words.
      when: (call) => !call.holdsFields(0)
    },
    {
      kind: COMMAND,
      label: SHELL,
      path: /^java\.lang\.Runtime(?:\.getRuntime\(\))?\.exec$/,
      args: [0],
      elements: true,
      when: (call) => isShell(call.element(0, 0)) && isFlag(call.element(0, 1))
    },
    {
      kind: COMMAND,
      label: SHELL,
      path: /^java\.lang\.ProcessBuilder(?:(?:\(\))?\.command)?$/,
      args: [2],
      when: (call) => isShell(call.literal(0)) && isFlag(call.literal(1))
    },
    {
      kind: COMMAND,
      label: SHELL,
      path: /^java\.lang\.ProcessBuilder(?:(?:\(\))?\.command)?$/,
      args: [0],
      elements: true,
      when: (call) => isShell(call.element(0, 0)) && isFlag(call.element(0, 1))
    },
    { kind: ARGUMENT, label: PROGRAM, path: /^java\.lang\.ProcessBuilder(?:(?:\(\))?\.command)?$/, args: [0] }
  ]
}
