import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from "yaml"
import { clip } from "../Observed.ts"
import { resolvedPath, type Survey } from "../Survey.ts"
import type { Command, Purpose } from "./Command.ts"
import { joinedBuilds, preparesMake } from "./halves.ts"
import { withoutArguments } from "./sentences/arguments.ts"
import { narrowed } from "./tests/narrowed.ts"
import { partsOf, purposeOfLine } from "./words.ts"

const MAX_FILES = 40
/** Steps of one build are looked for among all of them. */
const MAX_STEPS = 2_000

interface Step {
  readonly text: string
  readonly line: number
  /** Null where it is known only when the step runs. */
  readonly folder: string | null
}

/** Actions that ship something; they are named where there is no line of shell. */
const releasing =
  /^(?:pypa\/gh-action-pypi-publish|goreleaser\/goreleaser-action|softprops\/action-gh-release|JS-DevTools\/npm-publish|changesets\/action|google-github-actions\/release-please-action|googleapis\/release-please-action|[\w.-]+\/[\w.-]*semantic-release[\w.-]*|ncipollo\/release-action|svenstaro\/upload-release-action|actions\/create-release|docker\/build-push-action|rubygems\/release-gem|release-drafter\/release-drafter|katyo\/publish-crates|crate-ci\/cargo-release|cargo-bins\/release-pr|release-plz\/action)@/

/** Actions that look at style, where there is no line of shell either. */
const linting =
  /^[\w.-]+\/[\w.-]*(?:clang-format|golangci-lint|ruff|black|flake8|pylint|eslint|rubocop|shellcheck|clippy|pre-?commit|phpcs|phpstan|psalm|super-linter|megalinter|hadolint|ktlint|swiftlint|cppcheck|cpplint|staticcheck|typos|stylua|luacheck|standardrb)[\w.-]*(?:\/[\w.-]+)?@|^pre-commit\/action@/

const scalarAt = (map: YAMLMap, key: string): string | null => {
  const value = map.get(key)
  return typeof value === "string" ? value : null
}

/** A task of a manifest of SourceHut has a name and its lines, and begins beside the checkout. */
const taskOf = (task: YAMLMap, lines: LineCounter, text: string): ReadonlyArray<Omit<Step, "folder">> => {
  const [first, ...rest] = linesOf(task.items[0]!.value as Node, lines, text)
  return first === undefined || /^cd [\w.-]+$/.test(first.text) ? rest : [first, ...rest]
}

const linesOf = (node: Node, lines: LineCounter, text: string): ReadonlyArray<Omit<Step, "folder">> => {
  if (isSeq(node)) return node.items.flatMap((item) => linesOf(item as Node, lines, text))
  if (isMap(node)) return node.items.length === 1 ? taskOf(node, lines, text) : []
  if (!isScalar(node) || typeof node.value !== "string" || node.range == null) return []
  const start = lines.linePos(node.range[0]).line
  if (node.type !== "BLOCK_LITERAL" && node.type !== "BLOCK_FOLDED") return [{ text: node.value, line: start }]
  // Lines that are folded are one, up to an empty one.
  if (node.type === "BLOCK_FOLDED")
    return node.value.split("\n").flatMap((one) => (one.trim() === "" ? [] : [{ text: one.trim(), line: start + 1 }]))
  const raw = text.slice(node.range[0], node.range[1]).split("\n").slice(1)
  const found: Array<{ text: string; line: number }> = []
  for (const [index, line] of raw.entries()) {
    const last = found.at(-1)
    if (last?.text.endsWith("\\")) last.text = `${last.text.slice(0, -1).trim()} ${line.trim()}`
    else found.push({ text: line.trim(), line: start + 1 + index })
  }
  return withoutArguments(found)
}

/** What an action is for; null for most. */
const actionPurpose = (action: string): "release" | "lint" | null =>
  releasing.test(action) ? "release" : linting.test(action) ? "lint" : null

