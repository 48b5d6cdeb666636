import Link from "next/link";
import { useState } from "react";

export function Links({ address }: { address: string }) {
  return (
    <nav>
      {/* wrong: CWE-1022 opener is handed to a foreign page */}
      <a href={address} target="_blank" rel="opener">elsewhere</a>
      {/* right: CWE-1022 without an opener */}
      <a href="https://partner.example.org/" target="_blank" rel="noopener noreferrer">partner</a>
      {/* right: CWE-1022 same window */}
      <a href="https://partner.example.org/">partner</a>
      {/* right: CWE-1022 page of our own */}
      <Link href="/terms" target="_blank">terms</Link>
      {/* wrong: CWE-1022 without rel */}
      <a target="_blank" href="https://other.example.org/">other</a>
    </nav>
  );
}

export function Frames() {
  return (
    <main>
      {/* wrong: CWE-1021 both flags undo the sandbox */}
      <iframe title="one" src="/embedded" sandbox="allow-scripts allow-same-origin" />
      {/* right: CWE-1021 scripts in an origin of their own */}
      <iframe title="two" src="/embedded" sandbox="allow-scripts" />
    </main>
  );
}

export function Scripts() {
  return (
    <>
      {/* wrong: CWE-319 script in clear text */}
      <script src="http://cdn.example.org/library.js" />
      {/* wrong: CWE-353 script of others without a checksum */}
      <script src="https://cdn.example.org/library.js" />
      {/* right: CWE-353 script with a checksum */}
      <script src="https://cdn.example.org/library.js" integrity="sha384-c29tZS1pbnZlbnRlZC1jaGVja3N1bS1vZi1hLWxpYnJhcnkt" crossOrigin="anonymous" />
      {/* right: CWE-353 script of our own */}
      <script src="/static/library.js" />
    </>
  );
}

export function Login() {
  const [password, setPassword] = useState("");
  return (
    <>
      {/* wrong: CWE-319 form in clear text */}
      <form action="http://accounts.example.com/login" method="post">
        {/* right: CWE-549 hidden letters */}
        <input type="password" name="password" value={password} onChange={(event) => setPassword(event.target.value)} />
      </form>
      {/* wrong: CWE-598 password in the address */}
      <form action="/login" method="get">
        <input type="password" name="password" />
      </form>
      {/* right: CWE-598 a search by GET */}
      <form action="/search" method="get">
        <input type="search" name="q" />
      </form>
    </>
  );
}

export function remember(token: string, theme: string): void {
  // wrong: CWE-922 token in a storage that scripts can read
  localStorage.setItem("accessToken", token);
  // right: CWE-922 a harmless choice
  localStorage.setItem("theme", theme);
}

// wrong: CWE-200 secret that is built into the page
export const publicSecret = process.env.NEXT_PUBLIC_PAYMENT_SECRET_KEY;
// right: CWE-200 address that is meant for the page
export const publicAddress = process.env.NEXT_PUBLIC_API_URL;
