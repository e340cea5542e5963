import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  import_cycle: {
    languages: ["javascript", "python", "ruby"],
    title: "Files import each other in a circle",
    description:
      "Whichever file of the circle is loaded first sees another one half-made: names that are undefined or missing, " +
      "depending on who imports whom first, and a change of import order breaks it. None of the files can be tested " +
      "or reused alone. Move what both sides need to a file of its own, or hand it over as an argument.",
    cwe: [1047],
    confidence: 0.92,
    effort: "medium",
    risk: "medium"
  },
  package_cycle: {
    languages: ["java"],
    title: "Packages depend on each other",
    description:
      "Packages in a circle can only be understood, changed and released together, so they are one package in " +
      "several folders. Move the shared types to a package below both, or turn one direction around with an interface.",
    cwe: [1047],
    confidence: 0.9,
    effort: "large",
    risk: "medium",
    kind: "advisory",
    priority: "P3"
  },
  undeclared_dependency: {
    languages: ["javascript"],
    title: "Package is imported but not declared",
    description:
      "The import works by chance, because some other package installs this one. It breaks when that package changes, " +
      "with a strict package manager, and in production installs, and nothing pins the version. Add it to the " +
      "dependencies of the package.json that belongs to this file.",
    cwe: [1357],
    confidence: 0.6,
    effort: "small",
    risk: "low"
  },
  undeclared_distribution: {
    languages: ["python"],
    title: "Python package is imported but not declared",
    description:
      "No dependency file of the project names a distribution for this module, so a fresh environment may lack it or " +
      "get any version of it. Declare it where the other dependencies are.",
    cwe: [1357],
    confidence: 0.75,
    effort: "small",
    risk: "low",
    kind: "advisory"
  },
  layer_inversion: {
    languages: ["javascript"],
    title: "Inner layer imports from an outer one",
    description:
      "The folders of this project build on each other in one direction, and this import goes against it, so the inner " +
      "code can no longer be used or tested without the outer. Pass what is needed as an argument, or move it inwards.",
    cwe: [1061],
    confidence: 0.75,
    effort: "medium",
    risk: "medium",
    kind: "advisory",
    priority: "P3"
  },
  hub_module: {
    languages: ["javascript"],
    title: "Module is both used by and dependent on very many others",
    description:
      "A module that much depends on should itself depend on little, or every change travels through it. Split it along " +
      "what its importers use: usually a small stable part that all need, and parts that few need.",
    cwe: [1047],
    confidence: 0.8,
    effort: "large",
    risk: "medium",
    kind: "advisory",
    priority: "P3"
  }
})

export type RuleId = keyof typeof rules
