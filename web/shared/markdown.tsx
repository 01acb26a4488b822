// A small part of Markdown as elements: what a text says can never become anything but text.
//
// Headings, paragraphs, lists, quotations, rules, code; in lines emphasis, code and links.

import type { ComponentChildren, VNode } from "preact";

const inline = /(`[^`\n]+`)|(\*\*[^*\n]+\*\*)|(\*[^*\n]+\*|_[^_\n]+_)|(\[[^\]\n]+\]\([^)\s]+\))/;

const isSafe = (href: string) => /^(https?:\/\/|mailto:|\/(?!\/)|#)/i.test(href);

function spans(text: string): ComponentChildren[] {
  const out: ComponentChildren[] = [];
  let rest = text;
  for (let found = inline.exec(rest); found; found = inline.exec(rest)) {
    if (found.index > 0) out.push(rest.slice(0, found.index));
    const piece = found[0];
    if (found[1]) out.push(<code>{piece.slice(1, -1)}</code>);
    else if (found[2]) out.push(<strong>{spans(piece.slice(2, -2))}</strong>);
    else if (found[3]) out.push(<em>{spans(piece.slice(1, -1))}</em>);
    else {
      const middle = piece.indexOf("](");
      const href = piece.slice(middle + 2, -1);
      const words = piece.slice(1, middle);
      out.push(
        isSafe(href) ? (
          <a href={href} rel="noopener noreferrer nofollow">
            {words}
          </a>
        ) : (
          words
        ),
      );
    }
    rest = rest.slice(found.index + piece.length);
  }
  if (rest) out.push(rest);
  return out;
}

function listOf(lines: string[], isOrdered: boolean): VNode {
  const items = lines.map((line) => <li>{spans(line.replace(/^\s*([-*+]|\d+[.)])\s+/, ""))}</li>);
  return isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
}

function blockOf(block: string): VNode {
  const lines = block.split("\n");
  const heading = /^(#{1,4})\s+(.*)$/.exec(lines[0] ?? "");
  if (heading && lines.length === 1) {
    // A text's own headings come below the page's.
    const Tag = (["h3", "h4", "h5", "h6"] as const)[(heading[1] ?? "").length - 1] ?? "h6";
    return <Tag>{spans(heading[2] ?? "")}</Tag>;
  }
  if (/^(-{3,}|\*{3,})$/.test(block.trim())) return <hr />;
  if (lines.every((line) => /^\s*[-*+]\s+/.test(line))) return listOf(lines, false);
  if (lines.every((line) => /^\s*\d+[.)]\s+/.test(line))) return listOf(lines, true);
  if (lines.every((line) => line.startsWith(">"))) {
    return (
      <blockquote>{blocksOf(lines.map((line) => line.replace(/^>\s?/, "")).join("\n"))}</blockquote>
    );
  }
  return <p>{lines.flatMap((line, i) => (i > 0 ? [<br />, ...spans(line)] : spans(line)))}</p>;
}

function blocksOf(text: string): VNode[] {
  const out: VNode[] = [];
  const parts = text.replaceAll("\r\n", "\n").split(/^```[^\n]*\n([\s\S]*?)^```[^\S\n]*$/m);
  parts.forEach((part, i) => {
    if (i % 2 === 1) {
      out.push(
        <pre tabIndex={0}>
          <code>{part}</code>
        </pre>,
      );
      return;
    }
    for (const block of part.split(/\n\s*\n/)) {
      if (block.trim()) out.push(blockOf(block.replace(/^\n+|\n+$/g, "")));
    }
  });
  return out;
}

export function Markdown({ text }: { text: string }) {
  return <div class="markdown">{blocksOf(text)}</div>;
}
