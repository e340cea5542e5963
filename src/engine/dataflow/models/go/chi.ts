import type { Model } from "../Model.ts"

export const chi: Model = {
  name: "chi",
  sources: [{ kind: "request", path: /^github\.com\/go-chi\/chi(?:\/v\d)?\.URLParam(?:FromCtx)?\(\)$/ }]
}
