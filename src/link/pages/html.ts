import { parseUrl } from '../../platform/parse-url.ts'

/** Text that is HTML already: `html` puts it where it is, and escapes everything else. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text
  }
}

/** What may stand in a template; `null`, `undefined` and `false` are nothing. */
export type Part = Html | string | number | null | undefined | false | readonly Part[]

/**
 * HTML of a template. What stands in it is escaped, so that it is text between tags and in quoted attributes alike:
 * html`<p title="${'"'}">${'<b>'}</p>` is `<p title="&quot;">&lt;b&gt;</p>`. An attribute without quotes is refused.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const [first = '', ...rest] = strings
  return new Html(parts.reduce<string>((before, part, place) => join(before, part, rest[place] ?? ''), first))
}

function join(before: string, part: Part, after: string): string {
  if (/=\s*$/.test(before)) throw new Error('An attribute needs its quotes.')
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

const escaped = (text: string): string => text.replace(/[&<>"'`]/g, (sign) => ENTITIES[sign] ?? '')

/** An address that a link may lead to; null for what is no address of the web, such as `javascript:`. */
export function webAddress(address: string | null): string | null {
  if (address === null) return null
  if (/^\/(?![/\\])/.test(address)) return address
  const url = parseUrl(address)
  return url && ['https:', 'http:'].includes(url.protocol) ? url.href : null
}

/** The address of a picture that asks no other server for it: a picture in itself, or one of ours. */
export function ownPicture(address: string): string | null {
  return /^data:image\/(svg\+xml|png|jpeg|webp|gif)[;,]/i.test(address) || /^\/(?![/\\])/.test(address)
    ? address
    : null
}
