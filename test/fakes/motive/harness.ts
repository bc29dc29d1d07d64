import { type FakeOptions, type RunningFake, startFake } from '../kit/start-fake.ts'

export const KEY = 'fake-key-1'
export const now = '2026-06-15T18:00:00.000Z'

export interface HarnessResponse<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
  readonly text: string
}

export interface Pagination {
  readonly per_page: number
  readonly page_no: number
  readonly total: number
}

export type Page = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> & {
  readonly pagination: Pagination
}

/** A running fake, and a client with the key of company 1. */
export interface FakeHarness extends AsyncDisposable {
  readonly fake: RunningFake
  get<Body = Page>(path: string, headers?: Record<string, string>): Promise<HarnessResponse<Body>>
  /** Reads all pages of a list and unwraps its items. */
  all<Item>(path: string, headers?: Record<string, string>): Promise<Item[]>
  send<Body>(
    method: string,
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<HarnessResponse<Body>>
}

const credentials = { 'x-api-key': KEY }

export async function runMotive(options: FakeOptions = {}): Promise<FakeHarness> {
  const fake = await startFake('motive', { now, vehicles: 12, days: 20, ...options })

  async function send<Body>(path: string, init: RequestInit): Promise<HarnessResponse<Body>> {
    const response = await fetch(fake.url + path, { redirect: 'manual', ...init })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const body = (isJson ? JSON.parse(text) : null) as Body
    return { status: response.status, headers: response.headers, body, text }
  }

  async function all<Item>(path: string, headers = {}): Promise<Item[]> {
    const items: Item[] = []
    for (let pageNo = 1; ; pageNo++) {
      const request = `${path}${path.includes('?') ? '&' : '?'}per_page=100&page_no=${pageNo}`
      const { body, status, text } = await send<Page>(request, { headers: { ...credentials, ...headers } })
      if (status !== 200) throw new Error(`${request}: ${status} ${text}`)
      const { pagination, ...lists } = body
      const [list = []] = Object.values(lists)
      items.push(...list.map((wrapped) => Object.values(wrapped)[0] as Item))
      if (!pagination || pageNo * pagination.per_page >= pagination.total) return items
    }
  }

  return {
    fake,
    all,
    get: (path, headers = {}) => send(path, { headers: { ...credentials, ...headers } }),
    send: (method, path, body, headers = credentials) =>
      send(path, { method, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }),
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  }
}

export const query = (values: Readonly<Record<string, string | number>>): string =>
  new URLSearchParams(
    Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
