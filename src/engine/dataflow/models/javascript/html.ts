import type { SinkCall } from "../../TaintLanguage.ts"
import { HTML, REDIRECT } from "../../values/Value.ts"
import { ANSWER, PAGE, SENT, TRUSTED } from "../labels.ts"
import type { Model } from "../Model.ts"

/** The beginning of a tag. */
const tag = /<[a-zA-Z!/]/
const jsResponse = /^(?:res|response|resp)(?:\.(?:status|set|header|cookie|type|code)\((?:[^()]|\([^()]*\))*\))*$/
const otherType =
  /json|text\/javascript|text\/plain|["']text["']|["']txt["']|image\/|octet-stream|csv|["']xml["']|application\//
const typeSet = /\.(?:set|header|setHeader|type|contentType|writeHead)\((?:[^()]|\([^()]*\)){0,300}\)/g
const markupType = /html/i
const sending = /\.(?:send|write|end)\((?!\s*\))/g

/** `res.type("text/javascript")` in a function that answers once. */
const isTypedOtherwise = (around: string): boolean => {
  const types = around.match(typeSet) ?? []
  return (
    types.some((set) => otherType.test(set)) &&
    !types.some((set) => markupType.test(set)) &&
    (around.match(sending) ?? []).length === 1
  )
}

const isAnswer = ({ receiver, around }: SinkCall): boolean =>
  jsResponse.test(receiver) && !otherType.test(receiver) && !isTypedOtherwise(around())

const escapers =
  /(?:^|[.\\:])(?:\w*(?:[eE]scape|ESCAPE|[sS]aniti[sz]e|[pP]urif)\w*|escapeHTML|escapeHtml|he\.encode|encodeHTML|encodeHtml|htmlEncode|stripTags|striptags|xss|filterXSS|encodeURIComponent|encodeURI|bleach\.clean|nh3\.clean)$/

export const html: Model = {
  name: "html",
  mentions:
    /\.(?:innerHTML|outerHTML|srcdoc)\s*\+?=|\.insertAdjacentHTML\(|\bdocument\.write(?:ln)?\(|\bcreateContextualFragment\(|\bbypassSecurityTrust\w+\(|\)\.html\(/,
  sinks: [
    {
      kind: HTML,
      label: ANSWER,
      path: /(?:^|\.)send$/,
      args: [0],
      when: isAnswer
    },
    {
      kind: HTML,
      label: SENT,
      path: /(?:^|\.)(?:write|end)$/,
      args: [0],
      text: tag,
      when: isAnswer
    },
    // Fastify sends text unless it is given another type.
    {
      kind: HTML,
      label: SENT,
      path: /(?:^|\.)send$/,
      args: [0],
      when: ({ receiver }) =>
        /^reply\.(?:type|header|code|status)\([^()]*\)/.test(receiver) && /text\/html/.test(receiver)
    },
    {
      kind: HTML,
      label: SENT,
      path: /(?:^|\.)(?:write|end)$/,
      args: [0],
      // A template that is filled, in a function that sends pages.
      text: /^\u0001\u0000\u0001$/,
      when: (call) => isAnswer(call) && /["']text\/html/.test(call.around())
    },
    { kind: HTML, label: SENT, path: /^http:context\.(?:body=|html)$/, args: [0], text: tag },
    { kind: HTML, label: PAGE, path: /\.(?:innerHTML|outerHTML|srcdoc)=$/, args: [0] },
    { kind: HTML, label: PAGE, path: /\.insertAdjacentHTML$/, args: [1] },
    { kind: HTML, label: PAGE, path: /^(?:window\.)?document\.(?:write|writeln)$/, args: [0, 1, 2] },
    { kind: HTML, label: PAGE, path: /\.createContextualFragment$/, args: [0] },
    {
      kind: HTML,
      label: PAGE,
      path: /^(?:\$|jQuery|jquery|jquery\.default|window\.\$)\(\)(?:\.\w+\(\))*\.html$/,
      args: [0]
    },
    {
      kind: HTML,
      label: PAGE,
      path: /^(?:\$|jQuery|jquery|jquery\.default|window\.\$)\(\)(?:\.\w+\(\))*\.(?:append|prepend|after|before|replaceWith|wrap)$/,
      args: [0],
      text: tag
    },
    { kind: HTML, label: PAGE, path: /^(?:\$|jQuery|jquery|jquery\.default|\$\.parseHTML)$/, args: [0], text: /^\s*</ },
    { kind: HTML, label: TRUSTED, path: /\.bypassSecurityTrust(?:Html|Script|Url|ResourceUrl)$/, args: [0] }
  ],
  sanitizers: [
    { path: escapers, kinds: HTML },
    {
      path: /^(?:DOMPurify|dompurify|isomorphic-dompurify)(?:\.default)?(?:\.sanitize)?$|^(?:sanitize-html|xss|escape-html|validator\.escape|lodash\.escape|_\.escape)(?:\.default)?$/,
      kinds: HTML
    },
    // What `send` is given as an object is sent as JSON.
    { path: /\.to(?:JSON|Object)$/, kinds: HTML },
    { path: /^encodeURIComponent$/, kinds: HTML | REDIRECT }
  ]
}
