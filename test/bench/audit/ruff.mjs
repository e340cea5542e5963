import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

/** The families of rules that are about bugs and security. */
export const ruffRules = "F,B,S,PLE,ASYNC,DTZ"

const version = "0.17.6"
const folder = fileURLToPath(new URL(`../node_modules/.ruff-${version}`, import.meta.url))

const works = (program) => spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0

/** The native program that people run, from PyPI; undefined where neither it nor pip is at hand. */
export const nativeRuff = () => {
  const installed = `${folder}/bin/ruff`
  if (works(installed)) return installed
  spawnSync("python3", ["-m", "pip", "install", "--quiet", `--target=${folder}`, `ruff==${version}`], {
    stdio: "ignore"
  })
  return [installed, "ruff"].find(works)
}
