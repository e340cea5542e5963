import type { RuleLanguage } from "../../core/tool/AuditTool.ts"
import { csharp } from "./csharp.ts"
import { go } from "./go.ts"
import { java } from "./java.ts"
import { javascript } from "./javascript.ts"
import type { Model } from "./Model.ts"
import { php } from "./php.ts"
import { python } from "./python.ts"
import { ruby } from "./ruby.ts"

/** The models of each language: one per framework, library or part of its own library. */
export const models: Partial<Record<RuleLanguage, ReadonlyArray<Model>>> = {
  csharp,
  go,
  java,
  javascript,
  php,
  python,
  ruby
}
