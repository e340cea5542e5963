const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Roles of controls, which take focus and keys. */
export const interactiveRoles = words(`
  button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar
  searchbox slider spinbutton switch tab textbox treeitem`)

/** Roles of content, which no one operates. */
export const contentRoles = words(`
  article banner blockquote caption complementary contentinfo definition emphasis feed figure heading img
  list listitem main mark math navigation note paragraph strong term time`)

/** Elements that are controls as they are. */
export const controlTags = words("button input select textarea summary")

/** Elements that structure content. */
export const contentTags = words(`
  article aside blockquote dd dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header img li main mark nav ol p section
  table tbody td tfoot thead ul`)

/** The role that an element has without being given one. */
export const ownRoles: Readonly<Record<string, string>> = {
  article: "article",
  aside: "complementary",
  button: "button",
  dialog: "dialog",
  fieldset: "group",
  figure: "figure",
  form: "form",
  h1: "heading",
  h2: "heading",
  h3: "heading",
  h4: "heading",
  h5: "heading",
  h6: "heading",
  hr: "separator",
  img: "img",
  main: "main",
  option: "option",
  progress: "progressbar",
  table: "table",
  tbody: "rowgroup",
  textarea: "textbox",
  tfoot: "rowgroup",
  thead: "rowgroup"
}

/** What a role says nothing without. */
export const requiredByRole: Readonly<Record<string, ReadonlyArray<string>>> = {
  checkbox: ["aria-checked"],
  combobox: ["aria-expanded"],
  heading: ["aria-level"],
  menuitemcheckbox: ["aria-checked"],
  menuitemradio: ["aria-checked"],
  meter: ["aria-valuenow"],
  radio: ["aria-checked"],
  scrollbar: ["aria-valuenow", "aria-controls"],
  slider: ["aria-valuenow"],
  switch: ["aria-checked"]
}

const flag = /^(?:true|false)$/
const tristate = /^(?:true|false|mixed)$/
const number = /^-?\d+(?:\.\d+)?$/
const integer = /^-?\d+$/

/** The values that an attribute may have. */
export const ariaValues: Readonly<Record<string, RegExp>> = {
  "aria-atomic": flag,
  "aria-autocomplete": /^(?:inline|list|both|none)$/,
  "aria-busy": flag,
  "aria-checked": tristate,
  "aria-colcount": integer,
  "aria-colindex": integer,
  "aria-colspan": integer,
  "aria-current": /^(?:page|step|location|date|time|true|false)$/,
  "aria-disabled": flag,
  "aria-expanded": /^(?:true|false|undefined)$/,
  "aria-haspopup": /^(?:true|false|menu|listbox|tree|grid|dialog)$/,
  "aria-hidden": /^(?:true|false|undefined)?$/,
  "aria-invalid": /^(?:grammar|false|spelling|true)$/,
  "aria-level": integer,
  "aria-live": /^(?:off|polite|assertive)$/,
  "aria-modal": flag,
  "aria-multiline": flag,
  "aria-multiselectable": flag,
  "aria-orientation": /^(?:horizontal|vertical|undefined)$/,
  "aria-posinset": integer,
  "aria-pressed": tristate,
  "aria-readonly": flag,
  "aria-required": flag,
  "aria-rowcount": integer,
  "aria-rowindex": integer,
  "aria-rowspan": integer,
  "aria-selected": /^(?:true|false|undefined)$/,
  "aria-setsize": integer,
  "aria-sort": /^(?:ascending|descending|none|other)$/,
  "aria-valuemax": number,
  "aria-valuemin": number,
  "aria-valuenow": number
}

/** Elements without anything that assistive technology could describe. */
export const unseenTags = words(
  "base col colgroup head html link meta noscript param script source style template title track"
)

/** What a browser can fill in (HTML, autofill detail tokens). */
export const autofillFields = words(`
  name honorific-prefix given-name additional-name family-name honorific-suffix nickname username new-password
  current-password one-time-code organization-title organization street-address address-line1 address-line2
  address-line3 address-level4 address-level3 address-level2 address-level1 country country-name postal-code cc-name
  cc-given-name cc-additional-name cc-family-name cc-number cc-exp cc-exp-month cc-exp-year cc-csc cc-type
  transaction-currency transaction-amount language bday bday-day bday-month bday-year sex url photo tel
  tel-country-code tel-national tel-area-code tel-local tel-local-prefix tel-local-suffix tel-extension email impp
  webauthn on off`)
