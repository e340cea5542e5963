import type { Model } from "../Model.ts"

/** Struts: forms that the framework fills, and parameters of an action's context. */
export const struts: Model = {
  name: "struts",
  mentions: /\bActionForm\b|\bActionContext\b|\bDynaActionForm\b/,
  sources: [
    {
      kind: "request",
      path: /ActionContext(?:\.getContext\(\))?\.getParameters\(\)$|(?:^|\.)DynaActionForm\.(?:get|getString)\(\)$/
    }
  ]
}
