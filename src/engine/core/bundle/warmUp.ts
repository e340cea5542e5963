import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describeChange } from "../../changes/describeChange.ts"
import { discover } from "../../discovery/discover.ts"
import { tools } from "../../rules/index.ts"
import { fixTree } from "../fix/fixTree.ts"
import { tools as observers } from "../process/observers.ts"
import { scan } from "../scan/Engine.ts"
import { syntaxFaults } from "../scan/syntaxFaults.ts"
import { plainFolder } from "../source/plainFolder.ts"

/** Of each language one rule's example is enough to call what every file of it needs. */
const exampleFiles = (): ReadonlyMap<string, string> => {
  const examples = tools.flatMap(({ rules }) => Object.values(rules).flatMap(({ example }) => example ?? []))
  return new Map(examples.map(({ path, bad }) => [/\.\w+$/.exec(path)?.[0] ?? path, bad]))
}

/** Does in this thread and in an empty folder what each of the processes does, so that the code it takes can be kept. */
export const warmUp = async (folder: string): Promise<void> => {
  let count = 0
  mkdirSync(join(folder, "src"))
  for (const [ending, text] of exampleFiles()) writeFileSync(join(folder, `src/example${count++}${ending}`), text)
  await scan(plainFolder(folder), { suite: "standard", tools })
  await discover(plainFolder(folder), { observers })
}

/** What the other processes serve. */
export const served = { describeChange, fixTree, syntaxFaults }
