import { filled, type WorstCase } from "../../support/worstCase.ts"

const component: readonly [string, string] = [
  'import { useEffect, useState } from "react"\nexport const A = ({ a, b }) => {\nconst [s, setS] = useState([])\n',
  "return null\n}\n"
]

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: ["conditional_hook"],
    path: "a.jsx",
    text: (size) => filled(size, "if (a) return null\nuseRow(a)\n", component)
  },
  { rules: ["conditional_hook"], path: "nested.jsx", text: (size) => filled(size, "if (a) { useRow(a)\n", component) },
  {
    rules: ["missing_dependency"],
    path: "b.jsx",
    text: (size) => filled(size, "useEffect(() => { a; c }, [c])\n", component)
  },
  {
    rules: ["missing_dependency"],
    path: "long.jsx",
    text: (size) => filled(size, "c(d => d);", [`${component[0]}useEffect(() => {\n`, "}, [c])\nreturn null }"])
  },
  {
    rules: ["missing_dependency"],
    path: "nested.jsx",
    text: (size) => filled(size, "useEffect(() => { c; ", component)
  },
  {
    rules: ["state_mutated", "state_set_in_render"],
    path: "c.jsx",
    text: (size) => filled(size, "const x = () => { let q; s.push(1); s[0] = 1 }\nsetS(1)\n", component)
  },
  { rules: ["state_mutated"], path: "flat.jsx", text: (size) => filled(size, "let q = 1; s.push(1)\n", component) },
  { rules: ["state_mutated"], path: "inner.jsx", text: (size) => filled(size, "() => { s.push(1)\n", component) },
  {
    rules: ["missing_key", "index_as_key"],
    path: "d.jsx",
    text: (size) =>
      filled(size, "{s.map((x, i) => <B key={i}/>)}{s.map((x) => <b/>)}", [`${component[0]}return <p>`, "</p> }"])
  },
  {
    rules: ["missing_key", "index_as_key"],
    path: "deep.jsx",
    text: (size) => filled(size, "{s.map((x, i) => <b key={i}>", [`${component[0]}return <p>`, ""])
  },
  {
    rules: ["response_not_checked"],
    path: "e.js",
    text: (size) => filled(size, "const r = await fetch(a); await r.json()\n", ["const a = async () => {\n", "}"])
  },
  {
    rules: ["opener_exposed", "script_in_address"],
    path: "f.html",
    text: (size) => filled(size, "<a href='javascript:a()' target=_blank><a href='//a' target=_blank>")
  },
  {
    rules: ["script_in_address"],
    path: "void.html",
    text: (size) => filled(size, " ", ["<a href='javascript:void", "x'>"])
  },
  {
    rules: ["vue_loop_without_key", "vue_condition_on_loop", "vue_prop_mutated"],
    path: "g.vue",
    text: (size) =>
      filled(size, "<b v-for='a in b' v-if='a' v-model='a'>", [
        "<template>\n",
        "\n</template>\n<script>\nprops: {a: 1}\nthis.a = 1\n</script>"
      ])
  },
  {
    rules: ["vue_prop_mutated"],
    path: "h.vue",
    text: (size) => filled(size, "a: {", ["<template>\n</template>\n<script>\nprops: {", ""])
  },
  {
    rules: ["vue_condition_on_loop"],
    path: "spaces.vue",
    text: (size) => filled(size, " ", ["<template>\n<b v-if='a' v-for='(", "'>\n</template>\n"])
  },
  { rules: ["focus_not_shown"], path: "i.css", text: (size) => filled(size, "a:focus{outline:none}") },
  { rules: ["focus_not_shown"], path: "j.scss", text: (size) => filled(size, "a { &:focus { outline:none; ") },
  { rules: ["focus_not_shown"], path: "k.scss", text: (size) => filled(size, "/* ' #{ ( ", ["a{outline:none}", ""]) },
  {
    rules: ["focus_not_shown"],
    path: "l.css",
    text: (size) => filled(size, "a:not(", ["a{outline:none}", ":focus{outline:none}"])
  }
]
