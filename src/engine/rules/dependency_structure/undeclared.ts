import { builtinModules } from "node:module"
import { type EmitAt, type Project, type Step } from "../../core/tool/AuditTool.ts"
import { DEFERRED, OPTIONAL, TYPE_ONLY } from "../../structure/importGraph/ImportFacts.ts"
import type { External, ImportGraph } from "../../structure/importGraph/ImportGraph.ts"
import { packagesAbove } from "../../structure/importGraph/packages.ts"
import { distributionsOf, pythonBuiltins } from "./pythonNames.ts"
import type { RuleId } from "./rules.ts"

const builtins = new Set(builtinModules.map((name) => name.split("/", 1)[0]!))

/** Provided by the program that runs the code, or made up by a build tool. */
const provided =
  /^(?:vscode|electron|bun|deno|k6|aws-sdk|@aws-sdk\/.*|aws-lambda|@theme|@theme-.*|@site|@generated|@docusaurus\/.*|@ember\/.*|@glimmer\/.*|ember|meteor|virtual|figma|obsidian|photoshop|uxp|atom|zx|rxjs\/operators|react-native-.*|@babel\/runtime|regenerator-runtime|tslib|@swc\/helpers|csstype|type-fest|estree|unist|hast|mdast|node|sourcemap-codec|SharedTypes|process|buffer)$/

/** Registries take no capitals: such a name is an alias. */
const isPackageName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/

interface Group {
  readonly externals: Array<External>
}

const reportGroup = (
  graph: ImportGraph,
  name: string,
  where: string,
  rule: RuleId,
  advice: string,
  { externals }: Group,
  emit: EmitAt<RuleId>
): void => {
  const first = externals[0]!
  const files = new Set(externals.map(({ node }) => node)).size
  const count = files === 1 ? "" : ` It is imported in ${files} files.`
  const steps = externals.slice(1, 10).map(
    ({ node, fact }): Step => ({
      path: graph.paths[node]!,
      start: fact.start,
      end: fact.end,
      note: "imported here too"
    })
  )
  emit(graph.paths[first.node]!, {
    rule,
    start: first.fact.start,
    end: first.fact.end,
    message: `\`${name}\` is imported here, but ${where}.${count} ${advice}`,
    steps,
    identifiers: [name]
  })
}

const declaresIt = (declared: ReadonlySet<string>, name: string): boolean => {
  const types = `@types/${name.startsWith("@") ? name.slice(1).replace("/", "__") : name}`
  return declared.has(name) || declared.has(types)
}

/** Packages that a JavaScript file imports although no package.json above it declares them. */
export const reportUndeclaredPackages = (graph: ImportGraph, emit: EmitAt<RuleId>): void => {
  const { packages } = graph.scripts
  const groups = new Map<string, Group & { readonly name: string; readonly manifest: string }>()
  for (const external of graph.externals) {
    const { node, name, fact } = external
    const path = graph.paths[node]!
    if (!/(?<!\.d)\.[cm]?[jt]sx?$/.test(path) || (fact.flags & (TYPE_ONLY | OPTIONAL)) !== 0) continue
    if (builtins.has(name) || provided.test(name) || !isPackageName.test(name)) continue
    const above = packagesAbove(packages, path)
    const nearest = above.find(({ declared }) => declared.size > 0)
    if (nearest === undefined || above.some((one) => declaresIt(one.declared, name) || one.name === name)) continue
    // A package of a family that the project depends on as a whole brings its parts along.
    if (isEmberLike(nearest.declared) || isConfiguration(path)) continue
    const manifest = nearest.folder === "" ? "package.json" : `${nearest.folder}/package.json`
    const key = `${manifest}\n${name}`
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { externals: [external], name, manifest })
    else known.externals.push(external)
  }
  for (const group of groups.values()) {
    // A call inside a function may be for those who have the package.
    if (group.externals.every(({ fact }) => (fact.flags & DEFERRED) !== 0)) continue
    const advice = "It works only as long as another package happens to install it; add it to the dependencies."
    reportGroup(
      graph,
      group.name,
      `\`${group.manifest}\` does not declare it`,
      "undeclared_dependency",
      advice,
      group,
      emit
    )
  }
}

const isEmberLike = (declared: ReadonlySet<string>): boolean =>
  declared.has("ember-source") || declared.has("ember-cli") || declared.has("meteor-node-stubs")

/** Build and editor settings are run by tools that bring their own packages; templates become someone else's project. */
const isConfiguration = (path: string): boolean =>
  /(?:^|\/)(?:[\w.-]+\.config(?:\.\w+)?\.[cm]?[jt]s|\.[\w-]+rc\.[cm]?js|(?:gulpfile|Gruntfile|webpack[\w.-]*|rollup[\w.-]*|karma[\w.-]*)\.[cm]?[jt]s)$|(?:^|\/)(?:scripts?|tools?|build|config|templates?|samples?|sample-apps|boilerplates?|scaffolds?|\.storybook|\.[\w-]+)\//i.test(
    path
  )

const manifestNames = /(?:^|\/)(?:pyproject\.toml|setup\.py|setup\.cfg|Pipfile|requirements[\w.-]*\.txt)$/

const normalised = (text: string): string => text.toLowerCase().replace(/[_.]+/g, "-")

/** Distributions that a Python file imports although none of the project's manifests names them. */
export const reportUndeclaredDistributions = (graph: ImportGraph, project: Project, emit: EmitAt<RuleId>): void => {
  const manifests = project.files.filter(({ path }) => manifestNames.test(path)).map(({ path }) => path)
  const texts = manifests.map((path) => project.manifest(path) ?? "")
  const text = normalised(texts.join("\n"))
  if (
    !/(?:^|\n)(?:[a-z0-9][a-z0-9-]*(?:\[[^\]\n]*\])?[ \t]*(?:[=<>~!]=|[<>]))|install-requires|(?:^|\n)dependencies[ \t]*=|tool-poetry-dependencies/.test(
      text
    )
  )
    return
  // A list that is put together by code elsewhere cannot be read here.
  if (/install-requires\s*=\s*(?!\[|\n)/.test(text) && !manifests.some((path) => /requirements|pyproject/.test(path)))
    return
  const groups = new Map<string, Group>()
  const isNeeded = neededFiles(graph)
  for (const external of graph.externals) {
    const { node, name, fact } = external
    if (
      !graph.paths[node]!.endsWith(".py") ||
      isNeeded[node] === 0 ||
      (fact.flags & (TYPE_ONLY | OPTIONAL | DEFERRED)) !== 0
    )
      continue
    if (pythonBuiltins.has(name) || name.startsWith("_")) continue
    if (distributionsOf(name).some((distribution) => text.includes(distribution))) continue
    const known = groups.get(name)
    if (known === undefined) groups.set(name, { externals: [external] })
    else known.externals.push(external)
  }
  for (const [name, group] of groups) {
    const advice = "It is there only if something else installs it; declare it with the other dependencies."
    reportGroup(
      graph,
      name,
      "no dependency file of the project declares it",
      "undeclared_distribution",
      advice,
      group,
      emit
    )
  }
}

/** Files that others load without asking: plugins and scripts are for those who have what they need. */
const neededFiles = (graph: ImportGraph): Uint8Array => {
  const needed = new Uint8Array(graph.paths.length)
  graph.targets.forEach((target, edge) => {
    if ((graph.flags[edge]! & (TYPE_ONLY | OPTIONAL | DEFERRED)) === 0) needed[target] = 1
  })
  return needed
}
