import type { Call } from "../../../languages/syntax/vocabulary.ts"
import type { FlatTree } from "../../../languages/tree/FlatTree.ts"
import { type Migration, packages } from "./Migration.ts"

const language = "javascript"

const callbackNames = /^(?:cb|callback|done|next|fn)$/

/** The last argument is a function, or is named like one. */
const endsWithCallback = (tree: FlatTree, { args }: Call): boolean => {
  const last = args.at(-1)
  return (
    last !== undefined &&
    (tree.is(last, "arrow_function", "function_expression", "function") || callbackNames.test(tree.textOf(last)))
  )
}

const isConstruction = (_tree: FlatTree, { isNew }: Call): boolean => isNew

export const javascriptMigrations: ReadonlyArray<Migration> = [
  {
    id: "js.request",
    rule: "library_migration",
    language,
    from: { modules: packages("request", "request-promise", "request-promise-native") },
    to: {
      modules: packages("axios", "got", "undici", "node-fetch", "ky", "needle", "superagent"),
      calls: /^(?:globalThis\.|window\.)?fetch$/
    },
    fromTitle: "request",
    toTitle: null,
    deprecation: "The request package has been deprecated since 2020."
  },
  {
    id: "js.moment",
    rule: "library_migration",
    language,
    from: { modules: packages("moment", "moment-timezone") },
    to: { modules: packages("date-fns", "dayjs", "luxon", "@js-temporal/polyfill", "temporal-polyfill") },
    fromTitle: "moment",
    toTitle: null,
    deprecation: "The maintainers of moment call it a legacy project and advise new code to use another library."
  },
  {
    id: "js.aws_sdk",
    rule: "library_migration",
    language,
    from: { modules: packages("aws-sdk") },
    to: { modules: /^@aws-sdk\/(?:client|lib)-/ },
    fromTitle: "aws-sdk (v2)",
    toTitle: "@aws-sdk (v3)",
    deprecation: "Version 2 of the AWS SDK for JavaScript has reached its end of support."
  },
  {
    id: "js.node_uuid",
    rule: "library_migration",
    language,
    from: { modules: packages("node-uuid") },
    to: { modules: packages("uuid"), calls: /^(?:crypto\.)?randomUUID$/ },
    fromTitle: "node-uuid",
    toTitle: null,
    deprecation: "The node-uuid package is deprecated in favour of uuid."
  },
  {
    id: "js.underscore",
    rule: "library_migration",
    language,
    from: { modules: packages("underscore") },
    to: { modules: packages("lodash", "lodash-es") },
    fromTitle: "underscore",
    toTitle: null,
    deprecation: null
  },
  {
    id: "js.buffer",
    rule: "api_migration",
    language,
    from: { calls: /^Buffer$/, when: isConstruction },
    to: { calls: /^Buffer\.(?:from|alloc)$/ },
    fromTitle: "new Buffer()",
    toTitle: "Buffer.from() and Buffer.alloc()",
    deprecation: "Node.js has deprecated the constructor (DEP0005)."
  },
  {
    id: "js.url_parse",
    rule: "api_migration",
    language,
    from: { calls: /^url\.parse$/ },
    to: { calls: /^URL$/, when: isConstruction },
    fromTitle: "url.parse()",
    toTitle: "new URL()",
    deprecation: "Node.js has deprecated url.parse() (DEP0169)."
  },
  {
    id: "js.util_is_array",
    rule: "api_migration",
    language,
    from: { calls: /^util\.isArray$/ },
    to: { calls: /^Array\.isArray$/ },
    fromTitle: "util.isArray()",
    toTitle: "Array.isArray()",
    deprecation: "Node.js has deprecated util.isArray() (DEP0044) and removed it in version 23."
  },
  {
    id: "js.fs_exists",
    rule: "api_migration",
    language,
    from: { calls: /^fs\.exists$/, when: endsWithCallback },
    to: { calls: /^fs\.(?:existsSync|access|stat)$/ },
    fromTitle: "fs.exists()",
    toTitle: "fs.access() or fs.existsSync()",
    deprecation: "Node.js has deprecated fs.exists() (DEP0103)."
  },
  {
    id: "js.fs_callbacks",
    rule: "api_migration",
    language,
    from: {
      calls:
        /^fs\.(?:access|appendFile|chmod|copyFile|mkdir|mkdtemp|readdir|readFile|realpath|rename|rm|rmdir|stat|lstat|unlink|writeFile)$/,
      when: endsWithCallback
    },
    to: { modules: /^(?:node:)?fs\/promises$/, calls: /^(?:fs\.promises|fsp|fsPromises)\.\w+$/ },
    fromTitle: "callbacks of fs",
    toTitle: "fs/promises",
    deprecation: null
  },
  {
    id: "js.react_render",
    rule: "api_migration",
    language,
    from: { calls: /^ReactDOM\.(?:render|hydrate)$/ },
    to: { calls: /^(?:ReactDOM(?:Client)?\.)?(?:createRoot|hydrateRoot)$/ },
    fromTitle: "ReactDOM.render()",
    toTitle: "createRoot()",
    deprecation: "React 18 has deprecated ReactDOM.render() and React 19 removed it."
  },
  {
    id: "js.enzyme",
    rule: "test_framework_migration",
    language,
    from: { modules: packages("enzyme") },
    to: { modules: packages("@testing-library/react", "@testing-library/preact") },
    fromTitle: "enzyme",
    toTitle: null,
    deprecation: "Enzyme has no adapter for React 18 and later."
  },
  {
    id: "js.jest",
    rule: "test_framework_migration",
    language,
    from: { modules: packages("@jest/globals", "chai") },
    to: { modules: packages("vitest") },
    fromTitle: "Jest or Chai",
    toTitle: null,
    deprecation: null
  }
]
