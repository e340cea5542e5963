import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  unused_import: {
    languages: ["java", "javascript", "python"],
    title: "Unused import (no-unused-vars, F401)",
    description:
      "The file loads slower than necessary, and a dependency seems to be in use that is not. No code of the file uses the " +
      "imported name. Remove the import; where the module is imported for its side effects only, import no names.",
    example: {
      path: "src/price.js",
      bad: 'import { round, floor } from "./math.js"\n\nexport const price = (total) => round(total)\n',
      good: 'import { round } from "./math.js"\n\nexport const price = (total) => round(total)\n'
    },
    cwe: [1164],
    confidence: 0.85,
    effort: "small",
    risk: "low"
  },
  unreferenced_private: {
    languages: ["go", "java", "javascript", "python"],
    title: "Unused private code",
    description:
      "The code is read and maintained without effect, or a call of it is missing. It is not visible from outside, and no " +
      "code that can see it refers to it. Remove it, since version control keeps it; if it was meant to be called, add " +
      "the call.",
    example: {
      path: "src/price.js",
      bad: "function discount(total) {\n  return total * 0.9\n}\n\nexport const price = (total) => total\n",
      good: "function discount(total) {\n  return total * 0.9\n}\n\nexport const price = (total) => discount(total)\n"
    },
    cwe: [561],
    confidence: 0.8,
    effort: "small",
    risk: "low"
  },
  unused_export: {
    languages: ["javascript"],
    title: "Unused export",
    description:
      "The code is maintained as if other files depended on it. The package is an application, so no other package can " +
      "import it, and no other file of the application uses the name. Remove the `export`, or the code if nothing uses it.",
    example: {
      path: "src/price.js",
      besides: {
        "package.json": '{ "name": "shop", "private": true, "scripts": { "start": "node src/main.js" } }\n',
        "src/main.js": 'import { price } from "./price.js"\n\nshow(price(1))\n'
      },
      bad: "export function price(total) {\n  return total\n}\n\nexport function discount(total) {\n  return total * 0.9\n}\n",
      good: "export function price(total) {\n  return total\n}\n"
    },
    cwe: [561],
    confidence: 0.75,
    effort: "small",
    risk: "low"
  },
  commented_out_code: {
    languages: ["go", "java", "javascript", "python"],
    title: "Commented-out code (Sonar S125, ERA001)",
    description:
      "Readers cannot know whether the code still works and why it is disabled, and every search finds it. Several " +
      "statements are kept in a comment. Remove them, since version control keeps them; if there is a reason to keep them, " +
      "write the reason instead.",
    example: {
      path: "src/price.js",
      bad: "export function price(order) {\n  // const rate = rateOf(order)\n  // if (rate > 1) {\n  //   log(rate)\n  //   order.total = order.total * rate\n  //   send(order)\n  // }\n  return order.total\n}\n",
      good: "export function price(order) {\n  return order.total\n}\n"
    },
    cwe: [1164],
    confidence: 0.75,
    effort: "small",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
