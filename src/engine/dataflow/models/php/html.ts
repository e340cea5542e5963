import { HTML, REDIRECT, URL } from "../../values/Value.ts"
import { ANSWER, SENT, TRUSTED } from "../labels.ts"
import type { Model } from "../Model.ts"

export const html: Model = {
  name: "html",
  mentions: /\becho\b[^;]{0,200}?\$_|<\?=[^?]{0,200}?\$|\bprint[ (]|\badd_shortcode\s*\(/,
  sinks: [
    { kind: HTML, label: SENT, path: /^(?:echo|print)$/, args: [0, 1, 2, 3, 4, 5] },
    { kind: HTML, label: SENT, path: /^\\?printf$/, args: [0], formats: true },
    { kind: HTML, label: SENT, path: /^\\?vprintf$/, args: [0, 1] },
    { kind: HTML, label: SENT, path: /^\\?(?:print_r|die|exit|wp_die)$/, args: [0], when: ({ count }) => count === 1 },
    { kind: HTML, label: TRUSTED, path: /(?:^|[.\\])HtmlString$/, args: [0] },
    {
      kind: HTML,
      label: ANSWER,
      path: /^\\?response$/,
      args: [0],
      text: /<[a-zA-Z!/]/,
      when: ({ argument }) => !/content-type/i.test(argument(2))
    },
    // What a shortcode returns.
    { kind: HTML, label: SENT, path: /^return$/, args: [0], text: /<[a-zA-Z!/]/ }
  ],
  sanitizers: [
    {
      path: /(?:^|[.\\])(?:htmlspecialchars|htmlentities|strip_tags|esc_\w+|wp_kses\w*|urlencode|rawurlencode|http_build_query|json_encode|wp_json_encode|absint|sanitize_\w+|checkPlain|check_plain|e|h|clean_url|addslashes_gpc|var_export|serialize|base64_encode|wp_verify_nonce|\w*(?:[eE]scape|[sS]anitize|[pP]urif|htmlSpecialChars|[eE]ncode)\w*)$/,
      kinds: HTML
    },
    {
      path: /^\\?(?:wp_validate_redirect|wp_sanitize_redirect|admin_url|home_url|site_url|route|url)$/,
      kinds: REDIRECT
    },
    { path: /^\\?(?:add_query_arg|remove_query_arg)$/, kinds: REDIRECT | URL }
  ]
}
