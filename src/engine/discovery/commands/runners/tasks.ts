import type { Parameter, Recipe } from "./Recipe.ts"

interface Task extends Recipe {
  readonly body: Array<string>
  readonly parameters: Array<Parameter>
  isInternal: boolean
  /** Runs in another folder than that of its file. */
  isElsewhere: boolean
}

const headOfTask = /^ {2}["']?([a-z][\w:.-]{0,40})["']?:\s*(?:["']?(\S.*?)["']?)?$/
const commandOfTask = /^ {4,}(?:-\s+(?:cmd:\s*)?|cmd:\s*)(?![\w-]+:\s)/
const listedVariable = /^\s*(?:-\s*(?:name:\s*)?)?([A-Za-z_]\w*)\s*$/

const commandIn = (line: string): string =>
  line
    .trim()
    .replace(/^(?:-\s+)?(?:cmd:\s*)?/, "")
    .replace(/^["']|["']$/g, "")

/** A reader of the tasks of a Taskfile, line by line. */
class TaskReader {
  readonly found: Array<Task> = []
  private isInside = false
  /** Below `requires:`, up to the next key of the task. */
  private isRequiring = false

  read(line: string, number: number): void {
    if (/^\S/.test(line)) this.isInside = /^tasks:/.test(line)
    const head = this.isInside ? headOfTask.exec(line) : null
    const task = this.found.at(-1)
    if (head !== null) this.begin(head, number)
    else if (this.isInside && task !== undefined) this.line(line, task)
  }

  private begin([, name, command]: RegExpExecArray, line: number): void {
    this.isRequiring = false
    const body = command === undefined ? [] : [command]
    this.found.push({ name: name!, line, body, parameters: [], isInternal: false, isElsewhere: false })
  }

  private line(line: string, task: Task): void {
    const key = /^ {4}([a-z]\w*):/.exec(line)?.[1]
    if (key !== undefined) this.isRequiring = key === "requires"
    if (key === "dir") task.isElsewhere = true
    if (/^ {4}internal:\s*true\b/.test(line)) task.isInternal = true
    if (this.isRequiring) this.require(line, task)
    else if (commandOfTask.test(line)) task.body.push(commandIn(line))
  }

  private require(line: string, { parameters }: Task): void {
    const listed = /\bvars:\s*\[([^\]]{0,200})\]/.exec(line)?.[1]?.split(",") ?? [line]
    for (const one of listed) {
      const name = listedVariable.exec(one)?.[1]
      if (name !== undefined) parameters.push({ name, isRequired: true })
    }
  }
}

/** Tasks of a Taskfile that can be asked for, with the variables that each requires. */
export const tasksIn = (text: string): ReadonlyArray<Recipe> => {
  const reader = new TaskReader()
  for (const [index, line] of text.split("\n").entries()) reader.read(line, index + 1)
  return reader.found
    .filter(({ isInternal }) => !isInternal)
    .map(({ isInternal: _, isElsewhere, ...task }) => (isElsewhere ? task : { ...task, runs: task.body }))
}
