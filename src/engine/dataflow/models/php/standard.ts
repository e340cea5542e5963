import { ALL_KINDS, ARGUMENT, COMMAND, NOSQL, PATH, REDIRECT, RESOLVED, SQL, URL } from "../../values/Value.ts"
import type { Model } from "../Model.ts"

/** What the language and its common libraries hand on, put together and make harmless. */
export const standard: Model = {
  name: "standard",
  sanitizers: [
    { path: /^\\?strval$/, kinds: NOSQL },
    {
      path: /^(?:intval|floatval|boolval|doubleval|count|sizeof|strlen|md5|sha1|crc32|hash|abs|round|floor|ceil|is_\w+|time|strtotime|ctype_\w+|password_hash|bin2hex|isset|empty|date|number_format|random_int|rand|array_search|in_array|uniqid|absint|sanitize_(?:key|title|html_class|hex_color))$/,
      kinds: ALL_KINDS
    },
    {
      path: /(?:^|\.)(?!escape_?[sS]hell|preg_quote)\w*(?:escape|quote|addslashes|esc_sql|esc_like)\w*$|^(?:q|number|dbesc|backquote)$|\.backquote$/,
      kinds: SQL
    },
    { path: /^\\?(?:basename|pathinfo|sanitize_file_name|sanitize_key|sanitize_title)$/, kinds: PATH },
    { path: /^\\?str_replace$/, kinds: PATH, text: /^(?:\.\.|\/[\w-]{0,40}[\u0000\u0001])/ },
    { path: /^\\?preg_replace$/, kinds: PATH, text: /^[/#~]\[\^[^\]/]{1,80}\]/ },
    { path: /^\\?preg_replace$/, kinds: ALL_KINDS & ~URL, text: /^[/#~]\[\^[\w\\ .:@-]{1,80}\]/ },
    { path: /^\\?preg_replace$/, kinds: ALL_KINDS & ~URL, text: /^[/#~](?:\[\\W\]|\\W)[+*]?[/#~]/ },
    { path: /^\\?realpath$/, kinds: RESOLVED },
    { path: /^\\?(?:raw)?urlencode$/, kinds: URL | PATH | REDIRECT },
    { path: /^\$wpdb\.prepare$|\.wpdb\.prepare$/, kinds: SQL },
    {
      path: /escape_?[sS]hell_?(?:[aA]rg|[cC]md)$|Shell\.escape$|ProcessUtils\.escapeArgument$/,
      kinds: COMMAND | ARGUMENT
    }
  ],
  propagators: [
    {
      path: /^(?:trim|ltrim|rtrim|strtolower|strtoupper|ucfirst|ucwords|urldecode|rawurldecode|urlencode|htmlspecialchars|html_entity_decode|htmlentities|strip_tags|stripslashes|str_replace|preg_replace|substr|mb_substr|explode|array_map|array_filter|array_merge|array_values|array_keys|base64_decode|json_decode|json_encode|strval|nl2br|wordwrap|str_pad|stripcslashes|utf8_encode|utf8_decode|iconv|mb_convert_encoding|serialize|unserialize|sanitize_text_field|wp_unslash|current|reset|end|array_pop|array_shift|strrev|parse_url|file_get_contents|max|min)$/
    },
    { path: /^(?:sprintf|vsprintf)$/, how: "formats" }
  ]
}
