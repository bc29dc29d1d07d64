/** Content of the consent page. */
interface ConsentRequest {
  readonly clientId: string
  /** Parameters of the request. Hidden fields of the form submit them again. */
  readonly params: readonly (readonly [name: string, value: string])[]
}

const CSP =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'"

export const PAGE_HEADERS = {
  'Content-Security-Policy': CSP,
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
}

export function consentPage({ clientId, params }: ConsentRequest): string {
  const hidden = params.map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
  )
  return page(
    'Sign in',
    `<h1>Sign in to Sandbox</h1>
<p><strong>${escaped(clientId)}</strong> requests read access to your fleet: vehicles, drivers, locations, trips, hours of service, safety events, vehicle health and fuel tax.</p>
<form method="post" action="authorize">
${hidden.join('\n')}
<label for="user">User name</label>
<input id="user" name="user" value="sandbox-50-1" required autocomplete="username" aria-describedby="hint">
<p id="hint">Every name has its own simulated fleet. No password is needed. <code>sandbox-50-1</code> has 50 vehicles.</p>
<div><button name="decision" value="allow">Allow</button>
<button name="decision" value="deny" class="quiet" formnovalidate>Deny</button></div>
</form>`,
  )
}

export const problemPage = (problem: string): string =>
  page('Error', `<h1>Sign-in is not possible</h1>\n<p>${escaped(problem)}</p>`)

const page = (title: string, main: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Sandbox</title><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body><main>
${main}
</main></body>
</html>
`

const STYLE = `:root{color-scheme:light dark;--line:#8d8677;--paper:#fff;--ground:#f4efe6;--ink:#26221c;--brand:#8a5a10;--on:#fff}
@media(prefers-color-scheme:dark){:root{--paper:#23201b;--ground:#171512;--ink:#f1ece2;--brand:#e3a94b;--on:#1c1609}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{width:100%;max-width:26rem;padding:2rem;background:var(--paper);border-top:.3rem solid var(--brand);border-radius:.6rem}
h1{margin:0 0 1rem;font-size:1.4rem}label{display:block;margin-bottom:.3rem;font-weight:600}code{white-space:nowrap}
input{width:100%;padding:.6rem;font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:.4rem}
#hint{margin:.3rem 0 1.2rem;font-size:.9rem}div{display:flex;gap:.8rem}
button{flex:1;padding:.7rem;font:inherit;font-weight:600;color:var(--on);background:var(--brand);border:2px solid var(--brand);border-radius:.4rem;cursor:pointer}
.quiet{color:var(--ink);background:transparent;border-color:var(--line)}:focus-visible{outline:3px solid var(--brand);outline-offset:2px}`

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