/** Whether a step is an action that ships something. */
export const usesRelease = (step: string): boolean => step.startsWith("uses: ") && releasing.test(step.slice(6))

const leads = /^(?:cd|pushd)\s+(\S.*)$|^(popd)$/

/** Where a `cd` leads from a folder; null for what is no plain path. */
const below = (folder: string | null, written: string): string | null => {
  const plain = /^["']?([\w./-]+)["']?$/.exec(written)?.[1]
  return plain === undefined || folder === null || plain.startsWith("/") ? null : resolvedPath(folder, plain)
}

/** Lines of one shell: what stands below `cd part` is run there, until `cd -`. */
const withFolders = (lines: ReadonlyArray<Omit<Step, "folder">>, start: string): ReadonlyArray<Step> => {
  let folder: string | null = start
  let before: string | null = start
  return lines.map((line) => {
    const [, to, back] = leads.exec(line.text) ?? []
    if (to !== undefined && /&&|;/.test(to)) return { ...line, folder }
    const here = folder
    if (to === "-" || back !== undefined) [folder, before] = [before, folder]
    else if (to !== undefined) [folder, before] = [below(folder, to), folder]
    return { ...line, folder: here }
  })
}

const shellKeys = /^(?:run|script|command|before_script|install|before_install|tasks)$/
const MAX_DEPTH = 12

/** Folder that a step, a job or a workflow states for its shell. */
const folderOf = (node: YAMLMap): string | null => {
  const defaults = node.get("defaults")
  const run = isMap(defaults) ? defaults.get("run") : null
  return scalarAt(node, "working-directory") ?? (isMap(run) ? scalarAt(run, "working-directory") : null)
}

/** Begins with a program, where a word alone or a sub-command is for the action to understand. */
const isWholeCommand = ({ text }: Step): boolean =>
  /^[a-z./][\w./-]*\s/.test(text) && !/^(?:build|test|run|check|lint)\s/.test(text)

class StepReader {
  readonly found: Array<Step> = []
  private readonly text: string
  private readonly lines: LineCounter

  constructor(text: string, lines: LineCounter) {
    this.text = text
    this.lines = lines
  }

  visit(node: unknown, inherited: string, depth: number): void {
    if (depth > MAX_DEPTH) return
    if (isSeq(node)) for (const item of node.items) this.visit(item, inherited, depth + 1)
    if (!isMap(node)) return
    const folder = folderOf(node) ?? inherited
    const uses = scalarAt(node, "uses")
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : ""
      // What an action is given are its arguments, whatever they are called.
      if (name === "with" && uses !== null) this.takeArguments(uses, value, folder)
      else {
        this.take(name, value, folder)
        this.visit(value, folder, depth + 1)
      }
    }
  }

  /** An action that runs Cargo is given the sub-command and its arguments apart; others may be given lines of shell. */
  private takeArguments(uses: string, given: unknown, inherited: string): void {
    if (!isMap(given)) return
    const folder = folderOf(given) ?? inherited
    if (!/\/cargo@/.test(uses)) return this.takeLines(given, folder)
    const command = given.get("command", true)
    if (!isScalar(command) || command.range == null) return
    const text = `cargo ${command.value} ${scalarAt(given, "args") ?? ""}`.trim()
    this.found.push({ text, line: this.lines.linePos(command.range[0]).line, folder })
  }

  /** Not what is run on another machine, nor a sub-command whose arguments stand apart. */
  private takeLines(given: YAMLMap, folder: string): void {
    if (given.has("host") || given.has("args")) return
    for (const { key, value } of given.items)
      if (isScalar(key) && /^(?:run|script|commands?|cmd)$/.test(String(key.value)) && isScalar(value))
        this.found.push(...withFolders(linesOf(value as Node, this.lines, this.text), folder).filter(isWholeCommand))
  }

  private take(name: string, value: unknown, folder: string): void {
    if (shellKeys.test(name) && value !== null && !isMap(value))
      this.found.push(...withFolders(linesOf(value as Node, this.lines, this.text), folder))
    else if (name === "uses" && isScalar(value) && actionPurpose(String(value.value)) !== null && value.range != null)
      this.found.push({ text: `uses: ${value.value}`, line: this.lines.linePos(value.range[0]).line, folder })
  }
}

