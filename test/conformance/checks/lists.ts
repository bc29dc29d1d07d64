import { type Operation, catalogue, lists, operationOf } from '../catalogue.ts'
import { check, type Check, equals, fail, holds, shortened, Unmet } from '../check.ts'
import { pathOf } from '../paths.ts'
import { type JsonObject, some, type Subject, valueAt, withQuery } from '../subject.ts'
import { problemIn } from './errors.ts'

/** Parts 4 and 8: rules for every list. */

/** Returns a key that is unique in a list, also for records without ids. */
export const keyOf = (row: JsonObject): string =>
  typeof row['id'] === 'string'
    ? row['id']
    : JSON.stringify([row['vehicle'] ?? row['driver'] ?? row['trailer'], row['jurisdiction'], row['month']])

const keysOf = (rows: readonly JsonObject[]): string[] => rows.map(keyOf)

/** Returns all records of a list in default order. */
export async function rowsOf(
  subject: Subject,
  operation: Operation,
): Promise<readonly [JsonObject, ...JsonObject[]]> {
  if (operation.needs === 'token') subject.needsToken()
  return some(await subject.all(await pathOf(subject, operation)), `records in ${operation.path}`)
}

/** Runs a comparison. Retries one of live data once, because the data may change between two reads. */
export async function retryOnce<T>({ live }: Operation, comparison: () => Promise<T>): Promise<T> {
  try {
    return await comparison()
  } catch (error) {
    if (!live || !(error instanceof Unmet)) throw error
    return comparison()
  }
}

const shape = (operation: Operation) =>
  check(
    '4-list-shape',
    async (subject) => {
      const page = await subject.ok(await pathOf(subject, operation))
      equals(
        Object.keys(page).filter((name) => name !== 'results' && name !== 'next'),
        [],
        'members other than results and next',
      )
      holds(Array.isArray(page['results']), 'results is no array')
      holds(!('next' in page) || typeof page['next'] === 'string', 'next is no string')
    },
    operation.slug,
  )

const MAX_SMALL_PAGES = 12

const paging = (operation: Operation) =>
  check(
    '4-cursor',
    async (subject) => {
      const expected = keysOf(await rowsOf(subject, operation))
      const path = await pathOf(subject, operation)
      const limit = Math.max(1, Math.ceil(expected.length / MAX_SMALL_PAGES))
      const got: string[] = []
      const cursors = new Set<string>()
      for await (const { results, next } of subject.pages(withQuery(path, { limit: String(limit) }))) {
        got.push(...keysOf(results))
        holds(next === undefined || !cursors.has(next), `the cursor ${next} repeats`)
        if (next !== undefined) cursors.add(next)
      }
      equals(got.toSorted(), expected.toSorted(), 'the records of all pages')
      return `${expected.length} records in ${cursors.size + 1} pages`
    },
    operation.slug,
  )

const limiting = (operation: Operation) =>
  check(
    '4-limit',
    async (subject) => {
      await rowsOf(subject, operation)
      const path = await pathOf(subject, operation)
      for (const limit of [1, 2, 3]) {
        const { results } = await subject.page(withQuery(path, { limit: String(limit) }))
        holds(results.length <= limit && results.length > 0, `limit=${limit} gives ${results.length}`)
      }
    },
    operation.slug,
  )

const raw = (operation: Operation, statement: string) =>
  check(
    statement,
    async (subject) => {
      const path = await pathOf(subject, operation)
      const rowsWith = async (requested: string) => {
        const body = await subject.ok(withQuery(path, { raw: requested }))
        const { results = [body] } = body as { results?: JsonObject[] }
        return some(results, `records in ${path}`)
      }
      for (const row of await rowsWith('true'))
        holds(Array.isArray(row['raw']), `raw is no array in ${shortened(JSON.stringify(row))}`)
      for (const row of await rowsWith('false')) holds(!('raw' in row), 'raw is present with raw=false')
      if (operation.answers === 'list')
        holds(!(await subject.page(path)).results.some((row) => 'raw' in row), 'raw is present by default')
    },
    operation.slug,
  )

const listsOf = (operation: Operation): Check[] => [
  shape(operation),
  paging(operation),
  limiting(operation),
  ...('raw' in operation.query ? [raw(operation, '4-raw')] : []),
]

const idsParameters = catalogue.flatMap((operation) =>
  (['vehicleIds', 'driverIds'] as const)
    .filter((name) => name in operation.query)
    .map((name) => ({ operation, name, field: name === 'vehicleIds' ? 'vehicle' : 'driver' })),
)

