import { filled, type WorstCase } from "../../support/worstCase.ts"

export const worstCases: ReadonlyArray<WorstCase> = [
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
