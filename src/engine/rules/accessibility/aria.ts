const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** WAI-ARIA 1.3 states and properties. */
export const ariaAttributes = words(`
  aria-activedescendant aria-atomic aria-autocomplete aria-braillelabel aria-brailleroledescription aria-busy
  aria-checked aria-colcount aria-colindex aria-colindextext aria-colspan aria-controls aria-current aria-describedby
  aria-description aria-details aria-disabled aria-dropeffect aria-errormessage aria-expanded aria-flowto aria-grabbed
  aria-haspopup aria-hidden aria-invalid aria-keyshortcuts aria-label aria-labelledby aria-level aria-live aria-modal
  aria-multiline aria-multiselectable aria-orientation aria-owns aria-placeholder aria-posinset aria-pressed
  aria-readonly aria-relevant aria-required aria-roledescription aria-rowcount aria-rowindex aria-rowindextext
  aria-rowspan aria-selected aria-setsize aria-sort aria-valuemax aria-valuemin aria-valuenow aria-valuetext
  aria-actions`)

/** Spelled in a way that assistive technology understands although the specification spells it otherwise. */
export const toleratedAttributes = words("aria-labeledby")

export const roles = words(`
  alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox
  comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic
  graphics-document graphics-object graphics-symbol grid gridcell group heading image img insertion link list listbox
  listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note
  option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox
  sectionfooter sectionheader separator slider spinbutton status strong subscript suggestion superscript switch tab
  table tablist tabpanel term text textbox time timer toolbar tooltip tree treegrid treeitem`)

const publishing = /^(?:doc|graphics)-[a-z]+$/

export const isRole = (name: string): boolean => roles.has(name) || publishing.test(name)
