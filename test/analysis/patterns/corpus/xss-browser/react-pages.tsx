import DOMPurify from "dompurify";
import { useEffect, useRef, useState } from "react";
import { useParams, useSearchParams } from "react-router-dom";

export function Search() {
  const [params] = useSearchParams();
  // wrong: CWE-79 query value as markup
  return <div dangerouslySetInnerHTML={{ __html: params.get("q") ?? "" }} />;
}

export function SearchText() {
  const [params] = useSearchParams();
  // right: CWE-79 React escapes text
  return <div>{params.get("q")}</div>;
}

export function Article({ body }: { body: string }) {
  return (
    <article>
      {/* right: CWE-79 purified markup */}
      <section dangerouslySetInnerHTML={{ __html: DOMPurify.sanitize(body) }} />
      {/* right: CWE-79 constant markup */}
      <footer dangerouslySetInnerHTML={{ __html: "&copy; Example" }} />
    </article>
  );
}

export function Comment({ id }: { id: string }) {
  const [comment, setComment] = useState({ html: "", site: "" });
  useEffect(() => {
    fetch(`/api/comments/${encodeURIComponent(id)}`).then((answer) => answer.json()).then(setComment);
  }, [id]);
  return (
    <div>
      {/* wrong: CWE-79 comment of somebody as markup */}
      <p dangerouslySetInnerHTML={{ __html: comment.html }} />
      {/* right: CWE-79 comment as text */}
      <p title={comment.html}>{comment.html}</p>
    </div>
  );
}

export function Profile() {
  const [params] = useSearchParams();
  const { name } = useParams();
  return (
    <div>
      {/* wrong: CWE-79 href may be javascript: */}
      <a href={params.get("website") ?? ""}>website</a>
      {/* right: CWE-79 fixed start of the address */}
      <a href={`/users/${encodeURIComponent(name ?? "")}`}>profile</a>
      {/* wrong: CWE-79 frame source of the query */}
      <iframe src={params.get("widget") ?? ""} title="widget" />
      {/* right: CWE-79 constant frame */}
      <iframe src="https://maps.example.com/embed" title="map" sandbox="allow-scripts" />
    </div>
  );
}

export function Preview() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // wrong: CWE-79 ref with the fragment
    ref.current!.innerHTML = decodeURIComponent(window.location.hash);
  }, []);
  return <div ref={ref} />;
}

export function Website({ value }: { value: string }) {
  const [params] = useSearchParams();
  const given = params.get("site") ?? "";
  const safe = /^https?:\/\//i.test(given) ? given : "#";
  return (
    <p>
      {value}
      {/* right: CWE-79 scheme is tested at the start */}
      <a href={safe}>open</a>
    </p>
  );
}

export function Schema({ product }: { product: { name: string } }) {
  const json = JSON.stringify({ "@type": "Product", name: product.name }).replace(/</g, "\\u003c");
  // right: CWE-79 structured data with escaped brackets
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
