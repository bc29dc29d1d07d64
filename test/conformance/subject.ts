import { fail, holds, NotApplicable, shortened } from './check.ts'

/** URL and credentials of the service. */
export interface Access {
  /** Base URL before /tsp/v1. */
  readonly url: string
  readonly key: string
  readonly token?: string | undefined
  readonly publicToken?: string | undefined
}

export type JsonObject = Readonly<Record<string, unknown>>

export interface Answer {
  /** Method and path, for messages. */
  readonly requested: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined for a body that is not JSON. */
  readonly body: unknown
}

export interface Sent {
  /** Null sends no header. */
  readonly key?: string | null
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** A string is sent as it is, other values as JSON. */
  readonly body?: unknown
}

/** A request without a response within this time counts as hung. */
const HANG_MS = 60_000
const MAX_PAGES = 500
/** Maximum page size of most lists. */
const MAX_PAGE_SIZE = '1000'

/** The service under test. Checks see only its responses. */
export class Subject {
  private readonly lists = new Map<string, Promise<readonly JsonObject[]>>()
  private readonly answers = new Map<string, Promise<JsonObject>>()

  constructor(readonly access: Access) {}

  /** Returns a client with another connection's token. */
  withToken(token: string): Subject {
    return new Subject({ ...this.access, token })
  }

  get(path: string, sent: Sent = {}): Promise<Answer> {
    return this.send('GET', path, sent)
  }

  /**
   * Sends a request. Paths are relative to /tsp/v1 unless they start with it. Both headers are sent by
   * default.
   */
  async send(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const below = /^\/+tsp\b/.test(path) || path.startsWith('//') ? path : `/tsp/v1${path}`
    const { body } = sent
    const response = await fetch(this.access.url + below, {
      method,
      headers: this.headers(sent),
      signal: AbortSignal.timeout(HANG_MS),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const requested = `${method} ${shortened(below, 160)}`
    return { requested, status: response.status, headers: response.headers, text, body: parsed(text) }
  }

  private headers({ key = this.access.key, token = this.access.token ?? null, headers, body }: Sent) {
    return {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(token === null ? {} : { 'connection-token': token }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    }
  }

  /** Throws if there is no token for checks that read a connection. */
  needsToken(): void {
    if (this.access.token === undefined) throw new NotApplicable('no connection token')
  }

  async ok(path: string, sent: Sent = {}): Promise<JsonObject> {
    return rowOf(succeeded(await this.get(path, sent)))
  }

  /** Sends the request once and caches the body. */
  okOnce(path: string): Promise<JsonObject> {
    return remembered(this.answers, path, () => this.ok(path))
  }

  /** Reads the records of all pages of a list once and caches them. */
  all(path: string): Promise<readonly JsonObject[]> {
    return remembered(this.lists, path, () => this.allNow(path))
  }

  async allNow(path: string): Promise<readonly JsonObject[]> {
    const rows: JsonObject[] = []
    for await (const page of this.pages(withQuery(path, { limit: MAX_PAGE_SIZE }))) rows.push(...page.results)
    return rows
  }

  async *pages(path: string): AsyncGenerator<Page> {
    let cursor: string | undefined
    for (let at = 0; at < MAX_PAGES; at++) {
      const page = pageOf(succeeded(await this.get(withQuery(path, { cursor }))))
      yield page
      if (page.next === undefined) return
      cursor = page.next
    }
    fail(`${path} has more than ${MAX_PAGES} pages`)
  }

  /** Reads a single page. */
  async page(path: string): Promise<Page> {
    return pageOf(succeeded(await this.get(path)))
  }
}

function remembered<T>(known: Map<string, T>, path: string, read: () => T): T {
  const value = known.get(path) ?? read()
  known.set(path, value)
  return value
}

export interface Page {
  readonly results: readonly JsonObject[]
  readonly next: string | undefined
}

/** Returns the path with these parameters; they replace existing ones. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const [bare = '', before = ''] = path.split('?')
  const nameOf = (pair: string): string => pair.split('=', 1)[0] ?? ''
  const kept = before.split('&').filter((pair) => pair !== '' && !(nameOf(pair) in query))
  const given = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  const text = [...kept, ...given].join('&')
  return text === '' ? bare : `${bare}?${text}`
}

export function succeeded(answer: Answer, status = 200): Answer {
  holds(answer.status === status, `${responseText(answer)}: expected ${status}`)
  return answer
}

/** Formats a response for messages. */
export const responseText = ({ requested, status, text }: Answer): string =>
  `${requested} responded ${status} ${shortened(text, 240)}`

export function rowOf(answer: Answer): JsonObject {
  if (!isJsonObject(answer.body)) return fail(`${responseText(answer)}: expected an object`)
  return answer.body
}

export function pageOf(answer: Answer): Page {
  const { results, next } = rowOf(answer)
  if (!Array.isArray(results) || !results.every(isJsonObject))
    return fail(`${responseText(answer)}: expected \`results\`, an array of objects`)
  if (next !== undefined && (typeof next !== 'string' || next === ''))
    return fail(`${responseText(answer)}: \`next\` is not a string`)
  return { results, next }
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns a text member at a path such as `metadata.modifiedAt`. */
export function textAt(row: JsonObject, path: string): string {
  const value = valueAt(row, path)
  return typeof value === 'string'
    ? value
    : fail(`${path} is not a text in ${shortened(JSON.stringify(row))}`)
}

export const valueAt = (row: JsonObject, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => (isJsonObject(inner) ? inner[name] : undefined), row)

/** Throws `NotApplicable` if a check's input is empty. */
export function some<T>(values: readonly T[], what: string): readonly [T, ...T[]] {
  const [first, ...rest] = values
  if (first === undefined) throw new NotApplicable(`the fleet has no ${what}`)
  return [first, ...rest]
}
