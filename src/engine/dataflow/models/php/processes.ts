import { COMMAND } from "../../values/Value.ts"
import { SHELL } from "../labels.ts"
import type { Model } from "../Model.ts"

export const processes: Model = {
  name: "processes",
  mentions: /`[^`\n]{0,200}\$|\bProcess::(?:fromShellCommandline|run|start)\(/,
  sinks: [
    {
      kind: COMMAND,
      label: SHELL,
      path: /^(?:`|exec|shell_exec|system|passthru|popen|proc_open|pcntl_exec)$/,
      args: [0]
    },
    { kind: COMMAND, label: SHELL, path: /(?:^|\\)Process\.(?:fromShellCommandline|run|start)$/, args: [0], text: /\S/ }
  ]
}
