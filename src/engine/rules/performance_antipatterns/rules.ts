import { ruleSet } from "../../core/tool/AuditTool.ts"

const small = { effort: "small", risk: "low" } as const

export const rules = ruleSet({
  copied_accumulator: {
    languages: ["javascript", "python"],
    title: "Result so far is copied for each element",
    description:
      "Each round copies everything collected before it, so the work grows with the square of the number of elements: ten " +
      "thousand of them are fifty million copies. Add to the one result (`push`, `append`, setting a key), or build it with " +
      "`map`, `flatMap` or `Object.fromEntries`.",
    cwe: [407],
    confidence: 0.65,
    priority: "P3",
    ...small
  },
  sync_in_handler: {
    languages: ["javascript"],
    title: "Request handler blocks the whole server",
    description:
      "Node runs all requests on one thread, and a synchronous read, process or key derivation stops every one of them until " +
      "it is done. Use the asynchronous form and await it, or do the work once at start.",
    cwe: [1050],
    confidence: 0.86,
    priority: "P2",
    ...small
  },
  string_built_in_loop: {
    languages: ["csharp", "go", "java"],
    title: "Text is built by adding to a string in a loop",
    description:
      "Strings cannot be changed, so every round copies the text so far into a new one, and the work grows with the square of " +
      "its length. Collect it in a `StringBuilder` (`strings.Builder`), or join a list at the end.",
    cwe: [1046],
    confidence: 0.65,
    priority: "P3",
    ...small
  },
  regex_in_loop: {
    languages: ["csharp", "go", "java", "rust"],
    title: "Regular expression is compiled in each round of a loop",
    description:
      "Compiling costs many times what matching does, and the pattern is the same each time. Compile it once, in a variable " +
      "of the package or a static field.",
    cwe: [1050],
    confidence: 0.88,
    priority: "P3",
    ...small
  },
  json_clone_in_loop: {
    languages: ["javascript"],
    title: "Objects are copied through JSON in a loop",
    description:
      "Writing an object as text and reading it again is the slowest way to copy it, and dates, undefined and maps do not " +
      "survive. Use `structuredClone`, or copy the parts that change.",
    cwe: [1050],
    confidence: 0.65,
    priority: "P3",
    ...small
  },
  list_head_in_loop: {
    languages: ["python"],
    title: "First element of a list is taken in a loop",
    description:
      "A list moves all its elements when the first is removed, so the loop takes time with the square of the length. " +
      "Use `collections.deque`, or go through the list in the other direction.",
    cwe: [407],
    confidence: 0.6,
    priority: "P3",
    ...small
  },
  filtered_to_find_one: {
    languages: ["csharp", "javascript"],
    title: "All elements are filtered to look at one",
    description:
      "The whole collection is gone through and a new one made, when the first match would have answered. Use `some` or `find` " +
      "(`Any`, `FirstOrDefault`), which stop there.",
    cwe: [1050],
    confidence: 0.66,
    priority: "P3",
    ...small
  },
  map_searched_by_key: {
    languages: ["java"],
    title: "Loop over keys looks each value up again",
    description:
      "The entry is at hand when its key is, and looking it up again costs a hash and a comparison each round. Go through " +
      "`entrySet()`.",
    cwe: [1050],
    confidence: 0.65,
    priority: "P3",
    ...small
  }
})

export type RuleId = keyof typeof rules
