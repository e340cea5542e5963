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
    confidence: 0.65,
    priority: "P3",
    ...small
  }
})

export type RuleId = keyof typeof rules
