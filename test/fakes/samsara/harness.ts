import { startFake, type FakeOptions, type RunningFake } from '../kit/start-fake.ts'
import { documented } from '../documented.ts'

/** The fake with a test client: every response of a documented path is validated against the document. */

export interface HarnessResponse<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
  readonly text: string
}

export interface Page<Item = Record<string, unknown>> {
  readonly data: readonly Item[]
  readonly pagination: { readonly endCursor: string; readonly hasNextPage: boolean }
}

/** A pto state is one word instead of two; a duty status may be empty or new, and a label new. */
const relaxed = (schema: Readonly<Record<string, unknown>>) => {
  const formats = schema['enum']
  if (!Array.isArray(formats)) return schema
  if (formats.includes('active, inactive')) return { ...schema, enum: ['active', 'inactive'] }
  if (formats.includes('HarshTurn')) return { ...schema, enum: [...formats, 'LooseCargoDetected'] }
  return formats.includes('offDuty') ? { ...schema, enum: [...formats, '', 'loading'] } : schema
}

const faultsOf = documented(new URL('openapi.json', import.meta.url), relaxed)

export const TOKEN = 'fake-token-1'

export interface FakeHarness extends AsyncDisposable {
  readonly fake: RunningFake
  get<Body = Page>(path: string, token?: string): Promise<HarnessResponse<Body>>
  /** Reads every item of a list over all pages. */
  all<Item = Record<string, unknown>>(path: string): Promise<Item[]>
  send<Body>(
    method: string,
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<HarnessResponse<Body>>
}

/** Starts the fake. Its rate limits are high, unless a test sets them. */
export async function runSamsara(options: FakeOptions = {}, budgets = { '*': 10_000 }): Promise<FakeHarness> {
  const fake = await startFake('samsara', { vehicles: 6, days: 12, ...options })
  await fetch(`${fake.url}/_fake/budgets`, { method: 'POST', body: JSON.stringify(budgets) })

  async function send<Body>(path: string, init: RequestInit): Promise<HarnessResponse<Body>> {
    const response = await fetch(fake.url + path, { redirect: 'manual', ...init })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const body = (isJson ? JSON.parse(text) : null) as Body
    return { status: response.status, headers: response.headers, body, text }
  }

  async function get<Body>(path: string, token = TOKEN): Promise<HarnessResponse<Body>> {
    const answer = await send<Body>(path, { headers: { authorization: `Bearer ${token}` } })
    const faults = faultsOf('GET', path.replace(/\?.*/, ''), answer.status, answer.body)
    if (faults.length > 0) throw new Error(`${faults.slice(0, 5).join('\n')}\n${answer.text.slice(0, 500)}`)
    return answer
  }

  async function all<Item>(path: string): Promise<Item[]> {
    const items: Item[] = []
    for (let after = ''; ;) {
      const { body } = await get<Page<Item>>(`${path}${path.includes('?') ? '&' : '?'}after=${after}`)
      items.push(...body.data)
      if (!body.pagination.hasNextPage) return items
      after = body.pagination.endCursor
    }
  }

  return {
    fake,
    get,
    all,
    send: (method, path, body, headers = { authorization: `Bearer ${TOKEN}` }) =>
      send(path, { method, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }),
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  }
}

/** Returns a query string. */
export const query = (values: Readonly<Record<string, string | number>>): string =>
  new URLSearchParams(
    Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
