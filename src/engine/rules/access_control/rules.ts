import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  unguarded_mutation: {
    languages: ["csharp", "java", "javascript", "python", "ruby"],
    title: "Route that changes data lacks the guard of its siblings",
    description:
      "Most routes of this router or controller that change data ask who the caller is, and this one does not: " +
      "usually it was added later and the guard forgotten, and then anyone can call it. Add the guard, or, where the " +
      "route is meant for everyone, say so in the code as the framework lets you.",
    cwe: [862],
    confidence: 0.66,
    effort: "small",
    risk: "medium"
  },
  unguarded_admin_route: {
    languages: ["javascript", "python"],
    title: "Administration route lacks the guard of the others",
    description:
      "The other administration routes of this router ask for rights, and this one does not. What it shows or does " +
      "is then open to anyone who knows or guesses the address. Put the guard in front of the whole router rather " +
      "than on each route.",
    cwe: [862],
    confidence: 0.66,
    effort: "small",
    risk: "medium"
  },
  object_without_owner: {
    languages: ["csharp", "java", "javascript", "python", "ruby"],
    title: "Object is looked up for whoever asks",
    description:
      "The handlers beside this one look the object up together with its owner or tenant, and this one by its key " +
      "alone: someone else's object answers to whoever counts the keys up. Put the owner into the query, as the " +
      "others do.",
    cwe: [639],
    confidence: 0.64,
    effort: "small",
    risk: "medium"
  },
  mass_assignment: {
    languages: ["csharp", "java", "javascript", "python", "ruby"],
    title: "Callers can set every field of a record",
    description:
      "The whole body of the request becomes the record, so a caller who adds `role`, `isAdmin` or `ownerId` to it " +
      "sets that, too; a field added to the model later is open from its first day. Name the fields that a caller " +
      "may set: pick them, use a type of its own for the request, or permit a list.",
    cwe: [915],
    confidence: 0.66,
    effort: "small",
    risk: "medium",
    priority: "P2"
  }
})

export type RuleId = keyof typeof rules
