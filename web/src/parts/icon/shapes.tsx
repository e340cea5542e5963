/** The outlines of the icons, on a grid of 16 by 16. */
export const shapes = {
  triage: <path d="M2 9.5 4 3.2h8l2 6.3v3.3H2z M2 9.5h3.4l1 1.6h3.2l1-1.6H14" />,
  repo: <path d="M3.5 2.5h9v11h-9a1 1 0 0 1 0-3h9 M3 12V3.3" />,
  job: <path d="M1.8 8.2h3l1.9-5 2.7 9.6 1.8-4.6h3" />,
  pr: (
    <>
      <circle cx="4" cy="3.8" r="1.6" />
      <circle cx="4" cy="12.2" r="1.6" />
      <circle cx="12" cy="12.2" r="1.6" />
      <path d="M4 5.4v5.2 M12 10.6V6.2a2 2 0 0 0-2-2H7.6 M9.3 2.4 7.5 4.2l1.8 1.8" />
    </>
  ),
  trend: <path d="M2.3 2.3v11.4h11.4 M4.8 10.2 7.4 7l2.2 1.8 3.6-4.6" />,
  context: <path d="m8 2.2 6 3-6 3-6-3z M2 8.2l6 3 6-3 M2 11l6 3 6-3" />,
  issue: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <circle className="fill" cx="8" cy="8" r="1.7" />
    </>
  ),
  mission: <path d="M3.5 14V2.4 M3.5 3h8.7l-1.9 3 1.9 3H3.5" />,
  review: <path d="M2.2 3h11.6v8.2H8.4L5.2 14v-2.8h-3z M5.6 7l1.7 1.6 3-3" />,
  key: (
    <>
      <circle cx="5" cy="10.9" r="2.8" />
      <path d="m7 8.9 6-6 M10.4 5.5l1.9 1.9" />
    </>
  ),
  settings: (
    <>
      <path d="M2 4.8h6.4 M11.6 4.8H14 M2 11.2h2.4 M7.6 11.2H14" />
      <circle cx="10" cy="4.8" r="1.6" />
      <circle cx="6" cy="11.2" r="1.6" />
    </>
  ),
  bell: <path d="M4 6.8a4 4 0 0 1 8 0c0 3.2 1.4 4.4 1.4 4.4H2.6S4 10 4 6.8z M6.6 13.4a1.5 1.5 0 0 0 2.8 0" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.4" />
      <path d="m10.3 10.3 3.5 3.5" />
    </>
  ),
  check: <path d="m3.2 8.4 3.2 3.2 6.4-7" />,
  x: <path d="m4 4 8 8 M12 4l-8 8" />,
  down: <path d="m4 6.2 4 4 4-4" />,
  right: <path d="m6 4 4 4-4 4" />,
  left: <path d="M10 4 6 8l4 4" />,
  up: <path d="m4 9.8 4-4 4 4" />,
  more: (
    <>
      <circle className="fill" cx="3.4" cy="8" r="1.2" />
      <circle className="fill" cx="8" cy="8" r="1.2" />
      <circle className="fill" cx="12.6" cy="8" r="1.2" />
    </>
  ),
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5" />
    </>
  ),
  open: <path d="M9.4 2.6h4v4 M13.2 2.8 7.6 8.4 M11.6 9.4v3a1 1 0 0 1-1 1H3.6a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1h3" />,
  plus: <path d="M8 3v10 M3 8h10" />,
  filter: <path d="M2 4h12 M4.4 8h7.2 M6.6 12h2.8" />,
  menu: <path d="M2.5 4.5h11 M2.5 8h11 M2.5 11.5h11" />,
  clock: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="M8 4.8V8l2.2 1.6" />
    </>
  ),
  info: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="M8 7.4v3.6 M8 5.1v.1" />
    </>
  ),
  warn: <path d="M8 2.4 14.4 13.4H1.6z M8 6.6v3.2 M8 11.5v.1" />,
  fail: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="m5.9 5.9 4.2 4.2 M10.1 5.9l-4.2 4.2" />
    </>
  ),
  done: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="m5.4 8.2 1.8 1.8 3.4-3.8" />
    </>
  ),
  wait: <circle cx="8" cy="8" r="5.8" strokeDasharray="2.2 2.4" />,
  run: <path d="M8 2.2A5.8 5.8 0 1 1 2.2 8" />,
  skip: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="M5.4 8h5.2" />
    </>
  ),
  dismiss: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="m4 12 8-8" />
    </>
  ),
  eye: (
    <>
      <path d="M1.6 8S4 3.8 8 3.8 14.4 8 14.4 8 12 12.2 8 12.2 1.6 8 1.6 8z" />
      <circle cx="8" cy="8" r="1.9" />
    </>
  ),
  again: <path d="M13.4 8A5.4 5.4 0 1 1 11.7 4.1 M13.4 2.2v3.2h-3.2" />,
  fix: (
    <path d="M10.2 2.6a3.6 3.6 0 0 0-3.1 5L2.6 12a1 1 0 0 0 1.4 1.4l4.4-4.4a3.6 3.6 0 0 0 4.8-4.4l-2 2-1.8-1.8 2-2a3.5 3.5 0 0 0-1.2-.2z" />
  ),
  folder: <path d="M1.8 4.2a1 1 0 0 1 1-1h3.4l1.4 1.6h5.6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H2.8a1 1 0 0 1-1-1z" />,
  branch: (
    <>
      <circle cx="4.4" cy="3.8" r="1.6" />
      <circle cx="4.4" cy="12.2" r="1.6" />
      <circle cx="11.6" cy="5.2" r="1.6" />
      <path d="M4.4 5.4v5.2 M11.6 6.8c0 2.6-4.4 1.6-7 3.4" />
    </>
  ),
  person: (
    <>
      <circle cx="8" cy="5.2" r="2.6" />
      <path d="M2.8 13.6a5.2 5.2 0 0 1 10.4 0" />
    </>
  ),
  offline: (
    <>
      <path d="M2 2l12 12 M5.2 9a4.4 4.4 0 0 1 1.6-.8 M9.6 8.4A4.4 4.4 0 0 1 10.8 9 M2.6 6.6a8 8 0 0 1 2-1.3 M7.6 4.5a8 8 0 0 1 5.8 2.1" />
      <circle className="fill" cx="8" cy="11.8" r="1" />
    </>
  ),
  p0: (
    <>
      <path className="fill" d="M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2z" />
      <path stroke="var(--surface)" strokeWidth="1.8" d="M8 4.6v3.9 M8 11.2v.1" />
    </>
  ),
  p1: <path className="fill" d="M8 2 15 13.8H1z" />,
  p2: (
    <>
      <path d="M8 1.8 14.2 8 8 14.2 1.8 8z" />
      <path className="fill" d="M8 1.8 14.2 8 8 14.2z" />
    </>
  ),
  p3: <circle cx="8" cy="8" r="5.4" />,
  finding: (
    <>
      <circle cx="8" cy="8" r="5.6" />
      <path d="M8 .9v4 M8 11.1v4 M.9 8h4 M11.1 8h4" />
    </>
  ),
  advisory: <path d="M8 1.9 13.6 5v6L8 14.1 2.4 11V5z M2.6 5.1 8 8.1l5.4-3 M8 8.1v5.8" />,
  suggestion: <path d="M5.8 11.2c0-1.4-1.9-2.2-1.9-4.8a4.1 4.1 0 0 1 8.2 0c0 2.6-1.9 3.4-1.9 4.8z M6.3 13.8h3.4" />,
  shield: <path d="M8 1.8 13.2 4v4c0 3.4-2.4 5.4-5.2 6.4C5.2 13.4 2.8 11.4 2.8 8V4z" />
} as const

export type IconName = keyof typeof shapes
