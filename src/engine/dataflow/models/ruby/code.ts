import { RECEIVER } from "../../TaintLanguage.ts"
import { CODE, TEMPLATE } from "../../values/Value.ts"
import { CALLED, MODULE, RUN, TEMPLATES } from "../labels.ts"
import type { Model } from "../Model.ts"

export const code: Model = {
  name: "code",
  sinks: [
    {
      kind: CODE,
      label: RUN,
      path: /^(?:Kernel\.)?eval$|(?:^|\.)(?:instance_eval|class_eval|module_eval)$|^binding(?:\(\))?\.eval$|^RubyVM::InstructionSequence\.compile$/,
      args: [0]
    },
    // Most code looks at what kind of class it got; to make one at once leaves no room for that.
    {
      kind: CODE,
      label: MODULE,
      path: /\.new$/,
      args: [RECEIVER],
      when: ({ receiver }) =>
        /\.(?:safe_)?constantize(?:\(\))?$|\bconst_get\([^()]*(?:\([^()]*\))?[^()]*\)$/.test(receiver)
    },
    { kind: CODE, label: MODULE, path: /^(?:Kernel\.)?(?:require|load|require_relative)$/, args: [0] },
    {
      kind: CODE,
      label: CALLED,
      path: /(?:^|\.)(?:send|public_send|__send__)$/,
      args: [0],
      // A fixed beginning or end leaves only methods that were made for it.
      text: /^\u0000$/
    },
    {
      kind: TEMPLATE,
      label: TEMPLATES,
      path: /^(?:ERB\.new|Erubi::Engine\.new|Erubis::Eruby\.new|Haml::(?:Engine|Template)\.new|Slim::Template\.new|Tilt\.new)$/,
      args: [0]
    },
    { kind: TEMPLATE, label: TEMPLATES, path: /^render$/, args: [], named: ["inline"] }
  ]
}
