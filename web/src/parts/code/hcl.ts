import type { LanguageFn } from "highlight.js"

/** The configuration language of Terraform, which the library has no grammar for. */
const hcl: LanguageFn = (hljs) => ({
  name: "HCL",
  keywords: {
    keyword:
      "resource data variable output module provider terraform locals moved import check for in if else endif endfor",
    literal: "true false null"
  },
  contains: [
    hljs.HASH_COMMENT_MODE,
    hljs.C_LINE_COMMENT_MODE,
    hljs.C_BLOCK_COMMENT_MODE,
    hljs.NUMBER_MODE,
    { className: "string", begin: /<<-?\s*(\w+)$/, end: /^\s*\w+\s*$/ },
    {
      className: "string",
      begin: '"',
      end: '"',
      illegal: /\n/,
      contains: [hljs.BACKSLASH_ESCAPE, { className: "subst", begin: /\$\{/, end: /\}/ }]
    },
    { className: "attr", begin: /^[ \t]*[\w-]+(?=\s*=)/ },
    { className: "title", begin: /\b[a-z_]\w*(?=\()/ }
  ]
})

export default hcl
