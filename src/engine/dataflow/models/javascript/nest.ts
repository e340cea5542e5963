import type { Model } from "../Model.ts"

/** Nest names by decorators where a parameter comes from; the language reads those, and microservices take messages. */
export const nest: Model = {
  name: "nest",
  mentions: /@(?:Query|Param|Body|Headers|Cookies|UploadedFile|Args|Payload|MessageBody)\(/,
  sources: [{ kind: "message", path: /^message:nest(?:\.|$)/ }]
}
