import { CODE, TEMPLATE } from "../../values/Value.ts"
import { CALLED, RUN, TEMPLATES } from "../labels.ts"
import type { Model } from "../Model.ts"

export const code: Model = {
  name: "code",
  mentions:
    /\b(?:eval|assert|create_function|call_user_func|call_user_func_array|array_map|register_shutdown_function)\s*\(|->createTemplate\(|\bBlade::|\bpreg_replace\s*\(\s*['"][^'"\n]{1,80}e[a-z]?['"]|\bpreg_replace\s*\([^,\n]{0,80}\.\s*['"][/#~]\w*e\w*['"]|\$\w+(?:\[[^\]\n]{0,40}\])?\(/,
  sinks: [
    { kind: CODE, label: RUN, path: /^\\?(?:eval|assert)$/, args: [0] },
    { kind: CODE, label: RUN, path: /^\\?create_function$/, args: [0, 1] },
    {
      kind: CODE,
      label: RUN,
      path: /^\\?preg_replace$/,
      args: [1],
      when: ({ literal, argument }) =>
        /^([/#~|!@%]).*\1[a-zA-Z]*e[a-zA-Z]*$/s.test(literal(0) ?? "") ||
        /\.\s*["'][/#~][a-zA-Z]*e[a-zA-Z]*["']$/.test(argument(0))
    },
    {
      kind: CODE,
      label: CALLED,
      path: /^\\?(?:call_user_func|call_user_func_array|array_map|register_shutdown_function)$/,
      args: [0]
    },
    { kind: CODE, label: CALLED, path: /^\$\(\)$/, args: [0], text: /^\u0000$/ },
    {
      kind: TEMPLATE,
      label: TEMPLATES,
      path: /(?:Twig\\Environment|Twig_Environment)(?:\(\))?\.createTemplate$|(?:^|\.)createTemplate$/,
      args: [0]
    },
    { kind: TEMPLATE, label: TEMPLATES, path: /(?:^|\\)Blade\.(?:render|compileString)$/, args: [0] }
  ]
}
