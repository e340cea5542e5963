import { ALL_KINDS, ARGUMENT, COMMAND, HTML, JOINED, PATH, REDIRECT, RESOLVED, SQL, URL } from "../../values/Value.ts"
import type { Model } from "../Model.ts"

/** What the language and its common libraries hand on, put together and make harmless. */
export const standard: Model = {
  name: "standard",
  sanitizers: [
    { path: /^File\.join$/, kinds: JOINED, text: /^[^\u0000]/ },
    {
      path: /^(?:Integer|Float|Rational|Digest::\w+\.\w+|OpenSSL::\w+(?:::\w+)*\.\w+|SecureRandom\.\w+|(?:Date|Time|DateTime|Time\.zone|BigDecimal|UUID)(?:\.\w+)?|Math\.\w+|Base64\.(?:strict_|urlsafe_)?encode64)$/,
      kinds: ALL_KINDS
    },
    {
      path: /(?:^|\.)(?:quote|quote_column_name|quote_table_name|quote_string|quoted_date|sanitize_sql(?:_for_conditions|_for_assignment|_array|_for_order|_hash_for_assignment)?|escape_string|escape_literal|escape_identifier|quote_ident)$/,
      kinds: SQL
    },
    {
      path: /^(?:Shellwords\.(?:escape|shellescape|join|shelljoin)|shell_?escape|shell_?quote)$|\.(?:shellescape|shelljoin|shell_quote|shell_escape)$/,
      kinds: COMMAND | ARGUMENT
    },
    {
      path: /^File\.(?:basename|extname)$|(?:^|\.)(?:sanitize_filename|basename|parameterize|sanitized)$/,
      kinds: PATH
    },
    { path: /^File\.(?:expand_path|realpath|absolute_path)$|\.(?:realpath|cleanpath|expand_path)$/, kinds: RESOLVED },
    { path: /(?:^|\.)(?:url_from|url_for)$/, kinds: REDIRECT },
    {
      path: /^(?:CGI|URI|ERB::Util|Rack::Utils)\.(?:escape|encode_www_form_component|url_encode|escape_path|encode_www_form)$/,
      kinds: URL | PATH | REDIRECT
    },
    {
      path: /(?:^|\.)(?:h|html_escape|html_escape_once|escapeHTML|escape_html|sanitize|strip_tags|escape_javascript|j|json_escape|simple_format|strip_links|render_to_string)$/,
      kinds: HTML
    }
  ],
  propagators: [
    {
      path: /^(?:String|Array|Hash|String\.new|h|CGI\.\w+|URI(?:\.(?:decode\w*|encode\w*|parse|join|unescape))?|ERB::Util\.\w+|Rack::Utils\.\w+|JSON\.(?:parse|generate|dump)|File\.(?:join|basename|expand_path|dirname|absolute_path)|Pathname(?:\.new)?|StringIO\.new|Regexp\.escape|(?:\w+\.)?const_get|Base64\.\w*decode64|ActiveSupport::JSON\.decode|Addressable::URI\.\w+)$/
    },
    { path: /^(?:Kernel\.)?s?printf$|^(?:Kernel\.)?format$/, how: "formats" }
  ]
}
