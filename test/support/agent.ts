import { AgentCommand } from "../../src/layers/AgentCommand.ts"
import { NamespaceSandbox } from "../../src/layers/NamespaceSandbox.ts"
import { aFolder } from "./gitRepository.ts"

interface AgentSettings {
  readonly command: string | null
  readonly timeoutSeconds?: number
  readonly memoryMb?: number
  readonly maxUsd?: number
  readonly maxProcesses?: number
}

/** An operator's agent with small caps, unless the test is about others. */
export const anAgentRunner = ({ command, ...caps }: AgentSettings) =>
  AgentCommand.layer({
    command,
    environment: [],
    timeoutSeconds: 60,
    memoryMb: 512,
    maxUsd: 5,
    maxProcesses: 64,
    dataDir: aFolder(),
    ...caps
  })

/** No operator has named an agent. */
export const noAgent = anAgentRunner({ command: null })

/** Commands of repositories do not run, as in an installation whose operator has said nothing. */
export const noCommands = NamespaceSandbox.layer({ allowCommands: false, dataDir: aFolder(), localRoots: [] })

/** Commands of repositories run, where the kernel allows their sandbox. */
export const commandsAllowed = NamespaceSandbox.layer({ allowCommands: true, dataDir: aFolder(), localRoots: [] })
