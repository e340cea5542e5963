import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { measured } from "./measured.mjs"

/** Where peers are installed on demand, outside of the project; kept for the next run. */
const folder = join(tmpdir(), "assay-bench-peers")
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

const INSTALL_MS = 180_000
/** What takes longer than this is left out. */
const limit = { limitMs: 90_000 }
const run = (command, args, options = {}) =>
  spawnSync(command, args, { stdio: "ignore", timeout: INSTALL_MS, ...options }).status === 0

/** A program of a package on PyPI, in a virtual environment of its own; null where it cannot be installed. */
const python = (name, version) => {
  const home = join(folder, `${name}-${version}`)
  const program = join(home, "bin", name)
  if (existsSync(program)) return program
  const isMade = run("python3", ["-m", "venv", home])
  return isMade && run(join(home, "bin/pip"), ["install", "--quiet", `${name}==${version}`]) ? program : null
}

const GOSEC = "v2.22.0"
const gosec = () => {
  const home = join(folder, `gosec-${GOSEC}`)
  const program = join(home, "gosec")
  if (existsSync(program)) return program
  const env = { ...process.env, GOBIN: home }
  return run("go", ["install", `github.com/securego/gosec/v2/cmd/gosec@${GOSEC}`], { env }) ? program : null
}

const eslintPackages = {
  eslint: "9.39.1",
  "eslint-plugin-sonarjs": "3.0.5",
  "eslint-plugin-security": "3.0.1",
  "typescript-eslint": "8.46.4",
  typescript: "5.9.3"
}
const eslintConfiguration = `import sonarjs from "eslint-plugin-sonarjs"
import security from "eslint-plugin-security"
import tseslint from "typescript-eslint"
export default [
  { files: ["**/*.{js,mjs,cjs,jsx,ts,tsx}"], languageOptions: { parser: tseslint.parser } },
  sonarjs.configs.recommended,
  security.configs.recommended
]
`
const eslint = () => {
  const home = join(folder, `eslint-${eslintPackages.eslint}`)
  const program = join(home, "node_modules/eslint/bin/eslint.js")
  if (existsSync(program)) return program
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, "package.json"), JSON.stringify({ private: true, dependencies: eslintPackages }))
  writeFileSync(join(home, "eslint.config.mjs"), eslintConfiguration)
  const options = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps"]
  return run("npm", options, { cwd: home }) ? program : null
}

/** The families of ruff's rules that are about bugs and security. */
const ruffRules = "F,B,S,PLE,ASYNC,DTZ"
const javascript = /\.[cm]?[jt]sx?$/

/**
 * Tools that people run on the same files. `install` gives what `audit` needs, or null; `audit` gives the cost, the number
 * of diagnostics, and of the files that the tool says it read.
 */
export const peers = [
  {
    name: "oxlint 1.85 (correctness, suspicious)",
    pattern: javascript,
    install: () => path("../node_modules/.bin/oxlint"),
    audit: async (program, { target }, workers) => {
      const args = [
        "-c",
        path("oxlint.json"),
        "--disable-nested-config",
        `--threads=${workers}`,
        "--format=json",
        target
      ]
      const cost = await measured(program, args, limit)
      const { diagnostics, number_of_files: files } = JSON.parse(cost.output)
      return { ...cost, found: diagnostics.length, files }
    }
  },
  {
    name: "eslint 9 (sonarjs, security)",
    pattern: javascript,
    install: eslint,
    audit: async (program, { target }) => {
      const config = join(program, "../../../../eslint.config.mjs")
      const args = [program, "-c", config, "--no-config-lookup", "--format=json", target]
      const cost = await measured(process.execPath, args, { ...limit, cwd: target })
      const results = JSON.parse(cost.output)
      return { ...cost, found: results.flatMap(({ messages }) => messages).length, files: results.length }
    }
  },
  {
    name: `ruff 0.17.6 (${ruffRules})`,
    pattern: /\.py$/,
    install: () => python("ruff", "0.17.6"),
    audit: async (program, { target, files }, workers) => {
      const env = { ...process.env, RAYON_NUM_THREADS: String(workers) }
      const args = ["check", "--isolated", "--no-cache", "--exit-zero", `--select=${ruffRules}`]
      const cost = await measured(program, [...args, "--output-format=json", ...files], { ...limit, env })
      const listed = await measured(program, ["check", "--isolated", "--show-files", target])
      return { ...cost, found: JSON.parse(cost.output).length, files: listed.output.trim().split("\n").length }
    }
  },
  {
    name: "bandit 1.8.6",
    pattern: /\.py$/,
    install: () => python("bandit", "1.8.6"),
    audit: async (program, { target }) => {
      const cost = await measured(program, ["--quiet", "--exit-zero", "-r", "-f", "json", target], limit)
      const { results, metrics } = JSON.parse(cost.output)
      return { ...cost, found: results.length, files: Object.keys(metrics).filter((name) => name !== "_totals").length }
    }
  },
  {
    name: `gosec ${GOSEC}`,
    pattern: /\.go$/,
    install: gosec,
    audit: async (program, { target }, workers) => {
      writeFileSync(join(target, "go.mod"), "module generated\n\ngo 1.22\n")
      const args = ["-quiet", "-no-fail", "-fmt=json", `-concurrency=${workers}`, "./..."]
      const cost = await measured(program, args, { ...limit, cwd: target })
      const { Issues, Stats } = JSON.parse(cost.output)
      return { ...cost, found: (Issues ?? []).length, files: Stats.files }
    }
  }
]

/** What is beside us in no run, and why. */
export const leftOut = [
  "semgrep is left out: it has no rules of its own and fetches them from its registry, so it would run with none or with rules of ours."
]
