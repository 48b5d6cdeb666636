import { Fragment, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { marked } from "marked";
import sanitizeHtml from "sanitize-html";
import { useSearchParams } from "react-router-dom";

const ICONS = { ok: "<svg viewBox='0 0 2 2'><circle r='1'/></svg>", bad: "<svg viewBox='0 0 2 2'/>" } as const;

export function Icon({ name }: { name: keyof typeof ICONS }) {
  // right: CWE-79 drawing out of a table of constants
  return <span dangerouslySetInnerHTML={{ __html: ICONS[name] }} />;
}

export function Markdown({ text }: { text: string }) {
  const html = useMemo(() => sanitizeHtml(marked.parse(text, { async: false })), [text]);
  // right: CWE-79 sanitised in a memo
  return <div dangerouslySetInnerHTML={{ __html: html }} />;
}

export function MarkdownLoose() {
  const [params] = useSearchParams();
  const html = useMemo(() => marked.parse(params.get("text") ?? "", { async: false }), [params]);
  // wrong: CWE-79 Markdown of the address without sanitising
  return <div dangerouslySetInnerHTML={{ __html: html }} />;
}

export function Highlight({ text, word }: { text: string; word: string }) {
  const parts = text.split(word);
  return (
    <p>
      {parts.map((part, index) => (
        // right: CWE-79 parts are text
        <Fragment key={index}>{part}{index < parts.length - 1 && <mark>{word}</mark>}</Fragment>
      ))}
    </p>
  );
}

export function Editor({ onSave }: { onSave: (text: string) => void }) {
  const ref = useRef<HTMLDivElement>(null);
  return (
    <div
      ref={ref}
      contentEditable
      // right: CWE-79 markup is read and not written
      onBlur={() => onSave(ref.current!.innerHTML)}
    />
  );
}

export function Counter({ children }: { children: ReactNode }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    // right: CWE-94 function in setInterval
    const timer = setInterval(() => setSeconds((old) => old + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return <p>{children}{seconds}</p>;
}

export function Download({ rows }: { rows: readonly string[] }) {
  const url = useMemo(() => URL.createObjectURL(new Blob([rows.join("\n")], { type: "text/csv" })), [rows]);
  // right: CWE-79 address of a blob of text
  return <a href={url} download="rows.csv">download</a>;
}

export function Share() {
  const [params] = useSearchParams();
  const back = params.get("back") ?? "/";
  return (
    <nav>
      {/* wrong: CWE-79 javascript: in an action */}
      <form action={back} method="post"><button type="submit">back</button></form>
      {/* right: CWE-79 text of a button */}
      <button type="button" title={back}>{back}</button>
      {/* right: CWE-79 fragment of the same page */}
      <a href={`#${encodeURIComponent(back)}`}>here</a>
    </nav>
  );
}

export function Popup() {
  const open = (id: number) => {
    // right: CWE-601 number in a path of our own
    window.open(`/receipts/${id}`, "_blank", "noopener,noreferrer");
  };
  return <button type="button" onClick={() => open(1)}>receipt</button>;
}

export function Object({ params }: { params: URLSearchParams }) {
  // wrong: CWE-79 data of an object element
  return <object data={params.get("document") ?? ""} type="text/html" aria-label="document" />;
}
