import { filled, type WorstCase } from "../../support/worstCase.ts"

const of = (rule: string, path: string, unit: string, around: readonly [string, string] = ["", ""]): WorstCase => ({
  rules: [rule],
  path,
  text: (size) => filled(size, unit, around)
})

export const worstCases: ReadonlyArray<WorstCase> = [
  of("undocumented_variable", "a.js", "process.env.AAAA "),
  of("undocumented_variable", "a.js", "process.env.A".padEnd(90, "A")),
  of("undocumented_variable", "a.js", "A", ["process.env.", ""]),
  of("undocumented_variable", "a.py", "os.environ.get( "),
  of("undocumented_variable", "a.php", "env('A"),
  of("undocumented_variable", "a.rb", " ", ["", "ENV['AAA']"]),
  of("undocumented_variable", "a.cs", 'Environment.GetEnvironmentVariable("AA")\n'),
  of("committed_env_file", ".env", "API_KEY=0a1b2c3d4e5f\n"),
  of("committed_env_file", ".env", `A_SECRET${" ".repeat(4_000)}\n`),
  of("committed_env_file", ".env", `A_SECRET="${"x$".repeat(2_000)}\n`),
  of("tracked_artefact", ".gitignore", "*.pyc\n")
]
