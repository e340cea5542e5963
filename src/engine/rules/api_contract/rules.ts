import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  undeclared_path_parameter: {
    languages: ["json", "yaml"],
    title: "OpenAPI: undeclared path parameter",
    description:
      "The path has a placeholder that no parameter describes: generated clients cannot fill it in, and " +
      "validators refuse the document. Declare it with `in: path` and `required: true`, in the operation or " +
      "once for the path.",
    cwe: [],
    confidence: 0.92,
    effort: "small",
    risk: "low",
    inTests: "report"
  },
  unused_path_parameter: {
    languages: ["yaml"],
    title: "OpenAPI: unused path parameter",
    description:
      "A parameter says that it is part of the path, and the path has no place for it: usually one of the two " +
      "was renamed. Generated clients ask for a value and then drop it. Rename or remove it.",
    cwe: [],
    confidence: 0.92,
    effort: "small",
    risk: "low",
    inTests: "report"
  },
  duplicate_operation_id: {
    languages: ["json", "yaml"],
    title: "OpenAPI: duplicate operationId",
    description:
      "The id becomes the name of a method in generated clients and of a handler in generated servers; with two " +
      "of one name, one is lost or the generator stops. Give each operation its own.",
    cwe: [],
    confidence: 0.92,
    effort: "small",
    risk: "low",
    inTests: "report"
  },
  dangling_reference: {
    languages: ["json", "yaml"],
    title: "OpenAPI: unresolved $ref",
    description:
      "The part that this reference names does not exist in the document, so tools either refuse it or treat " +
      'the schema as "anything". Correct the name, or add what is missing.',
    cwe: [],
    confidence: 0.92,
    effort: "small",
    risk: "low",
    inTests: "report"
  },
  no_success_response: {
    languages: ["yaml"],
    title: "OpenAPI: missing success response",
    description:
      "Only failures are described, so it is unknown what success looks like, and generated clients throw for " +
      "every answer. Add the response of the normal case.",
    cwe: [],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    inTests: "report",
    priority: "P3"
  },
  undefined_required_property: {
    languages: ["yaml"],
    title: "OpenAPI: undefined required property",
    description:
      "The schema demands a property that it does not describe. Usually the property was renamed in one place " +
      "only; validators then refuse every object that follows the description. Rename it in `required`, or " +
      "define it.",
    cwe: [],
    confidence: 0.8,
    effort: "small",
    risk: "low",
    inTests: "report"
  },
  undefined_security_scheme: {
    languages: ["yaml"],
    title: "OpenAPI: undefined security scheme",
    description:
      "The requirement names a scheme that the document does not have; tools read this as an error or, worse, " +
      "as no requirement at all. Define the scheme or correct its name.",
    cwe: [],
    confidence: 0.9,
    effort: "small",
    risk: "low",
    inTests: "report"
  },
  colliding_paths: {
    languages: ["yaml"],
    title: "OpenAPI: ambiguous paths",
    description:
      "They differ in the names of their parameters only, so which one answers depends on the order in which a " +
      "server reads them. Merge them, or make the addresses differ.",
    cwe: [],
    confidence: 0.88,
    effort: "medium",
    risk: "medium",
    inTests: "report"
  },
  route_not_in_spec: {
    languages: ["javascript", "python"],
    title: "API contract drift: undocumented endpoint",
    description:
      "The description covers most routes of this program, so its readers take it to be complete. This route is " +
      "not in it: clients cannot know of it, and nothing that is generated from the description checks or " +
      "limits it. Describe it, or mark it as internal.",
    cwe: [1059],
    confidence: 0.62,
    effort: "small",
    risk: "low"
  },
  operation_not_in_code: {
    languages: ["yaml"],
    title: "API contract drift: operation without a route",
    description:
      "Most of the description matches the routes of the code, and this operation has none there: anyone who calls " +
      "it gets 404. Remove it, or restore the route.",
    cwe: [1059],
    confidence: 0.6,
    effort: "small",
    risk: "low",
    inTests: "report"
  },
  unvalidated_body: {
    languages: ["javascript"],
    title: "Missing input validation of a request body",
    description:
      "The handlers beside this one pass the body through a schema first; this one takes whatever comes, so a " +
      "missing field or a wrong type fails somewhere deeper or is stored. Add the same check.",
    cwe: [20],
    confidence: 0.64,
    effort: "small",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
