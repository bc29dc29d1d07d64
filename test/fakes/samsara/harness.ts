import { startFake, type FakeOptions, type RunningFake } from '../kit/start-fake.ts'
import { responseValidator } from '../response-validator.ts'

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

/**
 * Corrects enums of Samsara's OpenAPI document. One has two PTO states as a single value. Others lack values that the
 * fake sends.
 */
const withCorrectedEnum = (schema: Readonly<Record<string, unknown>>) => {
  const values = schema['enum']
  if (!Array.isArray(values)) return schema
  if (values.includes('active, inactive')) return { ...schema, enum: ['active', 'inactive'] }
  if (values.includes('HarshTurn')) return { ...schema, enum: [...values, 'LooseCargoDetected'] }
  return values.includes('offDuty') ? { ...schema, enum: [...values, '', 'loading'] } : schema
}

const problemsOf = responseValidator(new URL('openapi.json', import.meta.url), withCorrectedEnum)

export const TOKEN = 'fake-token-1'

export interface FakeHarness extends AsyncDisposable {
  readonly fake: RunningFake
  get<Body = Page>(path: string, token?: string): Promise<HarnessResponse<Body>>
  /** Reads the items of all pages of a list. */
  all<Item = Record<string, unknown>>(path: string): Promise<Item[]>
  send<Body>(
    method: string,
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<HarnessResponse<Body>>
}

/**
 * Starts the fake, and a client that validates every response to `get`. By default no test reaches the rate limits.
 */
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
    const problems = problemsOf('GET', path.replace(/\?.*/, ''), answer.status, answer.body)
    if (problems.length > 0)
      throw new Error(`${problems.slice(0, 5).join('\n')}\n${answer.text.slice(0, 500)}`)
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

/** Formats the query of a URL. */
export const query = (values: Readonly<Record<string, string | number>>): string =>
  new URLSearchParams(
    Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
