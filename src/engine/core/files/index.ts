export { roleOf } from "./FileRole.ts"
export { decodeText, isBinary } from "./fileText.ts"
export { languageOf } from "./Language.ts"
