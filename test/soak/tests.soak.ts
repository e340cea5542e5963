import { spawnSync } from "node:child_process"

/** The long forms of the tests that have one; arguments choose among their files, as those of vitest do. */
export const run = async (args: ReadonlyArray<string>): Promise<boolean> => {
  const options = ["vitest", "run", "--config", "vitest.long.config.ts", ...args]
  return spawnSync("npx", options, { stdio: "inherit" }).status === 0
}
