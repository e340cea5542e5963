import type { Model } from "../Model.ts"

export const laravel: Model = {
  name: "laravel",
  mentions: /\bRequest \$\w+|Route::|App\\Http\\Controllers|\brequest\(\)|\bRequest::/,
  sources: [
    {
      kind: "request",
      path: /^http:php\.(?:input|get|query|post|all|header|cookie|json|only|except|route|string|str|path|url|fullUrl|segment|file|getRequestUri|getPathInfo)\(\)$|^request\(\)\.(?:input|get|query|post|all|header|cookie|json|only|except|route|path|url|file)\(\)$|^(?:Illuminate\\Support\\Facades\\)?(?:Request|Input)\.(?:input|get|query|post|all|header|cookie|path|url)\(\)$/
    }
  ]
}
