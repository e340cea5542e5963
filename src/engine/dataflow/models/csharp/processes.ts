import { isShell, optionHungry } from "../../sinks/shells.ts"
import { ARGUMENT, COMMAND } from "../../values/Value.ts"
import { ARGUMENT_LINE, PROGRAM, SHELL } from "../labels.ts"
import type { Model } from "../Model.ts"

/** What a shell runs because of its arguments. */
const shellArguments = /^\s*"?(?:\/[cCkK]\b|-l?c\b|-[cC]ommand\b)/

export const processes: Model = {
  name: "processes",
  sinks: [
    {
      kind: COMMAND,
      label: SHELL,
      path: /^(?:System\.Diagnostics\.)?Process\.Start$|^ProcessStartInfo$/,
      args: [1],
      when: (call) => isShell(call.literal(0))
    },
    {
      kind: COMMAND,
      label: SHELL,
      path: /(?:ProcessStartInfo|StartInfo)(?:\(\))?\.Arguments=$/,
      args: [0],
      text: shellArguments
    },
    {
      kind: COMMAND,
      label: SHELL,
      path: /(?:ProcessStartInfo|StartInfo)(?:\(\))?\.Arguments=$/,
      args: [0],
      when: ({ held }) => isShell(held("FileName"))
    },
    {
      kind: COMMAND,
      label: SHELL,
      path: /(?:ProcessStartInfo|StartInfo)(?:\(\))?\.ArgumentList\.Add$/,
      args: [0],
      text: shellArguments
    },
    {
      kind: ARGUMENT,
      label: PROGRAM,
      path: /^(?:System\.Diagnostics\.)?Process\.Start$|^ProcessStartInfo$|(?:ProcessStartInfo|StartInfo)(?:\(\))?\.FileName=$/,
      args: [0]
    },
    {
      kind: ARGUMENT,
      label: ARGUMENT_LINE,
      path: /^(?:System\.Diagnostics\.)?Process\.Start$|^ProcessStartInfo$/,
      args: [1],
      when: (call) => optionHungry.test(call.literal(0) ?? "")
    },
    {
      kind: ARGUMENT,
      label: ARGUMENT_LINE,
      path: /(?:ProcessStartInfo|StartInfo)(?:\(\))?\.Arguments=$/,
      args: [0],
      when: ({ held }) => optionHungry.test(held("FileName") ?? "")
    }
  ]
}
