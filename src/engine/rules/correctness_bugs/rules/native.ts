import { type Rule, type RuleExample, type RuleLanguage } from "../../../core/tool/AuditTool.ts"
import { certain } from "./certain.ts"

export const both: ReadonlyArray<RuleLanguage> = ["c", "cpp"]

type NativeRule = Pick<Rule, "title" | "description" | "example" | "cwe"> & Partial<Rule>

/** Memory safety: what an attacker who controls the data makes of it. */
export const unsafe = (rule: NativeRule): Rule =>
  certain({ languages: both, category: "security", priority: "P1", confidence: 0.9, ...rule })

export const mistake = (rule: NativeRule): Rule => certain({ languages: both, ...rule })

/** The body of a function, wrong and right. */
export const body = (signature: string, bad: string, good: string): RuleExample => {
  const whole = (lines: string) => `${signature}\n{\n${lines.replace(/^/gm, "    ")}\n}\n`
  return { path: "src/program.c", bad: whole(bad), good: whole(good) }
}

export const cppBody = (signature: string, bad: string, good: string): RuleExample => ({
  ...body(signature, bad, good),
  path: "src/program.cc"
})
