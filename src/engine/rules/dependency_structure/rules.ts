import { ruleSet } from "../../core/tool/AuditTool.ts"
import { migrationRules } from "./migrations/rules.ts"

/** Files of an outer layer that import an inner one: they show the direction of the project. */
const controllers = Object.fromEntries(
  Array.from({ length: 10 }, (_, i) => [
    `src/controllers/c${i}.js`,
    'import { save } from "../services/orders.js"\n\nexport const handle = () => save()\n'
  ])
)

export const rules = ruleSet({
  import_cycle: {
    languages: ["javascript", "python", "ruby"],
    title: "Circular dependency: import cycle (import/no-cycle)",
    description:
      "None of these files can be tested or reused alone, and a change of the import order may break them. The files import " +
      "each other in a cycle. Move the code that both sides need to a file of its own, or pass it as an argument.",
    example: {
      path: "src/orders.js",
      besides: {
        "src/customers.js":
          'import { openOrders } from "./orders.js"\n\nexport const isActive = (customer) => openOrders(customer) > 0\n'
      },
      bad: 'import { isActive } from "./customers.js"\n\nexport const openOrders = (customer) => (isActive(customer) ? 1 : 0)\n',
      good: "export const openOrders = (customer) => customer.orders.length\n"
    },
    cwe: [1047],
    confidence: 0.92,
    effort: "medium",
    risk: "medium",
    priority: "P3"
  },
  import_cycle_at_load: {
    languages: ["javascript", "python"],
    title: "Circular dependency: import cycle with use at load time",
    description:
      "The program fails with undefined or missing names, depending on which file is imported first. The files import each " +
      "other in a cycle, and one of them uses an imported name while it is loaded. Move the code that both sides need to a " +
      "file of its own, or pass it as an argument.",
    example: {
      path: "src/orders.js",
      besides: {
        "src/customers.js":
          'import { Order } from "./orders.js"\n\nexport class Customer {\n  orders() {\n    return [new Order()]\n  }\n}\n'
      },
      bad: 'import { Customer } from "./customers.js"\n\nexport class Order extends Customer {}\n',
      good: "export class Order {}\n"
    },
    cwe: [1047],
    confidence: 0.92,
    effort: "medium",
    risk: "medium"
  },
  package_cycle: {
    languages: ["java"],
    title: "Circular dependency between packages",
    description:
      "The packages can only be understood, changed and released together. Their classes import each other in a cycle, so " +
      "they are one package in several folders. Move the shared types to a package that both import, or invert one " +
      "direction with an interface.",
    example: {
      path: "src/com/acme/orders/Order.java",
      besides: {
        "src/com/acme/customers/Customer.java":
          "package com.acme.customers;\n\nimport com.acme.orders.Order;\n\npublic class Customer {\n  Order last;\n}\n"
      },
      bad: "package com.acme.orders;\n\nimport com.acme.customers.Customer;\n\npublic class Order {\n  Customer owner;\n}\n",
      good: "package com.acme.orders;\n\npublic class Order {\n  String owner;\n}\n"
    },
    cwe: [1047],
    confidence: 0.9,
    effort: "large",
    risk: "medium",
    kind: "advisory",
    priority: "P3"
  },
  undeclared_dependency: {
    languages: ["javascript"],
    title: "Undeclared dependency (import/no-extraneous-dependencies)",
    description:
      "The import fails when another package changes, with a strict package manager, or in production installs. No " +
      "package.json above this file declares the package; it is present only because another package installs it, without " +
      "a pinned version. Add it to the dependencies of the package.json that belongs to this file.",
    example: {
      path: "src/app.js",
      besides: { "package.json": '{ "name": "shop", "dependencies": { "express": "^5.0.0" } }\n' },
      bad: 'import parser from "body-parser"\n\nexport const parse = parser.json()\n',
      good: 'import express from "express"\n\nexport const parse = express.json()\n'
    },
    cwe: [1357],
    confidence: 0.6,
    effort: "small",
    risk: "low"
  },
  undeclared_distribution: {
    languages: ["python"],
    title: "Undeclared Python dependency (DEP001)",
    description:
      "The import fails in a fresh environment, or loads any version of the package. No dependency file of the project names a " +
      "distribution for this module. Declare it with the other dependencies.",
    example: {
      path: "shop/prices.py",
      besides: {
        "requirements.txt": "flask==3.0.0\n",
        "shop/__init__.py": "",
        "shop/app.py": "from flask import Flask\n\nfrom shop.prices import price\n\napp = Flask(__name__)\n"
      },
      bad: "import httpx\n\n\ndef price(name):\n    return httpx.get(name)\n",
      good: "from urllib.request import urlopen\n\n\ndef price(name):\n    return urlopen(name)\n"
    },
    cwe: [1357],
    confidence: 0.65,
    effort: "small",
    risk: "low",
    kind: "advisory"
  },
  layer_inversion: {
    languages: ["javascript"],
    title: "Layering violation: inner layer imports an outer one",
    description:
      "The inner code cannot be used or tested without the outer code. The folders of this project depend on each other in one " +
      "direction, and this import goes against it. Pass the dependency as an argument, or move it to the inner layer.",
    example: {
      path: "src/services/orders.js",
      besides: controllers,
      bad: 'import { handle } from "../controllers/c1.js"\n\nexport const save = () => handle()\n',
      good: "export const save = () => 1\n"
    },
    cwe: [1061],
    confidence: 0.75,
    effort: "medium",
    risk: "medium",
    kind: "advisory",
    priority: "P3"
  },
  hub_module: {
    languages: ["javascript"],
    title: "Hub-like module: high fan-in and high fan-out",
    description:
      "A change almost anywhere can break this module, and a change of this module almost anything. Many files import it, and " +
      "it imports many files itself. Split it along the parts that its importers use: usually a small stable part that all " +
      "of them need, and parts that few of them need.",
    // The rule compares a hundred files or more.
    example: null,
    cwe: [1047],
    confidence: 0.8,
    effort: "large",
    risk: "medium",
    kind: "advisory",
    priority: "P3"
  },
  ...migrationRules
})

export type RuleId = keyof typeof rules
