import type { Calls } from './calls.ts'
import type { Fake, FakeContext } from './fake.ts'
import type { Fault, Faults } from './faults.ts'
import { type Call, ok, type Route } from './http.ts'
import type { Limits } from './limits.ts'

interface FakeState {
  readonly faults: Faults
  readonly calls: Calls
  readonly limits: Limits
}

/** Returns the routes that control a fake in tests. */
export function controlsOf(
  fake: Fake,
  { clock }: FakeContext,
  { faults, calls, limits }: FakeState,
): Route[] {
  const now = () => ok({ now: new Date(clock.now()).toISOString() })
  return [
    { method: 'GET', path: '/_fake/clock', handle: now },
    post('/_fake/clock', (body: Parameters<typeof clock.move>[0]) => (clock.move(body), now())),
    post('/_fake/faults', (body: Fault | Fault[]) => {
      for (const fault of [body].flat()) faults.add(fault)
      return ok({ waiting: faults.waiting })
    }),
    { method: 'GET', path: '/_fake/faults', handle: () => ok({ waiting: faults.waiting }) },
    { method: 'DELETE', path: '/_fake/faults', handle: () => (faults.clear(), ok({ waiting: 0 })) },
    { method: 'GET', path: '/_fake/calls', handle: ({ query }) => ok(calls.report(windowsIn(query))) },
    { method: 'DELETE', path: '/_fake/calls', handle: () => (calls.reset(), ok(calls.report([]))) },
    { method: 'GET', path: '/_fake/limits', handle: () => ok(limits.report()) },
    { method: 'DELETE', path: '/_fake/limits', handle: () => (limits.reset(), ok(limits.report())) },
    { method: 'GET', path: '/_fake/behaviours', handle: () => ok(fake.switches.list()) },
    post('/_fake/behaviours', (body: Record<string, string>) => {
      fake.switches.set(body)
      return ok(fake.switches.list())
    }),
    { method: 'GET', path: '/_fake/truth/:model', handle: (call) => truthOf(fake, call) },
  ]
}

const post = <T>(path: string, handle: (body: T) => ReturnType<typeof ok>): Route => ({
  method: 'POST',
  path,
  handle: ({ body }) => handle(JSON.parse(body) as T),
})

/** ?windowMilliseconds=1000,60000 */
const windowsIn = (query: URLSearchParams): number[] =>
  (query.get('windowMilliseconds') ?? '1000,60000').split(',').map(Number)

function truthOf(fake: Fake, { params, query }: Call) {
  const recordsOf = fake.truth[params['model'] ?? '']
  if (!recordsOf) return { status: 404, body: { known: Object.keys(fake.truth) } }
  const [from, to] = [query.get('from'), query.get('to')].map((at) => (at === null ? null : Date.parse(at)))
  return ok(recordsOf(Number(query.get('account') ?? 1), from ?? 0, to ?? Number.MAX_SAFE_INTEGER))
}