const manyIds = (field: string, count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `${field === 'vehicle' ? 'vcl' : 'drv'}_01J8ZQ4N5R8X2V6T3W1Y7K${String(at).padStart(4, '0')}`,
  ).join(',')

const filtering = (statement: string, operation: Operation, name: string, field: string, of?: string) =>
  check(
    statement,
    (subject) => retryOnce(operation, () => compareFiltered(subject, operation, name, field)),
    of,
  )

async function compareFiltered(
  subject: Subject,
  operation: Operation,
  name: string,
  field: string,
): Promise<void> {
  const path = await pathOf(subject, operation)
  const all = operation.live ? await subject.allNow(path) : await rowsOf(subject, operation)
  const rows = all.filter((row) => typeof row[field] === 'string')
  const [one, other = one] = some([...new Set(rows.map((row) => String(row[field])))], field)
  for (const wanted of [[one], [one, other]]) {
    const got = await subject.allNow(withQuery(path, { [name]: wanted.join(',') }))
    const expected = rows.filter((row) => wanted.includes(String(row[field])))
    equals(keysOf(got).toSorted(), keysOf(expected).toSorted(), `${name}=${wanted.join(',')}`)
  }
  const unmatched = await subject.page(withQuery(path, { [name]: manyIds(field, 1) }))
  equals(unmatched.results, [], `the records of an unknown ${field}`)
}

const idLimitCheck = (statement: string, operation: Operation, name: string, field: string) =>
  check(
    statement,
    async (subject) => {
      const path = await pathOf(subject, operation)
      await subject.page(withQuery(path, { [name]: manyIds(field, 50) }))
      const answer = await subject.get(withQuery(path, { [name]: manyIds(field, 51) }))
      problemIn(answer, `{requestQuery}.${name}`)
    },
    operation.slug,
  )

/** Parts that name the filter themselves. */
const ownPart = new Set(['4.8', '4.10', '4.11', '4.12', '4.13'])

const idFilters = idsParameters.flatMap(({ operation, name, field }) => {
  const slug = `${field}-ids`
  const own = ownPart.has(operation.part)
  return [
    filtering('4-ids', operation, name, field, `${operation.slug} ${name}`),
    own
      ? filtering(`${operation.part}-${slug}`, operation, name, field)
      : filtering(`g3.4-${slug}`, operation, name, field, operation.slug),
    idLimitCheck(own ? `8-${slug}` : '4-ids-at-most-50', operation, name, field),
  ]
})

const results = (part: string, slug: string) =>
  check(`${part}-results`, async (subject) => {
    const [row] = await rowsOf(subject, operationOf(slug))
    const expectedMembers: Readonly<Record<string, string>> = {
      drivers: 'metadata.addedAt',
      locations: 'location.longitude',
      ifta: 'distance',
    }
    const member = expectedMembers[slug] ?? 'id'
    holds(valueAt(row, member) !== undefined, `${member} is missing in ${shortened(JSON.stringify(row))}`)
  })

export const listChecks: readonly Check[] = [
  ...lists.flatMap(listsOf),
  raw(operationOf('vehicle'), '4.7-raw'),
  raw(operationOf('driver'), 'g3.4-raw'),
  raw(operationOf('safety-event'), 'g3.4-raw'),
  ...idFilters,
  check('4-ids-at-most-50', checkIdLimit),
  results('4.8', 'locations'),
  results('4.9', 'drivers'),
  results('4.10', 'trips'),
  results('4.11', 'hos-logs'),
  results('4.12', 'safety-events'),
  results('4.13', 'fault-codes'),
  results('4.14', 'ifta'),
  check('4.13-variants', async (subject) => {
    const protocols = new Set(
      (await rowsOf(subject, operationOf('fault-codes'))).map((row) => row['protocol']),
    )
    for (const protocol of ['j1939', 'obdii'])
      some(
        [...protocols].filter((seen) => seen === protocol),
        `fault code event of ${protocol}`,
      )
  }),
  check('4.16-whole-by-cursor', async (subject) => {
    const trips: string[] = []
    for await (const { results } of subject.pages('/trips')) trips.push(...keysOf(results))
    const expected = keysOf(await rowsOf(subject, operationOf('trips')))
    equals(trips.toSorted(), expected.toSorted(), 'the trips of all pages')
    return `${trips.length} trips`
  }),
]

async function checkIdLimit(subject: Subject): Promise<void> {
  await subject.page(`/trips?vehicleIds=${manyIds('vehicle', 50)}`)
  const answer = await subject.get(`/trips?vehicleIds=${manyIds('vehicle', 51)}`)
  if (answer.status !== 400) fail(`51 ids: status ${answer.status}`)
}
