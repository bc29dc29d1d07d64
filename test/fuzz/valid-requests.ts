import type { Pool } from './pool.ts'
import type { Random } from './random.ts'
import type { Target } from './rest-operations.ts'
import { escaped } from './wire.ts'

/** A request that mutations change in place. */
export interface MutableRequest {
  method: string
  path: string
  query: [string, string][]
  headers: [string, string][]
  body: string | undefined
  changed: string[]
}

export interface Keys {
  readonly secretKey: string
  readonly token: string
}

/** Returns a valid request with some of the parameters. */
export function validRequest(
  random: Random,
  target: Target,
  pool: Pool,
  { secretKey, token }: Keys,
): MutableRequest {
  const body = target.members === null ? undefined : validBody(random, target.members, pool)
  return {
    method: target.method,
    path: `/tsp/v1${target.path.replaceAll(/\{(\w+)\}/g, () => idFor(random, target, pool))}`,
    query: random
      .some(target.query, 0.3)
      .map((name) => [name, escaped(validValue(random, target, name, pool))]),
    headers: [
      ['authorization', `Bearer ${secretKey}`],
      ['connection-token', token],
      ...(body === undefined ? [] : ([['content-type', 'application/json']] as [string, string][])),
    ],
    body,
    changed: [],
  }
}

const prefixes: Readonly<Record<string, string>> = {
  vehicles: 'vcl_',
  drivers: 'drv_',
  safety: 'sft_evt_',
  syncs: 'sync_',
  issues: 'isu_',
}

/** Returns an id of the path's kind, and sometimes another one. */
function idFor(random: Random, { path }: Target, { ids }: Pool): string {
  const prefix = prefixes[path.split('/')[1] ?? ''] ?? ''
  const fitting = ids.filter((id) => id.startsWith(prefix) && /^[0-9A-Z]{26}$/.test(id.slice(prefix.length)))
  return random.pick(fitting.length === 0 || random.chance(0.1) ? ids : fitting)
}

const TIMES = ['2026-01-01T00:00:00Z', '2020-06-30T12:00:00.000Z', new Date().toISOString()]

export function validValue(random: Random, target: Target, name: string, pool: Pool): string {
  const choices = target.choices[name] ?? []
  if (choices.length > 0) return random.pick(choices)
  if (name === 'limit') return random.pick(['1', '2', '50'])
  if (name === 'cursor') return random.pick([...pool.cursors, ''])
  if (/Ids?$/.test(name))
    return random.pick([random.pick(pool.ids), `${random.pick(pool.ids)},${random.pick(pool.ids)}`])
  if (name.endsWith('Month')) return random.pick(['2026-01', '2025-12', new Date().toISOString().slice(0, 7)])
  if (/(Date|Day)$/.test(name)) return random.pick(TIMES).slice(0, 10)
  if (/(After|Before|At|From)$/.test(name)) return random.pick(TIMES)
  if (/^(raw|hidden|deleted)$/.test(name)) return random.pick(['true', 'false'])
  return random.pick(pool.texts)
}

const validMembers: Readonly<Record<string, (random: Random, pool: Pool) => unknown>> = {
  status: (random) => random.pick(['connected', 'nonsense', 'connected']),
  publicToken: () => `pub_tkn_${'0'.repeat(32)}`,
  provider: () => 'sandbox',
  credentials: () => ({ apiKey: 'revoked-fuzz' }),
  options: () => ({}),
  company: () => ({ name: 'Fuzz', dotNumbers: ['1'] }),
  externalId: (random, pool) => random.pick(pool.texts),
  syncMode: (random) => random.pick(['automatic', 'manual']),
  backfill: () => ({ days: 1 }),
  tags: () => ['fuzz'],
  agreements: () => [],
  filters: (random, pool) => ({ vehicles: { excludeIds: [random.pick(pool.ids)] } }),
  startFrom: (random) => random.pick(TIMES),
  days: (random) => random.below(3),
  providerRequests: () => ['historical_files'],
  method: (random) => random.pick(['GET', 'POST', 'DELETE']),
  path: (random) => random.pick(['/account', '/vehicles', '/nonsense']),
  headers: () => ({ 'x-fuzz': '1' }),
  body: () => '{}',
}

function validBody(random: Random, members: readonly string[], pool: Pool): string {
  const chosen = members.filter((name) =>
    random.chance(['publicToken', 'provider', 'credentials', 'method', 'path'].includes(name) ? 0.9 : 0.3),
  )
  return JSON.stringify(
    Object.fromEntries(chosen.map((name) => [name, validMembers[name]?.(random, pool) ?? 'x'])),
  )
}
