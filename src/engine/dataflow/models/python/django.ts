import type { Model } from "../Model.ts"

/** Django and its REST framework. */
export const django: Model = {
  name: "django",
  mentions:
    /\brequest\.(?:GET|POST|body|META|COOKIES|FILES|headers|data|query_params|path)\b|\bself\.kwargs\b|\bdef \w+\(\s*(?:self,\s*)?request\b/,
  sources: [
    {
      kind: "request",
      path: /^http:django\.(?:GET|POST|REQUEST|body|COOKIES|FILES|META|headers|data|query_params|path|path_info|(?:get_full_path|build_absolute_uri|get_host)\(\))$|^self:\w+\.request\.(?:GET|POST|data|query_params|body|COOKIES|META|headers|FILES|path)$|^self:\w+View(?:Set)?\.kwargs$/
    }
  ]
}
