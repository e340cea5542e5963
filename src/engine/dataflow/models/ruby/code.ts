import { RECEIVER } from "../../TaintLanguage.ts"
import { CODE, TEMPLATE } from "../../values/Value.ts"
import { CALLED, MODULE, RUN, TEMPLATES } from "../labels.ts"
import type { Model } from "../Model.ts"

/** What kind of class was found decides what is done with it. */
const looksAtClass =
  /\s<=?\s*[A-Z]\w*|\.(?:ancestors|superclass|subclasses|descendants|instance_methods|reflect_on_\w+)\b|\b(?:include|in|respond_to|is_a|key)\?|\bconst(?:antize|_get\([^()]*\))\.new\b/

export const code: Model = {
  name: "code",
  sinks: [
    {
      kind: CODE,
      label: RUN,
      path: /^(?:Kernel\.)?eval$|(?:^|\.)(?:instance_eval|class_eval|module_eval)$|^binding(?:\(\))?\.eval$|^RubyVM::InstructionSequence\.compile$/,
      args: [0]
    },
    // To make one at once leaves no room to look at what kind of class it is.
    {
      kind: CODE,
      label: MODULE,
      path: /\.new$/,
      args: [RECEIVER],
      when: ({ receiver }) =>
        /\.(?:safe_)?constantize(?:\(\))?$|\bconst_get\([^()]*(?:\([^()]*\))?[^()]*\)$/.test(receiver)
    },
    {
      kind: CODE,
      label: MODULE,
      path: /\.(?:safe_)?constantize$/,
      args: [RECEIVER],
      // A fixed beginning leaves only the classes below it.
      text: /^\u0000$/,
      when: ({ around }) => !looksAtClass.test(around())
    },
    {
      kind: CODE,
      label: MODULE,
      path: /^(?:Object|Kernel)\.const_get$/,
      args: [0],
      text: /^\u0000$/,
      when: ({ around }) => !looksAtClass.test(around())
    },
    { kind: CODE, label: MODULE, path: /^(?:Kernel\.)?(?:require|load|require_relative)$/, args: [0] },
    {
      kind: CODE,
      label: CALLED,
      path: /(?:^|\.)(?:send|public_send|__send__|method|public_method)$/,
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
    // A symbol names a template, a text is one.
    {
      kind: TEMPLATE,
      label: TEMPLATES,
      path: /^(?:erb|haml|slim|erubi)$/,
      args: [0],
      when: ({ argument, file }) => /^require\s+["']sinatra|\bSinatra::/m.test(file()) && !/to_sym\b/.test(argument(0))
    },
    { kind: TEMPLATE, label: TEMPLATES, path: /^render$/, args: [], named: ["inline"] }
  ]
}
