import { parseUrl } from '../../platform/parse-url.ts'

/** Text that is already HTML. `html` inserts it unchanged, and escapes all other values. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text
  }
}

/** Value in a template; `null`, `undefined` and `false` render nothing. */
export type Part = Html | string | number | null | undefined | false | readonly Part[]

/**
 * Renders a template. Values are escaped, for text between tags and in quoted attributes:
 * html`<p title="${'"'}">${'<b>'}</p>` is `<p title="&quot;">&lt;b&gt;</p>`.
 * Throws for a value directly after `=`, because it may be an attribute value without quotes.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const [first = '', ...rest] = strings
  return new Html(parts.reduce<string>((before, part, index) => join(before, part, rest[index] ?? ''), first))
}

function join(before: string, part: Part, after: string): string {
  if (/=\s*$/.test(before)) throw new Error('A value directly after `=` in a template needs quotes.')
  return before + toText(part) + after
}

function toText(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(toText).join('')
  return escaped(String(part))
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

/** Path of this server. A second slash would begin the name of another server. */
const PATH = /^\/(?![/\\])/

const escaped = (text: string): string => text.replace(/[&<>"'`]/g, (character) => ENTITIES[character] ?? '')

/**
 * Returns a URL to which a link may lead: a path of this server, or a URL with http or https. Returns null for any
 * other URL, such as one with `javascript:`.
 */
export function safeLinkUrl(url: string | null): string | null {
  if (url === null) return null
  if (PATH.test(url)) return url
  const parsed = parseUrl(url)
  return parsed && ['https:', 'http:'].includes(parsed.protocol) ? parsed.href : null
}

/**
 * Returns the URL of an image that needs no request to another server: a `data:` image, or a path of this server.
 * Returns null for any other.
 */
export function safeImageUrl(url: string): string | null {
  return /^data:image\/(svg\+xml|png|jpeg|webp|gif)[;,]/i.test(url) || PATH.test(url) ? url : null
}
