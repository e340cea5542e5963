import { REDIRECT } from "../../values/Value.ts"
import { NAVIGATION, REDIRECTION } from "../labels.ts"
import type { Model } from "../Model.ts"

const jsResponse =
  /^(?:res|response|resp|reply)(?:\.(?:status|code|cookie|clearCookie|set|header)\((?:[^()]|\([^()]*\))*\))*$/

export const redirects: Model = {
  name: "redirects",
  mentions: /\.redirect\(|\blocation(?:\.href)?\s*=[^=]|\blocation\.(?:assign|replace)\(/,
  sinks: [
    {
      kind: REDIRECT,
      label: REDIRECTION,
      path: /(?:^|\.)redirect$/,
      args: [0],
      when: ({ receiver, count }) => count === 1 && jsResponse.test(receiver)
    },
    {
      kind: REDIRECT,
      label: REDIRECTION,
      path: /(?:^|\.)redirect$/,
      args: [1],
      when: ({ receiver, literal }) => jsResponse.test(receiver) && literal(0) !== "back"
    },
    // Hapi's toolkit.
    {
      kind: REDIRECT,
      label: REDIRECTION,
      path: /(?:^|\.)redirect$/,
      args: [0],
      when: ({ receiver, count }) => count === 1 && /^h(?:\.response\([^()]*\))?$/.test(receiver)
    },
    {
      kind: REDIRECT,
      label: REDIRECTION,
      path: /^(?:http:context\.redirect|next\/server\.NextResponse\.redirect|NextResponse\.redirect|next\/navigation\.redirect)$/,
      args: [0]
    },
    {
      kind: REDIRECT,
      label: NAVIGATION,
      path: /^(?:window\.|document\.|self\.|top\.)*location(?:\.href)?=$/,
      args: [0]
    },
    {
      kind: REDIRECT,
      label: NAVIGATION,
      path: /^(?:window\.|document\.|self\.|top\.)*location\.(?:assign|replace)$/,
      args: [0]
    }
  ]
}
