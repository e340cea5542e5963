import { CODE, TEMPLATE } from "../../values/Value.ts"
import { MODULE, RUN, TEMPLATES } from "../labels.ts"
import type { Model } from "../Model.ts"

export const code: Model = {
  name: "code",
  sinks: [
    { kind: CODE, label: RUN, path: /^CSharpScript\.(?:EvaluateAsync|RunAsync|Create)$/, args: [0] },
    { kind: CODE, label: RUN, path: /^(?:Jint\.)?Engine(?:\(\))?\.(?:Execute|Evaluate)$/, args: [0] },
    {
      kind: CODE,
      label: MODULE,
      path: /^Assembly\.(?:Load|LoadFrom|LoadFile|UnsafeLoadFrom)$|^Type\.GetType$|^Activator\.CreateInstance$/,
      args: [0]
    },
    {
      kind: TEMPLATE,
      label: TEMPLATES,
      path: /(?:Engine\.Razor|RazorEngine\w*(?:\(\))?)\.(?:RunCompile|Compile|Parse|CompileAsync)$|^(?:Scriban\.)?Template\.(?:Parse|ParseLiquid)$/,
      args: [0]
    }
  ]
}
