/*
 * The style of the page. Colours and letters are those of docs/site/landing.css.
 */
#include "cli/bench/page/style.h"

#include <stddef.h>

/* clang-format off */
const char *const page_style[] = {
    ":root {",
    "  color-scheme: light dark;",
    "  --page: #ffffff; --text: #1f2328; --soft: #59636e; --line: #d0d7de; --cell: #f6f8fa;",
    "  --link: #0550ae; --bar: #0969da;",
    "}",
    "@media (prefers-color-scheme: dark) {",
    "  :root {",
    "    --page: #0d1117; --text: #f0f6fc; --soft: #9198a1; --line: #3d444d; --cell: #151b23;",
    "    --link: #79c0ff; --bar: #4493f8;",
    "  }",
    "}",
    "* { box-sizing: border-box; }",
    "body {",
    "  margin: 0 auto; padding: 0 16px 48px; max-width: 1120px; overflow-wrap: anywhere;",
    "  background: var(--page); color: var(--text); font: 16px/1.55 system-ui, sans-serif;",
    "}",
    "a { color: var(--link); }",
    "h1 { font-size: 1.8rem; line-height: 1.2; margin: 24px 0 8px; }",
    "h2 { font-size: 1.4rem; margin: 40px 0 8px; }",
    "code, pre { font: 0.9em/1.5 ui-monospace, monospace; }",
    "pre {",
    "  background: var(--cell); border: 1px solid var(--line); border-radius: 6px;",
    "  padding: 12px; white-space: pre-wrap;",
    "}",
    ".note { color: var(--soft); font-size: 0.9rem; margin: 12px 0 0; }",
    "table { border-collapse: collapse; font-size: 0.9rem; line-height: 1.35; }",
    "th, td { border: 1px solid var(--line); padding: 5px 10px; text-align: left; }",
    "th { background: var(--cell); font-weight: 600; }",
    "tbody th { font-weight: 400; }",
    ".facts { width: 100%; margin: 16px 0; }",
    ".facts th { width: 12rem; }",
    /* Tables that are wider than the screen scroll by themselves, and their cells stay in a line. */
    ".wide { overflow-x: auto; margin: 12px 0; }",
    ".wide table { min-width: 100%; white-space: nowrap; }",
    ".number { text-align: right; font-variant-numeric: tabular-nums; }",
    ".refusal { color: var(--soft); white-space: normal; min-width: 16rem; }",
    ".share { white-space: nowrap; font-variant-numeric: tabular-nums; }",
    ".share svg { width: 8rem; height: 0.8em; margin-left: 8px; }",
    ".share rect { fill: var(--bar); }",
    ".share path { stroke: var(--text); stroke-width: 2; vector-effect: non-scaling-stroke; }",
    "@media (max-width: 480px) { .facts th { width: 7.5rem; } }",
    "@media (max-width: 859px) {",
    "  .wide th, .wide td { padding: 5px 6px; }",
    "  .share svg { width: 5rem; }",
    "}",
    "@media (min-width: 860px) { body { padding: 0 32px 64px; } }",
    NULL,
};
/* clang-format on */
