import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

/**
 * Which folder may import which; `base` are the files directly in src. A folder in brackets may be imported for its
 * types alone. What is not listed is refused.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  base: [],
  auth: ['base'],
  storage: ['base'],
  queue: ['base'],
  providers: ['base', 'queue/redis-connection.ts'],
  ifta: ['base'],
  subgraphs: ['base', 'auth', 'storage', 'queue', 'providers', 'outgoing'],
  metrics: ['base'],
  tracing: ['base'],
  outgoing: ['base'],
  webhooks: ['base', 'storage', 'queue', 'subgraphs', 'outgoing', '(auth)'],
  // What is read of providers and how it is stored, for whoever asks them.
  intake: ['base', 'storage', 'queue', 'providers', 'webhooks', 'subgraphs'],
  sync: ['base', 'storage', 'queue', 'providers', 'webhooks', 'subgraphs', 'ifta', 'intake', '(auth)'],
  gateway: ['base', 'auth', 'subgraphs', 'intake/ask-latest.ts'],
  link: ['base', 'auth', 'storage', 'providers', 'queue', 'subgraphs', 'outgoing', '(http)'],
  http: [
    'base',
    '(auth)',
    'auth/caller.ts',
    '(gateway)',
    '(subgraphs)',
    'gateway/answer.ts',
    'gateway/refusals.ts',
  ],
  cli: [
    'base',
    'sync/renormalizing/renormalize.ts',
    'sync/renormalizing/renormalized.ts',
    'gateway',
    'storage',
    'subgraphs',
    'auth',
    'queue',
    'providers',
    'outgoing',
    'open-providers.ts',
  ],
  'rest-compat': ['errors.ts', 'ids.ts', 'time.ts', 'auth/caller.ts', '(gateway)', '(auth)', '(log.ts)'],
  // They build the service and run it: nothing imports them.
  'start-service.ts': ['*'],
  'main.ts': ['base', 'start-service.ts', 'banner.ts'],
  'observation.ts': ['base', '(metrics)', 'metrics', 'tracing'],
  'readiness.ts': ['base', '(storage)', '(queue)', '(webhooks)', 'http'],
  'open-providers.ts': ['base', 'providers', 'outgoing'],
  'open-tools.ts': [
    'base',
    'auth',
    'storage',
    'queue',
    'providers',
    'open-providers.ts',
    'demo.ts',
    'key-file.ts',
    '(sync)',
  ],
  'open-gateway.ts': ['base', 'auth', 'gateway', 'outgoing', 'subgraphs', '(sync)', '(elsewhere.ts)'],
  'elsewhere.ts': ['base', 'gateway', '(http)'],
  'doors.ts': ['base', 'http', 'gateway', 'link', 'rest-compat', '(metrics)', '(open-gateway.ts)', '(sync)'],
  'demo.ts': ['base', '(auth)', '(storage)', '(providers)', 'subgraphs'],
  'banner.ts': ['base', '(start-service.ts)'],
}

/** Of a subgraph, the others see what it stores, never how it reads. */
const nounsOnly = new Set(['webhooks', 'intake', 'sync'])
const READING = /(\.resolver|\/reads|\/subgraph|\/define)\.ts$/

const BUILDERS = new Set([
  'start-service.ts',
  'main.ts',
  'demo.ts',
  'banner.ts',
  'observation.ts',
  'readiness.ts',
  'open-providers.ts',
  'open-tools.ts',
  'open-gateway.ts',
  'elsewhere.ts',
  'doors.ts',
])

interface Import {
  readonly file: string
  readonly target: string
  readonly typeOnly: boolean
}

const root = resolve(import.meta.dirname, '..')

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))

const files = [...filesIn('src'), ...filesIn('rest-compat')]

