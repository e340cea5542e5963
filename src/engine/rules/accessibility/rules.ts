import { ruleSet } from "../../core/tool/AuditTool.ts"
import { semanticRules } from "./semanticRules.ts"

const small = { cwe: [], effort: "small", risk: "low" } as const

export const rules = ruleSet({
  ...semanticRules,
  image_without_alternative: {
    languages: ["html", "javascript", "vue", "php"],
    title: "Missing text alternative (alt) of an image",
    description:
      "A screen reader that meets an image without `alt` reads its file name, or nothing: anyone who cannot see it does " +
      "not learn what it says, and an image that is a link becomes a link to nowhere (WCAG 1.1.1). Say in `alt` what " +
      'the image shows; where it only decorates, write `alt=""`, which makes assistive technology pass it over.',
    example: {
      path: "index.html",
      bad: `<img src="logo.png">
`,
      good: `<img src="logo.png" alt="Shop">
`
    },
    confidence: 0.92,
    priority: "P2",
    ...small
  },
  control_without_label: {
    languages: ["html", "javascript", "vue", "php"],
    title: "Missing form label",
    description:
      "Assistive technology has no name for what is to be entered here, and a click on the text beside it does not reach " +
      "the control (WCAG 3.3.2, 1.3.1). Wrap it in a `<label>`, point a label's `for` at its `id`, or give it an " +
      "`aria-label`.",
    example: {
      path: "index.html",
      bad: `<form>
<input name="email" type="email">
</form>
`,
      good: `<form>
<label>Email <input name="email" type="email"></label>
</form>
`
    },
    confidence: 0.82,
    priority: "P2",
    ...small
  },
  page_without_language: {
    languages: ["html", "javascript", "php"],
    title: "Missing lang attribute on the page",
    description:
      "Without `lang` a screen reader pronounces the page by the rules of whatever language its user has set, and " +
      "browsers guess at translation, hyphenation and quotes (WCAG 3.1.1). Put `lang` on `<html>`.",
    example: {
      path: "index.html",
      bad: `<!doctype html>
<html>
<head>
<title>Shop</title>
</head>
<body>
<p>Welcome</p>
</body>
</html>
`,
      good: `<!doctype html>
<html lang="en">
<head>
<title>Shop</title>
</head>
<body>
<p>Welcome</p>
</body>
</html>
`
    },
    confidence: 0.92,
    priority: "P3",
    ...small
  },
  positive_tabindex: {
    languages: ["html", "javascript", "vue", "php"],
    title: "Positive tabindex",
    description:
      "A positive `tabindex` puts the element before everything else on the page, so the focus jumps away from what is " +
      "seen, and every later addition has to be numbered, too (WCAG 2.4.3). Use `0`, and let the order of the document " +
      "be the order of the focus.",
    example: {
      path: "index.html",
      bad: `<a href="#top" tabindex="3">Up</a>
`,
      good: `<a href="#top">Up</a>
`
    },
    confidence: 0.9,
    priority: "P3",
    ...small
  },
  click_without_keyboard: {
    languages: ["html", "javascript", "vue"],
    title: "Missing keyboard access: click handler on a non-interactive element",
    description:
      "An element that is not a control gets no focus and no key presses: anyone who does not use a mouse cannot do this, " +
      "and nothing says that it can be done (WCAG 2.1.1, 4.1.2). Use a `<button>` (or a link for what navigates). " +
      'Otherwise it needs a `role`, `tabindex="0"` and a handler for Enter and Space.',
    example: {
      path: "index.html",
      bad: `<div onclick="openCart()">Cart</div>
`,
      good: `<button onclick="openCart()">Cart</button>
`
    },
    confidence: 0.8,
    priority: "P2",
    ...small
  },
  nameless_control: {
    languages: ["html", "javascript", "vue", "php"],
    title: "Missing accessible name of a link or button",
    description:
      'Its content is a picture without text or nothing at all, so a screen reader says only "button" or reads the ' +
      "address, and voice control has no word to call it by (WCAG 4.1.2, 2.4.4). Give it an `aria-label`, text that is " +
      "only visually hidden, or an `alt` on the image inside.",
    example: {
      path: "index.html",
      bad: `<button class="close"><i class="icon-x"></i></button>
`,
      good: `<button class="close" aria-label="Close"><i class="icon-x"></i></button>
`
    },
    confidence: 0.82,
    priority: "P2",
    ...small
  },
  invalid_aria: {
    languages: ["html", "javascript", "vue", "php"],
    title: "Invalid ARIA attribute or role",
    description:
      "Browsers ignore ARIA attributes and roles they do not know, silently: what was meant for assistive " +
      "technology never reaches it (WCAG 4.1.2). Usually it is a slip of spelling; use the attribute or role that the ARIA " +
      "specification defines.",
    example: {
      path: "index.html",
      bad: `<ul role="lisbox"><li>One</li></ul>
`,
      good: `<ul role="listbox"><li>One</li></ul>
`
    },
    confidence: 0.92,
    priority: "P2",
    ...small
  },
  zoom_disabled: {
    languages: ["html", "javascript", "php"],
    title: "Zoom disabled in the viewport",
    description:
      "`user-scalable=no` or a `maximum-scale` below 2 keeps people with low vision from enlarging the text on phones " +
      "(WCAG 1.4.4). Leave both out of the viewport.",
    example: {
      path: "index.html",
      bad: `<meta name="viewport" content="width=device-width, initial-scale=1, user-scalable=no">
`,
      good: `<meta name="viewport" content="width=device-width, initial-scale=1">
`
    },
    confidence: 0.92,
    priority: "P2",
    ...small
  },
  duplicate_id: {
    languages: ["html"],
    title: "Duplicate element id",
    description:
      "Labels, descriptions, links and scripts that name this id reach the first element only; the second stays " +
      "without its label or its behaviour (WCAG 4.1.1, 1.3.1). Give each its own.",
    example: {
      path: "index.html",
      bad: `<!doctype html>
<html lang="en">
<head>
<title>Shop</title>
</head>
<body>
<section id="news"><h2>News</h2></section>
<section id="news"><h2>Other news</h2></section>
</body>
</html>
`,
      good: `<!doctype html>
<html lang="en">
<head>
<title>Shop</title>
</head>
<body>
<section id="news"><h2>News</h2></section>
<section id="other-news"><h2>Other news</h2></section>
</body>
</html>
`
    },
    confidence: 0.85,
    priority: "P3",
    ...small
  },
  frame_without_title: {
    languages: ["html", "javascript", "vue", "php"],
    title: "Missing iframe title",
    description:
      "A screen reader announces a frame by its title; without one its user has to enter it to learn whether it is the " +
      "video, the map or an advertisement (WCAG 4.1.2). Say in `title` what the frame holds, or hide it where it is " +
      "only technical.",
    example: {
      path: "index.html",
      bad: `<iframe src="/map"></iframe>
`,
      good: `<iframe src="/map" title="Map"></iframe>
`
    },
    confidence: 0.85,
    priority: "P3",
    ...small
  }
})

export type RuleId = keyof typeof rules
