import { isFlag, isShell, optionHungry } from "../../sinks/shells.ts"
import type { SinkCall } from "../../TaintLanguage.ts"
import { ARGUMENT, COMMAND } from "../../values/Value.ts"
import { OPTIONS, PROGRAM, SHELL } from "../labels.ts"
import type { Model } from "../Model.ts"

const runners =
  "(?:Kernel\\.|Process\\.|PTY\\.|POSIX::Spawn\\.)?(?:system|exec|spawn)|IO\\.popen|Open3\\.(?:capture2e?|capture3|popen2e?|popen3|pipeline\\w*)|PTY\\.spawn|Terrapin::CommandLine|Cocaine::CommandLine"
/** The second may be a block, which is no argument. */
const isAlone = ({ count, argument, holdsFields }: SinkCall): boolean =>
  (count === 1 || (count === 2 && argument(1) === "" && !argument(0).startsWith("*"))) && !holdsFields(0)

export const processes: Model = {
  name: "processes",
  sinks: [
    { kind: COMMAND, label: SHELL, path: new RegExp(`^(?:${runners})$`), args: [0], when: isAlone },
    // The first of two is the environment; the last may be options of a hash.
    {
      kind: COMMAND,
      label: SHELL,
      path: new RegExp(`^(?:${runners})$`),
      args: [1],
      when: ({ count, holdsFields }) => count === 2 && holdsFields(0) && !holdsFields(1)
    },
    // `IO.popen(command, "r")`.
    {
      kind: COMMAND,
      label: SHELL,
      path: /^IO\.popen$/,
      args: [0],
      when: (call) => call.count === 2 && !call.holdsFields(0) && /^[rwab+:\w-]*$/.test(call.literal(1) ?? "?")
    },
    {
      kind: COMMAND,
      label: SHELL,
      path: new RegExp(`^(?:${runners})$`),
      args: [2],
      when: (call) => isShell(call.literal(0)) && isFlag(call.literal(1))
    },
    { kind: COMMAND, label: SHELL, path: /^(?:`|Kernel\.`)$/, args: [0] },
    {
      kind: COMMAND,
      label: SHELL,
      path: /^(?:Kernel\.)?open$|^IO\.(?:read|readlines|foreach|write|binread)$/,
      args: [0],
      text: /^\s*\|/
    },
    {
      kind: ARGUMENT,
      label: PROGRAM,
      path: new RegExp(`^(?:${runners})$`),
      args: [0],
      when: ({ callee, count, holdsFields }) => count > 1 && !holdsFields(0) && callee !== "IO.popen"
    },
    {
      kind: ARGUMENT,
      label: OPTIONS,
      path: new RegExp(`^(?:${runners})$`),
      args: [1, 2, 3, 4, 5],
      when: (call) => optionHungry.test(call.literal(0) ?? "") && ![1, 2, 3, 4].some((i) => call.literal(i) === "--")
    }
  ]
}
