import { filled, type WorstCase } from "../../support/worstCase.ts"

const MEANING = `<div aria-live="loud">Saved</div><div role="checkbox" tabindex="0">Gift</div><meta charset="utf-8" aria-hidden="true" /><button role="button">Save</button><h2></h2><video src="tour.mp4" controls></video><p tabindex="0">Prices</p><button role="heading" aria-level="2">Orders</button><h2 role="button" tabindex="0">Orders</h2><input aria-label="Name" autocomplete="firstname" /><td scope="col">Price</td><button accesskey="s">Save</button><marquee>Sale</marquee><img src="a.jpg" alt="Picture of a bridge" /><p lang="english">Welcome</p><button aria-hidden="true">Close</button>`

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: [
      "invalid_aria_value",
      "missing_required_aria",
      "unsupported_aria",
      "redundant_role",
      "empty_heading",
      "media_without_captions",
      "focusable_content",
      "control_with_content_role",
      "content_with_control_role",
      "invalid_autocomplete",
      "misplaced_scope",
      "access_key",
      "distracting_element",
      "redundant_image_alt",
      "invalid_language",
      "hidden_focusable"
    ],
    path: "meaning.html",
    text: (size) => filled(size, MEANING)
  },
  {
    rules: ["anchor_without_target", "mouse_without_keyboard", "control_role_without_focus"],
    path: "handlers.html",
    text: (size) => filled(size, "<a href='#' onclick='a' onmouseover='a'>a</a><div role=button onclick='a'>a</div>")
  },
  {
    rules: ["image_without_alternative", "page_without_language", "zoom_disabled", "frame_without_title"],
    path: "a.html",
    text: (size) => filled(size, "<img src=a><iframe src=b><html><meta name=viewport content='user-scalable=no'>")
  },
  { rules: ["image_without_alternative"], path: "unclosed.html", text: (size) => filled(size, "<img src='{{") },
  {
    rules: ["image_without_alternative"],
    path: "comments.html",
    text: (size) => filled(size, "<img <!-- <? {% <script ")
  },
  {
    rules: ["image_without_alternative"],
    path: "source.html",
    text: (size) => filled(size, "a/", ["<img src='", "'>"])
  },
  { rules: ["image_without_alternative"], path: "spaces.html", text: (size) => filled(size, " ", ["<img", ""]) },
  {
    rules: ["control_without_label"],
    path: "b.html",
    text: (size) => filled(size, "<label for=a><input id=b>", ["<form>", ""])
  },
  { rules: ["control_without_label"], path: "nested.html", text: (size) => filled(size, "<div><input>") },
  { rules: ["nameless_control"], path: "c.html", text: (size) => filled(size, "<button><i>") },
  {
    rules: ["nameless_control"],
    path: "flat.html",
    text: (size) => filled(size, "<i></i>", ["<button>", "</button>"])
  },
  { rules: ["click_without_keyboard"], path: "d.html", text: (size) => filled(size, "<div onclick='a()'><i>") },
  {
    rules: ["click_without_keyboard"],
    path: "d.jsx",
    text: (size) => filled(size, "<div onClick={a}><i/></div>", ["const a = <p>", "</p>"])
  },
  {
    rules: ["click_without_keyboard"],
    path: "value.html",
    text: (size) => filled(size, "a", ["<div onclick='", "'>"])
  },
  {
    rules: ["invalid_aria", "positive_tabindex"],
    path: "e.html",
    text: (size) => filled(size, " aria-lable=a tabindex=1 role=lisbox", ["<p", ">"])
  },
  { rules: ["duplicate_id"], path: "f.html", text: (size) => filled(size, "<p id=a>", ["<body>", ""]) },
  { rules: ["duplicate_id"], path: "closing.html", text: (size) => filled(size, "<b></p></i>", ["<body>", ""]) },
  { rules: ["image_without_alternative"], path: "g.vue", text: (size) => filled(size, "<template>\n<img>\n") },
  { rules: ["image_without_alternative"], path: "h.php", text: (size) => filled(size, "<?php a(); ?><img>") }
]
