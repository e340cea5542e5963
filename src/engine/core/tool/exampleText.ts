/** A made-up credential in an example: tests fill it in, so that no scanner takes the example for a leak. */
const madeUp = /\{\{made-up [^}]*\}\}/g

/** Code of an example as people see it. */
export const exampleText = (code: string): string => code.replace(madeUp, "…")
