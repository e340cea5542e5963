import { assert, describe, it } from "vitest"
import { outputOf } from "../../support/survey.ts"

const transitionsIn = async (path: string, text: string): Promise<ReadonlyArray<string>> => {
  const output = await outputOf({ [path]: text, "README.md": "# Shop\n\nSells things to people.\n" })
  const section = /## States and transitions\n\n[^\n]*\n\n([\s\S]*?)(?:\n\n|\n?$)/.exec(output.domain_md ?? "")?.[1]
  return section === undefined ? [] : section.split("\n")
}

describe("transitions of states", { timeout: 120_000 }, () => {
  it.each([
    [
      "an assignment in a test of the state",
      "src/order.ts",
      "export const place = (order: Order) => {\n  if (order.status === 'draft') {\n    order.status = 'placed'\n  }\n}\n",
      "- **order**, `status`: `draft` → `placed` (`src/order.ts:2`)."
    ],
    [
      "an assignment behind a guard that leaves",
      "src/order.py",
      "class Order:\n    def pay(self):\n        if self.status not in (Status.OPEN, Status.LATE):\n            raise ValueError()\n        self.status = Status.PAID\n",
      "- **Order**, `status`: `OPEN`, `LATE` → `PAID` (`src/order.py:3`)."
    ],
    [
      "a case of a switch over the state",
      "src/order.go",
      "package a\n\nfunc next(o *Order) {\n\tswitch o.State {\n\tcase Open:\n\t\to.State = Paid\n\t}\n}\n",
      "- **o**, `state`: `Open` → `Paid` (`src/order.go:5`)."
    ],
    [
      "a statement of SQL that tests what it sets",
      "src/orders.js",
      "export const pay = (sql) => sql`\n  UPDATE orders SET status = 'paid', paid_at = now()\n  WHERE id = 1 AND status IN ('open', 'late')\n  RETURNING id`\n",
      "- **orders**, `status`: `open`, `late` → `paid` (`src/orders.js:2`)."
    ],
    [
      "setters and getters",
      "src/Order.java",
      "class Pay {\n  void pay(Order order) {\n    if (order.getStatus() == Status.OPEN) {\n      order.setStatus(Status.PAID);\n    }\n  }\n}\n",
      "- **order**, `status`: `OPEN` → `PAID` (`src/Order.java:3`)."
    ],
    [
      "a table of aasm",
      "app/order.rb",
      "class Order < ApplicationRecord\n  include AASM\n  aasm do\n    state :open, initial: true\n    state :paid\n    event :pay do\n      transitions from: [:open, :late], to: :paid\n    end\n  end\nend\n",
      "- **Order**, `state`: `open`, `late` → `paid` by `pay` (`app/order.rb:7`)."
    ],
    [
      "a table of state_machines",
      "app/order.rb",
      "class Order\n  state_machine :state, initial: :open do\n    event :pay do\n      transition open: :paid\n    end\n  end\nend\n",
      "- **Order**, `state`: `open` → `paid` by `pay` (`app/order.rb:4`)."
    ],
    [
      "a decorator of django-fsm",
      "app/order.py",
      "class Order(models.Model):\n    state = FSMField(default='open')\n\n    @transition(field=state, source='open', target='paid')\n    def pay(self):\n        pass\n",
      "- **Order**, `state`: `open` → `paid` by `pay` (`app/order.py:4`)."
    ],
    [
      "a table of transitions",
      "app/order.py",
      "from transitions import Machine\n\nclass Order:\n    moves = [\n        {'trigger': 'pay', 'source': 'open', 'dest': 'paid'},\n    ]\n",
      "- **Order**, `state`: `open` → `paid` by `pay` (`app/order.py:5`)."
    ],
    [
      "a machine of XState",
      "src/order.ts",
      "export const orderMachine = createMachine({\n  id: 'order',\n  states: {\n    open: { on: { PAY: { target: 'paid' } } },\n    paid: { on: { REFUND: 'open' } }\n  }\n})\n",
      "- **order**, `state`: `open` → `paid` by `PAY` (`src/order.ts:4`); `paid` → `open` by `REFUND` (`src/order.ts:5`)."
    ],
    [
      "a Spring state machine",
      "src/Machine.java",
      "class OrderMachine {\n  void configure(StateMachineTransitionConfigurer<S, E> t) {\n    t.withExternal()\n      .source(S.OPEN).target(S.PAID)\n      .event(E.PAY);\n  }\n}\n",
      "- **OrderMachine**, `state`: `OPEN` → `PAID` by `PAY` (`src/Machine.java:4`)."
    ]
  ])("%s is one", async (_, path, text, expected) => {
    assert.deepStrictEqual(await transitionsIn(path, text), [expected])
  })

  it.each([
    ["an assignment without a test", "src/a.ts", "export const f = (order) => {\n  order.status = 'placed'\n}\n"],
    [
      "an assignment after a test that excludes the state",
      "src/a.ts",
      "export const f = (order) => {\n  if (order.status === 'closed') {\n    return\n  }\n  order.status = 'placed'\n}\n"
    ],
    [
      "an assignment in another branch",
      "src/a.ts",
      "export const f = (order) => {\n  if (order.status === 'closed') {\n    log()\n  } else {\n    order.status = 'placed'\n  }\n}\n"
    ],
    [
      "a test of another thing's state",
      "src/a.ts",
      "export const f = (order, bill) => {\n  if (bill.status === 'sent') {\n    order.status = 'placed'\n  }\n}\n"
    ],
    [
      "a value that is computed",
      "src/a.ts",
      "export const f = (order) => {\n  if (order.status === 'draft') {\n    order.status = next(order)\n  }\n}\n"
    ],
    [
      "a statement that tests another column",
      "src/a.ts",
      "export const f = (sql) => sql`UPDATE orders SET status = 'paid' WHERE kind = 'gift'`\n"
    ],
    [
      "a statement in a comment",
      "src/a.ts",
      "/** `UPDATE orders SET status = 'paid' WHERE status = 'open'` */\nexport const f = 1\n"
    ],
    [
      "a test's own example",
      "src/a.test.ts",
      "export const f = (order) => {\n  if (order.status === 'draft') {\n    order.status = 'placed'\n  }\n}\n"
    ]
  ])("%s is none", async (_, path, text) => {
    assert.deepStrictEqual(await transitionsIn(path, text), [])
  })
})