const importsOf = (file: string): Import[] => {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/^(?:import|export)\b(?: (type)\b)?[^;'"]*?from '(\.[^']+)'/gms)].map(
    ([statement, type, target = '']) => ({
      file,
      target: relative(root, resolve(root, dirname(file), target)),
      typeOnly: type === 'type' || onlyTypes(statement),
    }),
  )
}

const onlyTypes = (statement: string): boolean => {
  const names = /\{([^}]*)\}/s.exec(statement)?.[1]
  return (
    names !== undefined &&
    names.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type '))
  )
}

/** Where a file is, in the words of the table. */
function placeOf(file: string): string {
  const [top = '', second = '', third] = file.split('/')
  if (top !== 'src') return top
  if (third !== undefined) return second
  return BUILDERS.has(second) ? second : 'base'
}

const nameInTable = (file: string): string => file.replace(/^src\//, '')

function isAllowed({ file, target, typeOnly }: Import): boolean {
  const [from, to] = [placeOf(file), placeOf(target)]
  if (from === to && from !== 'subgraphs') return true
  const rules = allowed[from] ?? []
  if (from === 'subgraphs') return subgraphMayImport(file, target, to, rules)
  const listed = (place: string) =>
    rules.includes('*') || rules.includes(place) || (typeOnly && rules.includes(`(${place})`))
  if (nounsOnly.has(from) && to === 'subgraphs' && READING.test(target)) return false
  return listed(to) || listed(nameInTable(target))
}

/** Subgraphs meet only in the schema. */
function subgraphMayImport(file: string, target: string, to: string, rules: readonly string[]): boolean {
  if (to !== 'subgraphs') return rules.includes(to)
  const subgraphOf = (path: string) => path.split('/').slice(0, 3).join('/')
  return subgraphOf(target) === subgraphOf(file) || dirname(target) === 'src/subgraphs'
}

describe('the folders', () => {
  test('import only what the table allows', () => {
    const broken = files.flatMap(importsOf).filter((used) => !isAllowed(used))
    expect(broken.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
  })

  test('are all in the table', () => {
    expect([...new Set(files.map(placeOf))].filter((place) => !(place in allowed))).toEqual([])
  })

  test('the simulated provider shares nothing with the adapter that reads it', () => {
    const simulator = files
      .filter((file) => file.startsWith('src/providers/sandbox/simulator/'))
      .flatMap(importsOf)
    expect(simulator.filter(({ target }) => !target.startsWith('src/providers/sandbox/simulator/'))).toEqual(
      [],
    )
    const adapter = files
      .filter((file) => file.startsWith('src/providers/') && !file.includes('/simulator/'))
      .flatMap(importsOf)
    expect(adapter.filter(({ target }) => target.includes('/simulator/'))).toEqual([])
  })

  test('the fakes of providers share nothing with the service that reads them', () => {
    const fakes = filesIn('test/fakes').filter((file) => !file.endsWith('.test.ts'))
    expect(fakes.length).toBeGreaterThan(40)
    const shared = fakes.flatMap(importsOf).filter(({ target }) => !target.startsWith('test/fakes/'))
    expect(shared.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
    const borrowed = files.flatMap(importsOf).filter(({ target }) => target.startsWith('test/'))
    expect(borrowed.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
  })

  test('the check sees a forbidden import', () => {
    const planted = {
      file: 'src/subgraphs/records/trip.ts',
      target: 'src/subgraphs/fleet/vehicle.ts',
      typeOnly: false,
    }
    expect(isAllowed(planted)).toBe(false)
    expect(
      isAllowed({ file: 'src/gateway/engine.ts', target: 'src/storage/database.ts', typeOnly: false }),
    ).toBe(false)
    expect(isAllowed({ file: 'rest-compat/route.ts', target: 'src/storage/table.ts', typeOnly: false })).toBe(
      false,
    )
  })
})

describe('names', () => {
  test('say what is inside', () => {
    expect(files.filter((file) => /\/(utils?|helpers?|common|shared|misc|types)\.ts$/.test(file))).toEqual([])
    expect(files.filter((file) => readFileSync(join(root, file), 'utf8').includes('export default'))).toEqual(
      [],
    )
  })
})
