import { fail, holds, NotApplicable, shortened } from './check.ts'

/** Where the service is, and what opens it. */
export interface Access {
  /** What stands before /tsp/v1. */
  readonly url: string
  readonly key: string
  readonly token?: string | undefined
  readonly publicToken?: string | undefined
}

export type Row = Readonly<Record<string, unknown>>

export interface Answer {
  /** Method and path, for messages. */
  readonly asked: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined where the answer is no JSON. */
  readonly body: unknown
}

export interface Sent {
  /** Null sends none. */
  readonly key?: string | null
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Text goes as it is, anything else as JSON. */
  readonly body?: unknown
}

/** No answer within this time is a hang. */
const HANG_MS = 60_000
const MOST_PAGES = 500
/** Of most lists. */
const LARGEST_PAGE = '1000'

/** The service that is checked. It is known by its answers alone. */
export class Subject {
  private readonly lists = new Map<string, Promise<readonly Row[]>>()
  private readonly answers = new Map<string, Promise<Row>>()

  constructor(readonly access: Access) {}

  /** The same service, asked with another connection's token. */
  withToken(token: string): Subject {
    return new Subject({ ...this.access, token })
  }

  get(path: string, sent: Sent = {}): Promise<Answer> {
    return this.send('GET', path, sent)
  }

  /** Paths are below /tsp/v1, but for those that start with it. Both headers are sent unless told otherwise. */
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
    const asked = `${method} ${shortened(below, 160)}`
    return { asked, status: response.status, headers: response.headers, text, body: parsed(text) }
  }

  private headers({ key = this.access.key, token = this.access.token ?? null, headers, body }: Sent) {
    return {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(token === null ? {} : { 'connection-token': token }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    }
  }

  /** Whether a check that reads a connection can run at all. */
  needsToken(): void {
    if (this.access.token === undefined) throw new NotApplicable('there is no connection token')
  }

  async ok(path: string, sent: Sent = {}): Promise<Row> {
    return rowOf(succeeded(await this.get(path, sent)))
  }

  /** Asked once and remembered. */
  okOnce(path: string): Promise<Row> {
    return remembered(this.answers, path, () => this.ok(path))
  }

  /** The records of all pages of a list. Read once and remembered. */
  all(path: string): Promise<readonly Row[]> {
    return remembered(this.lists, path, () => this.allNow(path))
  }

  async allNow(path: string): Promise<readonly Row[]> {
    const rows: Row[] = []
    for await (const page of this.pages(withQuery(path, { limit: LARGEST_PAGE }))) rows.push(...page.results)
    return rows
  }

  async *pages(path: string): AsyncGenerator<Page> {
    let cursor: string | undefined
    for (let at = 0; at < MOST_PAGES; at++) {
      const page = pageOf(succeeded(await this.get(withQuery(path, { cursor }))))
      yield page
      if (page.next === undefined) return
      cursor = page.next
    }
    fail(`${path} has not ended after ${MOST_PAGES} pages`)
  }

  /** One page and no more. */
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
  readonly results: readonly Row[]
  readonly next: string | undefined
}

/** The path with these parameters; one that it has already is replaced. */
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
  holds(answer.status === status, `${told(answer)}: expected ${status}`)
  return answer
}

/** An answer in a message. */
export const told = ({ asked, status, text }: Answer): string =>
  `${asked} answered ${status} ${shortened(text, 240)}`

export function rowOf(answer: Answer): Row {
  if (!isRow(answer.body)) return fail(`${told(answer)}: expected an object`)
  return answer.body
}

export function pageOf(answer: Answer): Page {
  const { results, next } = rowOf(answer)
  if (!Array.isArray(results) || !results.every(isRow))
    return fail(`${told(answer)}: expected \`results\`, an array of objects`)
  if (next !== undefined && (typeof next !== 'string' || next === ''))
    return fail(`${told(answer)}: \`next\` is not a string`)
  return { results, next }
}

export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A member that is a text, by a path such as `metadata.modifiedAt`. */
export function textAt(row: Row, path: string): string {
  const value = valueAt(row, path)
  return typeof value === 'string' ? value : fail(`${path} is no text in ${shortened(JSON.stringify(row))}`)
}

export const valueAt = (row: Row, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => (isRow(inner) ? inner[name] : undefined), row)

/** What a check cannot do without. */
export function some<T>(values: readonly T[], what: string): readonly [T, ...T[]] {
  const [first, ...rest] = values
  if (first === undefined) throw new NotApplicable(`the fleet has no ${what}`)
  return [first, ...rest]
}
