import type { Model } from "../Model.ts"

/** What a page's address and other pages give to a script. */
export const browser: Model = {
  name: "browser",
  mentions:
    /\blocation\.(?:search|hash|href)\b|\bdocument\.(?:URL|documentURI|referrer)\b|\bwindow\.name\b|\bonmessage\b|addEventListener\(\s*["']message|useSearchParams/,
  sources: [
    {
      kind: "request",
      path: /^(?:(?:(?:window|document|self|top|parent|globalThis)\.)*location\.(?:search|hash|href)|(?:window\.)?document\.(?:URL|documentURI|referrer)|window\.name|react-router(?:-dom)?\.useLocation\(\)\.(?:search|hash)|react-router(?:-dom)?\.useSearchParams\(\))$/
    },
    { kind: "message", path: /^dom:message\.data$/ }
  ]
}
