import { type FakeOptions, type RunningFake, startFake } from '../kit/start-fake.ts'

export const now = '2026-06-15T18:00:00.000Z'

/** A running fake, and a client with the token of customer 1. */
export interface FakeHarness extends AsyncDisposable {
  readonly fake: RunningFake
  get<T>(path: string): Promise<T>
  answer(path: string, init?: RequestInit): Promise<Response>
}

export async function runTraccar(options: FakeOptions = {}): Promise<FakeHarness> {
  const fake = await startFake('traccar', { now, vehicles: 12, ...options })
  const answer = (path: string, init: RequestInit = {}) =>
    fetch(`${fake.url}/api/${path}`, { headers: { authorization: 'Bearer token-1' }, ...init })
  return {
    fake,
    answer,
    get: async <T>(path: string) => {
      const response = await answer(path)
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return (await response.json()) as T
    },
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  }
}

export const period = (from: string, to: string): string => `from=${from}T00:00:00Z&to=${to}T00:00:00Z`