/** Every line of shell in a workflow, with the folder that it is run in. */
export const stepsIn = (text: string): ReadonlyArray<Step> => {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, logLevel: "silent", uniqueKeys: false })
  const reader = new StepReader(text, lines)
  reader.visit(document.contents, "", 0)
  return reader.found
}

/** A test that a formatter of Go lists no file. */
const isOfFormatter = /^(?:test|\[) -z ["']?\$\((?:gofmt|goimports) [^()$`|<>]{1,80}\)["']?(?: \])?$/

/** Plain enough to be typed: no expression, no substitution, no plumbing. */
const isPlain = (text: string): boolean =>
  isOfFormatter.test(text) ||
  (text.length <= 200 &&
    !/\$\{\{|\$\(|`|\\$|<<|[^-=]>|(?<!\|)\|(?!\|)|^(?:if|for|while|case|echo|export|#|cat|fi|done|else|then)\b/.test(
      text
    ))

const special: ReadonlySet<Purpose> = new Set(["test_file", "test_case", "run", "use"])

const plainFolder = (folder: string): string => (/\$/.test(folder) ? "" : folder.replace(/^\.\/?|\/+$/g, ""))

/** What a report is made of is run without that, too. */
const withoutReport = (text: string): string =>
  text.replace(
    /(?:\s+2>&1)?\s*\|\s*(?:tee|go2xunit|go-junit-report|gotestfmt|tap-\w+|xcpretty|xcbeautify|reviewdog)\b[^|]*$/,
    ""
  )

const commandOf = (survey: Survey, { text: stated, line, folder }: Step, path: string): ReadonlyArray<Command> => {
  if (folder === null) return []
  const text = withoutReport(stated)
  const common = { means: null, path, line, origin: "pipeline" } as const
  const action = text.startsWith("uses: ") ? actionPurpose(text.slice(6)) : null
  if (action !== null) return [{ ...common, folder: plainFolder(folder), purpose: action, command: text }]
  if (!isPlain(text)) return []
  let inside: string | null = plainFolder(folder)
  return partsOf(text).flatMap((part): ReadonlyArray<Command> => {
    const to = leads.exec(part)?.[1]
    if (to !== undefined) inside = below(inside, to)
    const purpose: Purpose | null = purposeOfLine(part)
    // A step that runs one test or starts a program does so for a reason of its own.
    if (inside === null || purpose === null || special.has(narrowed(purpose, part))) return []
    // What a step makes is not in a checkout.
    if (inside !== "" && inside !== plainFolder(folder) && !survey.hasFolder(inside)) return []
    return [{ ...common, folder: inside, purpose, command: clip(part, 160) }]
  })
}

export const pipelineFiles =
  /^\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$|^\.circleci\/config\.yml$|^\.gitlab-ci\.yml$|^\.travis\.yml$|^azure-pipelines\.yml$|^bitbucket-pipelines\.yml$|^\.cirrus\.yml$|^\.github\/actions\/(?:[\w.-]+\/){1,3}action\.ya?ml$|^\.build\.yml$|^\.builds\/[^/]+\.ya?ml$|^(?:publish|release)[\w-]*\.ya?ml$/

/** Steps of pipelines whose words say what they are for. */
export const pipelineCommands = (survey: Survey): ReadonlyArray<Command> =>
  survey
    .texts(pipelineFiles)
    .slice(0, MAX_FILES)
    .flatMap(({ path, text }) =>
      joinedBuilds(
        stepsIn(text)
          .slice(0, MAX_STEPS)
          .flatMap((step) => commandOf(survey, step, path)),
        preparesMake
      )
    )
