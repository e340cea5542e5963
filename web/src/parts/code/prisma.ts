import type { LanguageFn } from "highlight.js"

/** The schema language of Prisma, which the library has no grammar for. */
const prisma: LanguageFn = (hljs) => ({
  name: "Prisma",
  keywords: {
    keyword: "datasource generator model enum type view",
    literal: "true false null",
    built_in: "String Boolean Int BigInt Float Decimal DateTime Json Bytes Unsupported"
  },
  contains: [
    hljs.C_LINE_COMMENT_MODE,
    hljs.C_BLOCK_COMMENT_MODE,
    hljs.QUOTE_STRING_MODE,
    hljs.NUMBER_MODE,
    { className: "meta", begin: /@@?[a-zA-Z]+(?:\.[a-zA-Z]+)*/ },
    { className: "title", begin: /\b[a-z]\w*(?=\()/ }
  ]
})

export default prisma
