import type { Model } from "../Model.ts"

/** FastAPI and Starlette. */
export const fastapi: Model = {
  name: "fastapi",
  mentions:
    /\bUploadFile\b|\brequest\.(?:query_params|path_params|json|form|body|stream|cookies|headers|url)\b|\.receive_(?:text|json|bytes)\(/,
  sources: [
    {
      kind: "request",
      path: /^http:upload\.(?:filename|file|(?:read|file\.read)\(\))$|^http:starlette\.(?:query_params|path_params|headers|cookies|url|(?:json|form|body)\(\))$/
    },
    { kind: "socket", path: /^(?:fastapi|starlette)\.(?:websockets\.)?WebSocket\.receive_(?:text|json|bytes)\(\)$/ }
  ]
}
