import { ruleSet } from "../../../core/tool/AuditTool.ts"

/** Mistakes inside an OpenAPI document. */
export const documentRules = ruleSet({
  undeclared_path_parameter: {
    languages: ["json", "yaml"],
    title: "OpenAPI: undeclared path parameter",
    description:
      "The path has a placeholder that no parameter describes: generated clients cannot fill it in, and " +
      "validators refuse the document. Declare it with `in: path` and `required: true`, in the operation or " +
      "once for the path.",
    example: {
      path: "openapi.yaml",
      bad: `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders/{id}:
    get:
      responses: { "200": { description: ok } }
`,
      good: `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders/{id}:
    get:
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
      responses: { "200": { description: ok } }
`
    },
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
    example: {
      path: "openapi.yaml",
      bad: `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders:
    get:
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
      responses: { "200": { description: ok } }
`,
      good: `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders:
    get:
      parameters:
        - { name: id, in: query, schema: { type: string } }
      responses: { "200": { description: ok } }
`
    },
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
    example: {
      path: "openapi.yaml",
      bad: `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders:
    get:
      operationId: list
      responses: { "200": { description: ok } }
  /items:
    get:
      operationId: list
      responses: { "200": { description: ok } }
`,
      good: `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders:
    get:
      operationId: listOrders
      responses: { "200": { description: ok } }
  /items:
    get:
      operationId: listItems
      responses: { "200": { description: ok } }
`
    },
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
    example: {
      path: "openapi.yaml",
      bad: `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders:
    get:
      responses:
        "200":
          description: ok
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Order" }
components:
  schemas:
    Item: { type: object }
`,
      good: `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders:
    get:
      responses:
        "200":
          description: ok
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Order" }
components:
  schemas:
    Order: { type: object }
`
    },
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
    example: {
      path: "openapi.yaml",
      bad: `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders:
    get:
      responses:
        "404": { description: missing }
`,
      good: `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders:
    get:
      responses:
        "200": { description: ok }
        "404": { description: missing }
`
    },
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
    example: {
      path: "openapi.yaml",
      bad: `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths: {}
components:
  schemas:
    Order:
      type: object
      required: [number]
      properties:
        id: { type: string }
`,
      good: `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths: {}
components:
  schemas:
    Order:
      type: object
      required: [id]
      properties:
        id: { type: string }
`
    },
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
    example: {
      path: "openapi.yaml",
      bad: `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders:
    get:
      security: [{ token: [] }]
      responses: { "200": { description: ok } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
`,
      good: `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders:
    get:
      security: [{ key: [] }]
      responses: { "200": { description: ok } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
`
    },
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
    example: {
      path: "openapi.yaml",
      bad: `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { responses: { "200": { description: ok } } }
  /orders/{number}:
    parameters: [{ name: number, in: path, required: true, schema: { type: string } }]
    get: { responses: { "200": { description: ok } } }
`,
      good: `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { responses: { "200": { description: ok } } }
  /orders/by-number/{number}:
    parameters: [{ name: number, in: path, required: true, schema: { type: string } }]
    get: { responses: { "200": { description: ok } } }
`
    },
    cwe: [],
    confidence: 0.88,
    effort: "medium",
    risk: "medium",
    inTests: "report"
  }
})
