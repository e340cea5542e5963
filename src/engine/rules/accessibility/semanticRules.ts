import type { Rule } from "../../core/tool/AuditTool.ts"

const languages = ["html", "javascript", "vue"] as const

interface Standard {
  readonly title: string
  readonly description: string
  readonly bad: string
  readonly good: string
  readonly confidence?: number
}

const standard = ({ title, description, bad, good, confidence = 0.85 }: Standard): Rule => ({
  languages,
  title,
  description,
  example: { path: "index.html", bad: `${bad}\n`, good: `${good}\n` },
  cwe: [],
  confidence,
  effort: "small",
  risk: "low",
  priority: "P3"
})

/** What elements, roles and ARIA attributes mean together, after WAI-ARIA and HTML. */
export const semanticRules = {
  invalid_aria_value: standard({
    title: "Invalid value of an ARIA attribute",
    description:
      "Browsers ignore a value that the attribute does not have, so assistive technology reports a wrong state or none " +
      "(WCAG 4.1.2). The attribute takes one of a few words, or a number. Use a value that the ARIA specification lists.",
    bad: '<div aria-live="loud">Saved</div>',
    good: '<div aria-live="polite">Saved</div>',
    confidence: 0.9
  }),
  missing_required_aria: standard({
    title: "Role without its required ARIA attribute",
    description:
      "A screen reader announces the control without its state: whether it is checked, or where the slider is (WCAG " +
      "4.1.2). The role requires an attribute that the element does not have. Add it, or use the element of HTML that " +
      "brings its state along.",
    bad: '<div role="checkbox" tabindex="0">Gift</div>',
    good: '<div role="checkbox" tabindex="0" aria-checked="false">Gift</div>'
  }),
  unsupported_aria: standard({
    title: "ARIA on an element without meaning to assistive technology",
    description:
      "What is said there reaches no one: assistive technology never sees this element (WCAG 4.1.2). Elements such as " +
      "`meta`, `script` and `style` take neither roles nor ARIA attributes. Remove it, or move it to what is shown.",
    bad: '<meta charset="utf-8" aria-hidden="true">',
    good: '<meta charset="utf-8">',
    confidence: 0.9
  }),
  redundant_role: standard({
    title: "Redundant role",
    description:
      "A reader of the code takes the element for something else than it is. The role repeats the one that the element has by " +
      "itself, so it changes nothing and hides later mistakes. Remove it.",
    bad: '<button role="button">Save</button>',
    good: "<button>Save</button>",
    confidence: 0.72
  }),
  empty_heading: standard({
    title: "Heading without content",
    description:
      "People who move from heading to heading land on one that says nothing (WCAG 2.4.6). The heading has neither text " +
      "nor anything that gives it a name. Fill it, or remove it.",
    bad: "<h2></h2>",
    good: "<h2>Orders</h2>",
    confidence: 0.8
  }),
  anchor_without_target: standard({
    title: "Link without a target",
    description:
      "Assistive technology announces a link, and following it, opening it in a tab or copying it leads nowhere (WCAG " +
      "2.1.1, 4.1.2). The address is `#` or a script. Use a `<button>` for what acts on the page, and a real address for what navigates.",
    bad: '<a href="javascript:void(0)" onclick="save()">Save</a>',
    good: '<button onclick="save()">Save</button>',
    confidence: 0.7
  }),
  media_without_captions: standard({
    title: "Video without captions",
    description:
      "Anyone who cannot hear misses what is said (WCAG 1.2.2). The video has no track of captions. Add a `<track " +
      'kind="captions">`, or `muted` where it has no sound.',
    bad: '<video src="tour.mp4" controls></video>',
    good: '<video src="tour.mp4" controls><track kind="captions" src="tour.vtt"></video>',
    confidence: 0.75
  }),
  mouse_without_keyboard: standard({
    title: "Missing keyboard access: hover without focus",
    description:
      "What appears under the mouse never appears for people who use the keyboard (WCAG 2.1.1). The element reacts when " +
      "the mouse comes or goes, and not when the focus does. Handle `focus` and `blur` in the same way.",
    bad: '<a href="/help" onmouseover="showTip()">Help</a>',
    good: '<a href="/help" onmouseover="showTip()" onfocus="showTip()">Help</a>',
    confidence: 0.65
  }),
  control_role_without_focus: standard({
    title: "Control that takes no focus",
    description:
      "A screen reader announces a control that the keyboard cannot reach (WCAG 2.1.1). The element has the role of a " +
      'control and reacts to clicks, but no `tabindex`. Use the element of HTML, or add `tabindex="0"` and handle its keys.',
    bad: '<div role="button" onclick="save()" onkeydown="save()">Save</div>',
    good: '<div role="button" tabindex="0" onclick="save()" onkeydown="save()">Save</div>',
    confidence: 0.8
  }),
  focusable_content: standard({
    title: "Focus on content that no one operates",
    description:
      "The focus stops where nothing can be done, and everyone who uses the keyboard has one more step (WCAG 2.4.3). " +
      'Structure and text need no `tabindex`. Remove it, or use `tabindex="-1"` where a script moves the focus there.',
    bad: '<p tabindex="0">Prices include taxes.</p>',
    good: "<p>Prices include taxes.</p>",
    confidence: 0.65
  }),
  control_with_content_role: standard({
    title: "Control with the role of content",
    description:
      "Assistive technology announces text where there is a control, so that no one knows that it can be operated (WCAG " +
      "4.1.2). The role overrides what the element is. Remove the role, or put the control into an element with it.",
    bad: '<button role="heading" aria-level="2">Orders</button>',
    good: "<h2><button>Orders</button></h2>",
    confidence: 0.82
  }),
  content_with_control_role: standard({
    title: "Content with the role of a control",
    description:
      "The heading, list or section disappears from the structure that people move through, and becomes a control without " +
      "keys of its own (WCAG 4.1.2). The role overrides what the element is. Put a control inside the element.",
    bad: '<h2 role="button" tabindex="0">Orders</h2>',
    good: "<h2><button>Orders</button></h2>",
    confidence: 0.75
  }),
  invalid_autocomplete: standard({
    title: "Invalid autocomplete value",
    description:
      "Browsers and aids that fill in names and addresses leave the field empty (WCAG 1.3.5). The value is none of those " +
      "that HTML defines. Use one of them, such as `email`, `given-name` or `new-password`.",
    bad: '<input aria-label="Name" autocomplete="firstname">',
    good: '<input aria-label="Name" autocomplete="given-name">',
    confidence: 0.75
  }),
  misplaced_scope: standard({
    title: "scope outside of a header cell",
    description:
      "Screen readers do not tie the cell to its column or row (WCAG 1.3.1). `scope` counts on `<th>` only. Make the cell a " +
      "`<th>`, or remove the attribute.",
    bad: '<table><tr><td scope="col">Price</td></tr></table>',
    good: '<table><tr><th scope="col">Price</th></tr></table>',
    confidence: 0.85
  }),
  access_key: standard({
    title: "accesskey that collides with other shortcuts",
    description:
      "The key collides with shortcuts of browsers, screen readers and other languages' keyboards, which then do not work " +
      "on this page (WCAG 2.1.4). Leave `accesskey` out, or let people choose the keys.",
    bad: '<button accesskey="s">Save</button>',
    good: "<button>Save</button>",
    confidence: 0.65
  }),
  distracting_element: standard({
    title: "Moving or blinking text",
    description:
      "Text that moves cannot be read by many, and keeps others from reading anything else (WCAG 2.2.2). `<marquee>` and " +
      "`<blink>` cannot be stopped. Use plain text.",
    bad: "<marquee>Sale</marquee>",
    good: "<p>Sale</p>",
    confidence: 0.9
  }),
  redundant_image_alt: standard({
    title: "Text alternative that says that it is an image",
    description:
      'A screen reader reads "image, image of a bridge": it already says that there is an image. Say in `alt` what the ' +
      "image shows, without the words image, picture or photo.",
    bad: '<img src="bridge.jpg" alt="Picture of a bridge">',
    good: '<img src="bridge.jpg" alt="A bridge">',
    confidence: 0.72
  }),
  invalid_language: standard({
    title: "Invalid lang attribute",
    description:
      "A screen reader pronounces the text by the rules of another language (WCAG 3.1.1). The value of `lang` is no " +
      "language tag. Use one such as `en`, `pt-BR` or `zh-Hans`.",
    bad: '<p lang="english">Welcome</p>',
    good: '<p lang="en">Welcome</p>',
    confidence: 0.9
  }),
  hidden_focusable: standard({
    title: "Focusable element hidden from assistive technology",
    description:
      "The focus goes where a screen reader says nothing, and its user does not know where they are (WCAG 4.1.2). The " +
      '`aria-hidden` element takes focus. Remove `aria-hidden`, or take it out of the order with `tabindex="-1"`.',
    bad: '<button aria-hidden="true">Close</button>',
    good: '<button aria-hidden="true" tabindex="-1">Close</button>',
    confidence: 0.8
  })
} as const

export type SemanticRuleId = keyof typeof semanticRules
