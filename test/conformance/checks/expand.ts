import { catalogue, type Operation } from '../catalogue.ts'
import { check, type Check, equals, fail, holds, shortened } from '../check.ts'
import { pathOf } from '../paths.ts'
import { isJsonObject, type JsonObject, some, type Subject, textAt, withQuery } from '../subject.ts'
import { keyOf, rowsOf, retryOnce } from './lists.ts'

/** `expand` of every operation, in each combination and order. */

/** List that contains the records of a reference, by the name of the reference. */
const lists: Readonly<Record<string, string>> = {
  groups: '/groups?deleted=true',
  parent: '/groups?deleted=true',
  devices: '/devices?deleted=true',
  vehicle: '/vehicles?deleted=true&hidden=true',
  driver: '/drivers?deleted=true&hidden=true',
  codrivers: '/drivers?deleted=true&hidden=true',
  trailer: '/trailers?deleted=true',
  connection: '/connections',
  issues: '/issues',
}

/** Returns every order of every subset of names: for two `a`, `b`, `a,b` and `b,a`. */
export function combinations(names: readonly string[]): string[] {
  const orders = (rest: readonly string[]): string[][] => [
    [],
    ...rest.flatMap((name) =>
      orders(rest.filter((other) => other !== name)).map((order) => [name, ...order]),
    ),
  ]
  return orders(names)
    .filter((order) => order.length > 0)
    .map((order) => order.join(','))
}

const idsIn = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(idsIn)
  return isJsonObject(value) ? value['id'] : value
}

const PAGE = '200'

async function pageOf(
  subject: Subject,
  operation: Operation,
  expand?: string,
): Promise<readonly JsonObject[]> {
  const path = await pathOf(subject, operation)
  const limit = operation.answers === 'list' ? PAGE : undefined
  const requested = withQuery(path, { limit, expand })
  const body = operation.live ? await subject.ok(requested) : await subject.okOnce(requested)
  const { results = [body] } = body as { results?: JsonObject[] }
  return results
}

/** Compares the records of an expanded response with those of a response without `expand`. */
function compare(
  plain: readonly JsonObject[],
  expanded: readonly JsonObject[],
  names: readonly string[],
  all: readonly string[],
) {
  const plainRows = new Map(plain.map((row) => [keyOf(row), row]))
  for (const row of expanded) {
    const plainRow = plainRows.get(keyOf(withIds(row, names)))
    if (!plainRow) continue
    for (const name of all) {
      equals(idsIn(row[name]), plainRow[name], `the ids of ${name}`)
      const values = [row[name]].flat().filter((value) => value !== undefined)
      const isExpanded = names.includes(name)
      for (const value of values)
        holds(
          isJsonObject(value) === isExpanded,
          `${name} is ${shortened(JSON.stringify(value))} with expand=${names.join(',')}`,
        )
    }
  }
}

const withIds = (row: JsonObject, names: readonly string[]): JsonObject => ({
  ...row,
  ...Object.fromEntries(names.filter((name) => name in row).map((name) => [name, idsIn(row[name])])),
})

async function compareExpanded(subject: Subject, operation: Operation, only?: string): Promise<string> {
  const plain = await pageOf(subject, operation)
  for (const name of only === undefined ? operation.expand : only.split(','))
    some(
      plain.filter((row) => [row[name]].flat().some((value) => value !== undefined)),
      `${operation.slug} with ${name}`,
    )
  const requested = only === undefined ? combinations(operation.expand) : [only]
  for (const expand of requested)
    compare(plain, await pageOf(subject, operation, expand), expand.split(','), operation.expand)
  return requested.join(' ')
}

const statementOf = ({ part, slug }: Operation): string | null => {
  if (['4.7', '4.8', '4.9', '4.10', '4.11', '4.12', '4.13'].includes(part)) return `${part}-expand`
  if (slug === 'syncs' || slug === 'sync') return 'g3.3-expand-issues'
  return part === 'g3.4' ? 'g3.4-expand' : null
}

const expanding = catalogue.filter(({ expand }) => expand.length > 0)

const checksOf = (operation: Operation): Check[] => {
  const statement = statementOf(operation)
  const partChecks =
    statement === null
      ? []
      : [
          check(
            statement,
            (subject) => retryOnce(operation, () => compareExpanded(subject, operation)),
            statement.startsWith('g') ? operation.slug : undefined,
          ),
        ]
  const combinationChecks = combinations(operation.expand).map((names) =>
    check(
      '4-expand',
      (subject) => retryOnce(operation, () => compareExpanded(subject, operation, names)),
      `${operation.slug} ${names}`,
    ),
  )
  return [
    ...partChecks,
    ...combinationChecks,
    ...operation.expand.map((name) => fullModelCheck(operation, name)),
    noRawCheck(operation),
  ]
}

/** Members that may change between two reads of a frequently written record. */
const volatileMembers = new Set([
  'lastConnectedAt',
  'updatedAt',
  'metadata',
  'lastSync',
  'agreements',
  'issues',
])

const withoutVolatile = (row: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !volatileMembers.has(name)))

const fullModelCheck = (operation: Operation, name: string) =>
  check(
    'd7-full-model',
    async (subject) => {
      const rows = await pageOf(subject, operation, name)
      const expanded = rows.flatMap((row) => [row[name]].flat()).filter(isJsonObject)
      const [first] = some(expanded, `${operation.slug} with ${name}`)
      const list = lists[name] ?? fail(`no list has ${name}`)
      const listed = (await subject.all(list)).find((row) => row['id'] === first['id'])
      holds(listed, `${textAt(first, 'id')} is not in ${list}`)
      equals(withoutVolatile(first), withoutVolatile(listed), `the expanded ${name}`)
    },
    `${operation.slug} ${name}`,
  )

const noRawCheck = (operation: Operation) =>
  check(
    'd7-never-raw',
    async (subject) => {
      if ('raw' in operation.query) await requireRows(subject, operation)
      const path = await pathOf(subject, operation)
      const requested = withQuery(path, {
        expand: operation.expand.join(','),
        raw: 'raw' in operation.query ? 'true' : undefined,
      })
      const body = await subject.ok(requested)
      const { results = [body] } = body as { results?: JsonObject[] }
      for (const row of results)
        for (const name of operation.expand)
          for (const value of [row[name]].flat())
            holds(!isJsonObject(value) || !('raw' in value), `the expanded ${name} has raw`)
    },
    operation.slug,
  )

/** Throws `NotApplicable` if the operation is a list without records. */
async function requireRows(subject: Subject, operation: Operation): Promise<void> {
  if (operation.answers === 'list') await rowsOf(subject, operation)
}

export const expandChecks: readonly Check[] = expanding.flatMap(checksOf)
