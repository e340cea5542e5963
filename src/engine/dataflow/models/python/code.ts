import { CODE, TEMPLATE } from "../../values/Value.ts"
import { MODULE, RUN, TEMPLATES } from "../labels.ts"
import type { Model } from "../Model.ts"

export const code: Model = {
  name: "code",
  mentions: /\b(?:eval|exec|compile|__import__|import_module|render_template_string|from_string|Template)\(/,
  sinks: [
    { kind: CODE, label: RUN, path: /^(?:builtins\.|__builtins__\.)?(?:eval|exec|compile|execfile)$/, args: [0] },
    {
      kind: CODE,
      label: RUN,
      path: /^(?:code\.InteractiveInterpreter\(\)\.runsource|timeit\.timeit|pandas\.eval|numexpr\.evaluate|sympy\.sympify)$/,
      args: [0]
    },
    { kind: CODE, label: MODULE, path: /^(?:__import__|importlib\.import_module|importlib\.__import__)$/, args: [0] },
    {
      kind: TEMPLATE,
      label: TEMPLATES,
      path: /^(?:flask|quart)(?:\.templating)?\.render_template_string$|^(?:jinja2(?:\.sandbox)?|jinja2\.environment|mako\.template|tornado\.template|django\.template|bottle)\.(?:Template|SimpleTemplate|template)$|^jinja2\.(?:Environment(?:\(\))?|environment\.Environment(?:\(\))?)\.from_string$|^django\.template\.(?:engines\.\w+|Engine(?:\(\))?)\.from_string$/,
      args: [0],
      named: ["source"]
    }
  ],
  sanitizers: [
    // A literal of Python, whatever the text holds.
    { path: /^(?:repr|ascii)$/, kinds: CODE }
  ]
}
