import { execFile } from "node:child_process"
import { mkdtempSync, renameSync, rmSync } from "node:fs"
import { promisify } from "node:util"

const execute = promisify(execFile)

/** Commands say first what went wrong and last that they gave up. */
const firstSentence = (output) => {
  const lines = output.split("\n").filter((line) => line.trim() !== "")
  return lines.find((line) => /^(?:E:|npm error|npm ERR!)/.test(line)) ?? lines.at(-1) ?? ""
}

/** Runs a command; what went wrong comes out as one sentence that names the way out. */
export const command = async (name, args, cwd) => {
  try {
    const { stdout } = await execute(name, args, { cwd, maxBuffer: 64 * 1024 * 1024 })
    return stdout
  } catch (error) {
    if (error.code === "ENOENT") throw new Error(`\`${name}\` is not installed: install it and run the bench again`)
    const output = firstSentence(`${error.stderr ?? ""}`)
    throw new Error(`\`${name} ${args[0]}\` failed: ${output === "" ? error.message : output}`, { cause: error })
  }
}

/** A folder that is there with all that `fill` puts into it, or not at all. */
export const filledFolder = async (target, fill) => {
  const folder = mkdtempSync(`${target}.`)
  try {
    await fill(folder)
    renameSync(folder, target)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}
