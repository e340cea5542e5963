import { ruleSet } from "../../core/tool/AuditTool.ts"

const small = { cwe: [], effort: "small", risk: "low" } as const

export const rules = ruleSet({
  conditional_hook: {
    languages: ["javascript"],
    title: "React hook called conditionally (rules of hooks)",
    description:
      "React identifies hooks by the order of their calls. One that is left out in some render, or called once for " +
      "each item, hands every hook after it the state of another: values get mixed up, or the component crashes with " +
      '"Rendered fewer hooks than expected". Call hooks at the top of the component, before any return, and put the ' +
      "condition inside the hook or into a component of its own.",
    example: {
      path: "src/Login.jsx",
      bad: `import { useEffect, useState } from "react"

export const Login = ({ user }) => {
  if (user === null) {
    return null
  }
  const [name, setName] = useState("")
  return <button onClick={() => setName("a")}>{name}</button>
}
`,
      good: `import { useEffect, useState } from "react"

export const Login = ({ user }) => {
  const [name, setName] = useState("")
  if (user === null) {
    return null
  }
  return <button onClick={() => setName("a")}>{name}</button>
}
`
    },
    confidence: 0.9,
    priority: "P1",
    ...small
  },
  missing_dependency: {
    languages: ["javascript"],
    title: "Missing hook dependency (exhaustive-deps)",
    description:
      "The callback keeps the values of the render it was made in. When the prop or state it reads changes and is not " +
      "in the list, the effect does not run again and the memo keeps its old result: the page shows what was, not what " +
      "is. Add it to the list; where running once is meant, read the value through a ref or say so in a comment.",
    example: {
      path: "src/Cart.jsx",
      bad: `import { useEffect, useState } from "react"

export const Cart = ({ user }) => {
  const [rows, setRows] = useState([])
  useEffect(() => {
    load(user.id).then(setRows)
  }, [])
  return <p>{rows.length}</p>
}
`,
      good: `import { useEffect, useState } from "react"

export const Cart = ({ user }) => {
  const [rows, setRows] = useState([])
  useEffect(() => {
    load(user.id).then(setRows)
  }, [user.id])
  return <p>{rows.length}</p>
}
`
    },
    confidence: 0.72,
    priority: "P2",
    cwe: [],
    effort: "small",
    risk: "medium"
  },
  state_mutated: {
    languages: ["javascript"],
    title: "State mutation in place",
    description:
      "React decides by identity whether something changed. An object or array changed in place is still the same, so " +
      "nothing is rendered, memos keep old results, and a later update may be lost. Make a copy with the change and " +
      "give that to the setter.",
    example: {
      path: "src/Cart.jsx",
      bad: `import { useEffect, useState } from "react"

export const Cart = () => {
  const [rows, setRows] = useState([])
  const grow = () => {
    rows.push(1)
    setRows(rows)
  }
  return <button onClick={grow}>{rows.length}</button>
}
`,
      good: `import { useEffect, useState } from "react"

export const Cart = () => {
  const [rows, setRows] = useState([])
  const grow = () => setRows([...rows, 1])
  return <button onClick={grow}>{rows.length}</button>
}
`
    },
    confidence: 0.85,
    priority: "P2",
    ...small
  },
  state_set_in_render: {
    languages: ["javascript"],
    title: "State set during render: infinite re-render",
    description:
      "Setting state in the body of a component, or in the value of an event attribute (`onClick={setOpen(true)}`), " +
      'makes every render ask for the next one, until React gives up with "Too many re-renders". Pass a function ' +
      "(`onClick={() => setOpen(true)}`), or compute the value instead of storing it.",
    example: {
      path: "src/Counter.jsx",
      bad: `import { useEffect, useState } from "react"

export const Counter = () => {
  const [count, setCount] = useState(0)
  return <button onClick={setCount(1)}>{count}</button>
}
`,
      good: `import { useEffect, useState } from "react"

export const Counter = () => {
  const [count, setCount] = useState(0)
  return <button onClick={() => setCount(1)}>{count}</button>
}
`
    },
    confidence: 0.9,
    priority: "P1",
    ...small
  },
  missing_key: {
    languages: ["javascript"],
    title: "Missing key of a list item",
    description:
      "Without keys React matches the items of a list by position. When one is added, removed or moved, the others " +
      "take over its state, its focus and what was typed into it. Give each a `key` that belongs to the item, its id " +
      "for instance.",
    example: {
      path: "src/List.jsx",
      bad: `export const List = ({ items }) => (
  <ul>
    {items.map((item) => (
      <li>{item.name}</li>
    ))}
  </ul>
)
`,
      good: `export const List = ({ items }) => (
  <ul>
    {items.map((item) => (
      <li key={item.id}>{item.name}</li>
    ))}
  </ul>
)
`
    },
    confidence: 0.88,
    priority: "P3",
    ...small
  },
  index_as_key: {
    languages: ["javascript"],
    title: "Array index as key",
    description:
      "The position stays when the items change places, so React keeps each place's state, focus and typed text and " +
      "gives it to another item. As items of this list are removed, sorted or put in front, that happens. Use an id of " +
      "the item as its key.",
    example: {
      path: "src/Names.jsx",
      bad: `import { useEffect, useState } from "react"

export const Names = () => {
  const [names, setNames] = useState([])
  const drop = (name) => setNames(names.filter((one) => one !== name))
  return names.map((name, index) => (
    <Row key={index} onRemove={() => drop(name)}><input defaultValue={name} /></Row>
  ))
}
`,
      good: `import { useEffect, useState } from "react"

export const Names = () => {
  const [names, setNames] = useState([])
  const drop = (name) => setNames(names.filter((one) => one !== name))
  return names.map((name) => (
    <Row key={name} onRemove={() => drop(name)}><input defaultValue={name} /></Row>
  ))
}
`
    },
    confidence: 0.75,
    priority: "P3",
    ...small
  },
  response_not_checked: {
    languages: ["javascript"],
    title: "Unchecked fetch response status",
    description:
      "`fetch` rejects only when no answer comes at all. A 404, a 500 or an expired session resolves as well, and " +
      'reading it as data throws somewhere else ("Unexpected token <") or shows an error object as content. Check ' +
      "`response.ok` and treat the other case.",
    example: {
      path: "src/orders.js",
      bad: `export async function loadOrders() {
  const response = await fetch("/api/orders")
  return response.json()
}
`,
      good: `export async function loadOrders() {
  const response = await fetch("/api/orders")
  if (!response.ok) throw new Error(\`Orders: \${response.status}\`)
  return response.json()
}
`
    },
    cwe: [754],
    confidence: 0.75,
    priority: "P3",
    effort: "small",
    risk: "low"
  },
  opener_exposed: {
    languages: ["html", "javascript", "vue", "php"],
    kind: "suggestion",
    title: '`target="_blank"` without `rel="noopener"`',
    description:
      'A page opened with `target="_blank"` gets a handle on the one that opened it and can replace it with a look-' +
      "alike that asks for a password. Browsers since 2021 cut the tie by themselves; older ones and some embedded " +
      'views do not. Add `rel="noopener"`.',
    example: {
      path: "src/Away.jsx",
      bad: `export const Away = ({ user }) => (
  <a href={user.site} target="_blank">Away</a>
)
`,
      good: `export const Away = ({ user }) => (
  <a href={user.site} target="_blank" rel="noopener">Away</a>
)
`
    },
    cwe: [1022],
    confidence: 0.85,
    priority: "P3",
    effort: "small",
    risk: "low"
  },
  script_in_address: {
    languages: ["html", "javascript", "vue", "php"],
    title: "`javascript:` URL in a link",
    description:
      "A `javascript:` address works only where the content security policy allows inline scripts, which is what such " +
      "a policy is there to forbid; opened in a new tab or copied it leads nowhere, and React stops rendering it. Use " +
      "a `<button>` with a handler, or an address that works without the script.",
    example: {
      path: "src/Cart.jsx",
      bad: `export const Cart = () => <a href="javascript:openCart()">Open</a>
`,
      good: `export const Cart = () => <button onClick={openCart}>Open</button>
`
    },
    confidence: 0.75,
    priority: "P3",
    ...small
  },
  vue_loop_without_key: {
    languages: ["vue"],
    title: "Missing `:key` with `v-for`",
    description:
      "Vue reuses the elements of a list in place when there is no key: after an item is removed or moved, its " +
      "component's state and what was typed into its fields belong to another one. Bind `:key` to an id of the item.",
    example: {
      path: "src/Orders.vue",
      bad: `<template>
  <ul>
    <li v-for="order in orders">{{ order.id }}</li>
  </ul>
</template>
`,
      good: `<template>
  <ul>
    <li v-for="order in orders" :key="order.id">{{ order.id }}</li>
  </ul>
</template>
`
    },
    confidence: 0.9,
    priority: "P3",
    ...small
  },
  vue_condition_on_loop: {
    languages: ["vue"],
    title: "`v-if` and `v-for` on one element",
    description:
      "Vue 2 evaluates `v-for` first and then the condition for every item; Vue 3 evaluates the condition first, where " +
      "the item does not exist yet. Filter the list in a computed property, or put the condition on a `<template>` " +
      "around or inside the loop.",
    example: {
      path: "src/Orders.vue",
      bad: `<template>
  <ul>
    <li v-for="order in orders" :key="order.id" v-if="order.open">{{ order.id }}</li>
  </ul>
</template>
`,
      good: `<template>
  <ul>
    <li v-for="order in openOrders" :key="order.id">{{ order.id }}</li>
  </ul>
</template>
`
    },
    confidence: 0.88,
    priority: "P3",
    ...small
  },
  vue_prop_mutated: {
    languages: ["vue"],
    title: "Vue prop mutation",
    description:
      "A prop is the parent's value. Set from inside it is overwritten by the parent's next render, and its " +
      "origin is lost; Vue warns at run time. Emit an event (`update:name`) and let the parent change it, or " +
      "keep a copy in the component's own data.",
    example: {
      path: "src/Filter.vue",
      bad: `<template>
  <button @click="clear">Clear</button>
</template>
<script>
export default {
  props: ["filter"],
  methods: {
    clear() {
      this.filter = ""
    }
  }
}
</script>
`,
      good: `<template>
  <button @click="clear">Clear</button>
</template>
<script>
export default {
  props: ["filter"],
  methods: {
    clear() {
      this.$emit("update:filter", "")
    }
  }
}
</script>
`
    },
    confidence: 0.88,
    priority: "P2",
    ...small
  },
  focus_not_shown: {
    languages: ["css", "scss"],
    title: "Focus indicator removed (outline: none)",
    description:
      "Anyone who moves with the Tab key sees by the outline where they are; without it the page cannot be used by " +
      "keyboard (WCAG 2.4.7). Keep the outline, draw something else for `:focus` (a shadow, a border), or take it away " +
      "only for the mouse with `:focus:not(:focus-visible)`.",
    example: {
      path: "src/cart.css",
      bad: `.cart a:focus { outline: none; }
`,
      good: `.cart a:focus { outline: 2px solid blue; }
`
    },
    confidence: 0.65,
    priority: "P3",
    ...small
  }
})

export type RuleId = keyof typeof rules
