import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { excerpt, span } from "../../languages/tree/excerpt.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { isFolder, mayEndWithSeparator, pathAt } from "./pathValues.ts"
import { type PrefixTest, prefixTests } from "./prefixForms.ts"
import { conditionText, rejectsOthers } from "./rejections.ts"
import type { RuleId } from "./rules.ts"

/** Code that looks for `..` or at the way from one path to the other, or that asks another check as well. */
const byParts =
  /\bis_?(?:[Ss]afe|[Ww]ithin|[Ii]nside|[Ss]ub|[Aa]llowed|[Cc]ontained)\w*\(|\brelative\(|relpath|relative_to|relativize|relative_path|commonpath|GetRelativePath|\.Rel\(|IsLocal|["'`]\.\.["'`/]/
/** Code that looks at what comes behind the prefix: in the same condition, and anywhere in the function. */
const behind = /\bsep\b|separator|["'`]\/["'`]|endsWith\(|endswith\(|HasSuffix/i
const nextCharacter = /charAt\(\s*[\w$.]+\.length|\[[\w$.]+\.length\]|\[len\([\w.]+\)\]|endsWith\(|endswith\(|HasSuffix/
const comments = /\/\/[^\n]*|\n[ \t]*#[^\n]*/g
/** Code that resolves a path somewhere, though not seen where it is compared. */
const resolving =
  /realpath|abspath|normpath|resolve\(|Canonical|normalize|GetFullPath|expand_path|cleanpath|secure_filename|basename/i

type Weakness = keyof typeof messages

/** What a test of the form leaves open, or null where it holds what it is meant to hold. */
const weaknessOf = (file: SourceFile, { value, prefix }: PrefixTest): Weakness | null => {
  if (!isFolder(file, prefix)) return null
  const path = pathAt(file, value)
  if (path === "joined") return "prefix_of_joined_path"
  return path === "resolved" && !mayEndWithSeparator(file, prefix) ? "prefix_without_separator" : null
}

/** Whether the code around decides by more than the prefix; the text of a function is searched once for each rule. */
class Surroundings {
  private readonly known = new Map<string, boolean>()
  private readonly file: SourceFile

  constructor(file: SourceFile) {
    this.file = file
  }

  areExact(test: PrefixTest, rule: Weakness): boolean {
    const tree = this.file.tree!
    if (rule === "prefix_without_separator" && behind.test(conditionText(tree, test.node))) return true
    const owner = enclosingFunction(this.file, test.node)
    if (owner === null) return false
    const key = `${rule} ${owner.node}`
    const found = this.known.get(key) ?? this.search(tree.textOf(owner.body === NONE ? owner.node : owner.body), rule)
    this.known.set(key, found)
    return found
  }

  private search(body: string, rule: Weakness): boolean {
    const text = body.replace(comments, "")
    return byParts.test(text) || (rule === "prefix_of_joined_path" ? resolving : nextCharacter).test(text)
  }
}

const messages = {
  prefix_of_joined_path: (test: string, folder: string, path: string) =>
    `${test} holds for every way out of ${folder}: ${path} is joined and not resolved, and \`/srv/files/../keys\` begins with \`/srv/files\`.`,
  prefix_without_separator: (test: string, folder: string) =>
    `${test} holds for folders beside ${folder}, too, whose names begin with the same text: \`/srv/files-old\` begins with \`/srv/files\`.`
}

/** Guards that take a path for one inside of a folder because its text begins with the folder's. */
export const inspectPrefixTests = (file: SourceFile, emit: Emit<RuleId>): void => {
  const surroundings = new Surroundings(file)
  for (const test of prefixTests(file)) {
    const rule = weaknessOf(file, test)
    if (rule === null || !rejectsOthers(file, test.node, test.isNegated) || surroundings.areExact(test, rule)) continue
    const tree = file.tree!
    const folder = excerpt(tree, test.prefix)
    emit({
      rule,
      ...span(tree, test.node),
      message: messages[rule](excerpt(tree, test.node), folder, excerpt(tree, test.value)),
      noun: folder,
      identifiers: []
    })
  }
}
