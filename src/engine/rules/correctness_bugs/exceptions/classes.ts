import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"

/** A class of exceptions, as other files have to know it. */
export interface ExceptionClass {
  readonly name: string
  /** What it extends, without the modules before it. */
  readonly bases: ReadonlyArray<string>
  /** Its own constructor leaves something behind when the exception is dropped. */
  readonly acts: boolean
}

const classes = ["class_definition", "class_declaration", "class"]
const members = ["function_definition", "constructor_declaration", "method_declaration", "method_definition"]
const constructorName = /^(?:__init__|__construct|constructor)$/
/** What a constructor may do that stays when the exception is dropped. */
const effect =
  /\b(?:console|logs?|\w*logg(?:er|ing)|print\w*|warn\w*|report\w*|exit|abort|die|show\w*|display\w*|notify\w*|send\w*|alert|flash|write\w*|emit\w*|register\w*)\b[\w.]{0,40}\(/i
const errorName = /(?:Error|Exception)$/
const MAX_HEAD = 300
const MAX_BASES = 8

const basesOf = (tree: FlatTree, node: number, name: string): ReadonlyArray<string> => {
  const head = tree.textOf(node).slice(0, MAX_HEAD).split(/[:{]/, 1)[0]!
  const named = head.match(/[A-Za-z_]\w*/g) ?? []
  return named.filter((word) => word !== name && errorName.test(word)).slice(0, MAX_BASES)
}

const actsItself = (tree: FlatTree, node: number, name: string): boolean =>
  tree.within(node, ...members).some((member) => {
    const called = tree.textOf(tree.child(member, "name"))
    return (constructorName.test(called) || called === name) && effect.test(tree.textOf(tree.child(member, "body")))
  })

/** The exceptions that a file declares. */
export const exceptionClassesIn = (tree: FlatTree): ReadonlyArray<ExceptionClass> =>
  [...tree.of(...classes)].flatMap((node) => {
    const given = tree.child(node, "name")
    const name = given === NONE ? "" : tree.textOf(given)
    return errorName.test(name) ? [{ name, bases: basesOf(tree, node, name), acts: actsItself(tree, node, name) }] : []
  })

/** Names of exceptions that to create is to log or to end the program, by their own constructors or by those that they inherit. */
export const actingNames = (declared: ReadonlyArray<ExceptionClass>): ReadonlySet<string> => {
  const acting = new Set(declared.flatMap(({ name, acts }) => (acts ? [name] : [])))
  for (let before = -1; before < acting.size; ) {
    before = acting.size
    for (const { name, bases } of declared) if (bases.some((base) => acting.has(base))) acting.add(name)
  }
  return acting
}
