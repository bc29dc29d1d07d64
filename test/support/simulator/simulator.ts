import type { Options } from '../../../src/providers/sandbox/simulator/options.ts'
import type { Page } from '../../../src/providers/sandbox/simulator/pagination.ts'
import { startSimulator } from '../../../src/providers/sandbox/simulator/server.ts'

export interface JsonResponse<T> {
  status: number
  headers: Headers
  body: T
}

/** Members that most lists share. */
export interface Identified {
  id: string
}

/** Starts a simulator on a free port, with a client for it. */
export async function runSimulator(options: Partial<Options> = {}) {
  const simulator = await startSimulator({ ratePerSecond: 10_000, ...options })
  const origin = `http://127.0.0.1:${simulator.port}`

  async function get<T = Page<Identified>>(path: string, key = 'sandbox-50-1'): Promise<JsonResponse<T>> {
    const response = await fetch(origin + path, { headers: key ? { authorization: `Bearer ${key}` } : {} })
    return { status: response.status, headers: response.headers, body: (await response.json()) as T }
  }

  async function all<T = Identified>(path: string, key?: string): Promise<T[]> {
    const records: T[] = []
    let next = path
    for (;;) {
      const { status, body } = await get<Page<T>>(next, key)
      if (status !== 200) throw new Error(`${next}: ${JSON.stringify(body)}`)
      records.push(...body.data)
      if (body.cursor === null) return records
      next = `${path}${path.includes('?') ? '&' : '?'}cursor=${body.cursor}`
    }
  }

  /** Returns the roster records that are not marked as removed. */
  async function live<T = Identified>(path: string, key?: string): Promise<T[]> {
    const records = await all<T & { removedAt: string | null }>(path, key)
    return records.filter(({ removedAt }) => removedAt === null)
  }

  async function control(path: string, body: object): Promise<void> {
    const response = await fetch(`${origin}/control/${path}`, { method: 'POST', body: JSON.stringify(body) })
    if (!response.ok) throw new Error(await response.text())
  }

  return { origin, get, all, live, control, [Symbol.asyncDispose]: () => simulator.close() }
}
