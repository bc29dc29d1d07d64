import { lists, operationOf } from '../catalogue.ts'
import { check, type Check, equals, holds } from '../check.ts'
import { pathOf } from '../paths.ts'
import { type JsonObject, some, type Subject, textAt, responseText, valueAt, withQuery } from '../subject.ts'
import { keyOf } from './lists.ts'
import { problemIn } from './errors.ts'

/** Page sizes, hidden and deleted records, IFTA, and quirks of clients. */

const JSON_TYPE = { 'content-type': 'application/json' }

/** Checks which records a flag shows. */
async function shownBy(subject: Subject, path: string, flag: 'hidden' | 'deleted'): Promise<void> {
  const isOne = (row: JsonObject) =>
    flag === 'deleted'
      ? valueAt(row, 'metadata.deletedAt') !== undefined
      : textAt(row, 'metadata.visibility').startsWith('hidden')
  const plain = await subject.allNow(path)
  holds(!plain.some(isOne), `${path} shows ${flag} records by default`)
  const requested = await subject.allNow(`${path}?${flag}=true`)
  some(requested.filter(isOne), `${flag} records in ${path}`)
  const others = requested.filter((row) => !isOne(row))
  equals(others.map(keyOf).toSorted(), plain.map(keyOf).toSorted(), `the extra records of ${flag}=true`)
  const refusedFlag = await subject.allNow(`${path}?${flag}=false`)
  equals(refusedFlag.length, plain.length, `${flag}=false`)
}

const flags = [
  check('4.9-hidden', (subject) => shownBy(subject, '/drivers', 'hidden')),
  check('4.9-deleted', (subject) => shownBy(subject, '/drivers', 'deleted')),
  check('3.2-hidden-on-request', (subject) => shownBy(subject, '/drivers', 'hidden')),
  check('3.2-deleted-on-request', (subject) => shownBy(subject, '/drivers', 'deleted')),
  check('g3.4-hidden', (subject) => shownBy(subject, '/vehicles', 'hidden'), 'vehicles'),
  ...['vehicles', 'trailers', 'groups', 'devices'].map((slug) =>
    check('g3.4-deleted', (subject) => shownBy(subject, `/${slug}`, 'deleted'), slug),
  ),
  check('4.9-defaults', async (subject) => {
    const plain = await subject.allNow('/drivers')
    const spelled = await subject.allNow('/drivers?hidden=false&deleted=false')
    equals(spelled.map(keyOf), plain.map(keyOf), 'the records of hidden=false&deleted=false')
    for (const row of plain) equals(valueAt(row, 'metadata.visibility'), 'visible', textAt(row, 'id'))
  }),
  check('3.2-vehicle-statuses', (subject) => statuses(subject, '/vehicles', ['active', 'inactive'])),
  check('3.2-driver-statuses', (subject) => statuses(subject, '/drivers', ['active'])),
  check('3.2-sync-modes', async (subject) => {
    for (const row of some(await subject.all('/connections'), 'connection'))
      holds(['automatic', 'manual'].includes(textAt(row, 'syncMode')), textAt(row, 'syncMode'))
  }),
  check('3.2-provider-statuses', async (subject) => {
    const { body } = await subject.get('/providers')
    for (const { status } of body as JsonObject[])
      holds(['live', 'beta', 'sandbox', 'deprecated'].includes(String(status)), String(status))
  }),
]

async function statuses(subject: Subject, path: string, seen: readonly string[]): Promise<void> {
  const rows = await subject.all(`${path}?hidden=true&deleted=true`)
  for (const row of rows) holds(['active', 'inactive'].includes(textAt(row, 'status')), textAt(row, 'status'))
  for (const status of seen)
    some(
      rows.filter((row) => row['status'] === status),
      `${status} in ${path}`,
    )
}

/** Checks the page size without a limit, and with a limit above the maximum. */
async function pageSizes(subject: Subject, slug: string, preset: number, most: number): Promise<string> {
  const path = await pathOf(subject, operationOf(slug))
  const all = await subject.all(path)
  some(all.slice(preset), `more than ${preset} records in ${path}`)
  equals((await subject.page(path)).results.length, preset, 'the records of a page')
  const most_ = (await subject.page(withQuery(path, { limit: String(most * 10) }))).results.length
  equals(most_, Math.min(most, all.length), `the records of a page with limit=${most * 10}`)
  return `${all.length} records`
}

const paging = [
  check('d4-clamped', async (subject) => {
    for (const limit of ['1001', '100000', '2147483648', '99999999999999999999']) {
      const { results } = await subject.page(`/trips?limit=${limit}`)
      holds(results.length <= 1000, `limit=${limit} gives ${results.length}`)
    }
  }),
  check('d4-below-one', async (subject) => {
    for (const limit of ['0', '-1', '1.5', 'ten'])
      problemIn(await subject.get(`/drivers?limit=${limit}`), '{requestQuery}.limit')
  }),
  check('d4-default-and-maximum', (subject) => pageSizes(subject, 'trips', 100, 1000), 'trips'),
  check('d4-default-and-maximum', (subject) => pageSizes(subject, 'track', 500, 10_000), 'track'),
  check('d4-default-and-maximum', (subject) => pageSizes(subject, 'stats', 500, 10_000), 'stats'),
  check('4.16-default-page', async (subject) => {
    const all = await subject.all('/trips')
    const { results, next } = await subject.page('/trips')
    equals(next !== undefined, all.length > results.length, 'whether there is a next page')
  }),
  ...lists.map((list) =>
    check(
      'c4-next-absent',
      async (subject) => {
        const pages: unknown[] = []
        const path = await pathOf(subject, list)
        for await (const page of subject.pages(withQuery(path, { limit: '1000' }))) pages.push(page.next)
        equals(pages.at(-1) === undefined, true, 'the last page ends the list')
        const last = await subject.ok(withQuery(path, { limit: '1000' }))
        holds(last['next'] !== null && last['next'] !== '', '`next` is null or empty')
      },
      list.slug,
    ),
  ),
  check('c4-cursor-moves', async (subject) => {
    const seen = new Set<string>()
    for await (const { next } of subject.pages('/trips?limit=7')) {
      holds(next === undefined || !seen.has(next), 'a cursor repeats')
      if (next !== undefined) seen.add(next)
    }
  }),
]

const empties = ['limit', 'cursor', 'expand', 'raw', 'modifiedAfter', 'hidden', 'nonsense']

async function emptyValues(subject: Subject): Promise<void> {
  const plain = (await subject.page('/drivers')).results.map(keyOf)
  for (const name of empties)
    equals((await subject.page(`/drivers?${name}=`)).results.map(keyOf), plain, `${name}=`)
  equals((await subject.page(`/drivers?${empties.join('=&')}=`)).results.map(keyOf), plain, 'all of them')
}

async function unknownHeaders(subject: Subject): Promise<void> {
  const headers = { 'x-application-id': 'app_nonsense', 'x-nonsense': 'x'.repeat(500), 'x-request-id': 'a' }
  for (const path of ['/drivers?limit=1', '/connections/current', '/connections?limit=1']) {
    const answer = await subject.get(path, { headers })
    holds(answer.status === 200, responseText(answer))
  }
}

const quirks = [
  check('d4-empty-is-absent', emptyValues),
  check('c3-empty-values', emptyValues),
  check('d5-unknown-header', unknownHeaders),
  check('c3-unknown-headers', unknownHeaders),
  check('c1-content-type-without-body', async (subject) => {
    for (const path of ['/drivers?limit=1', '/connections/current', '/providers', '/connections?limit=1']) {
      const answer = await subject.get(path, { headers: JSON_TYPE })
      holds(answer.status === 200, responseText(answer))
    }
    for (const verb of ['retry', 'cancel']) {
      const path = `/syncs/sync_01J8ZQ4N5R8X2V6T3W1Y7K9M0P/${verb}`
      const answer = await subject.send('POST', path, { headers: JSON_TYPE })
      equals(answer.status, 404, responseText(answer))
    }
  }),
  check('c2-double-slashes', async (subject) => {
    for (const path of [
      '/tsp/v1//drivers?limit=1',
      '//tsp/v1/drivers?limit=1',
      '/tsp/v1//vehicles//locations',
    ])
      equals((await subject.get(path)).status, 200, path)
  }),
]

async function ifta(subject: Subject, query: string): Promise<readonly JsonObject[]> {
  return subject.allNow(`/ifta/summary?${query}`)
}

const groupings: readonly (readonly [groupBy: string, members: readonly string[]])[] = [
  ['jurisdiction', ['jurisdiction']],
  ['vehicle', ['vehicle']],
  ['jurisdiction,vehicle', ['jurisdiction', 'vehicle']],
  ['month,vehicle,jurisdiction', ['jurisdiction', 'month', 'vehicle']],
  ['vehicle,jurisdiction,month', ['jurisdiction', 'month', 'vehicle']],
]

const range = ({ startMonth = '', endMonth = '' } = operationOf('ifta').always ?? {}): string =>
  `startMonth=${startMonth}&endMonth=${endMonth}`

const grouped = (rows: readonly JsonObject[], members: readonly string[]): void => {
  for (const row of some(rows, 'IFTA summary'))
    for (const name of ['vehicle', 'jurisdiction', 'month'])
      holds(!(name in row) || members.includes(name), `\`${name}\` is present without its grouping`)
  const total = rows.map((row) => members.map((name) => row[name]).join(' '))
  equals(new Set(total).size, total.length, 'how many groups there are')
}

const iftaChecks = [
  check('4.14-months', async (subject) => {
    const rows = await ifta(subject, `${range()}&groupBy=vehicle,jurisdiction,month`)
    const months = [...new Set(some(rows, 'IFTA summary').map((row) => textAt(row, 'month')))].toSorted()
    for (const month of [months[0], months.at(-1)]) {
      const one = await ifta(
        subject,
        `startMonth=${month}&endMonth=${month}&groupBy=vehicle,jurisdiction,month`,
      )
      equals(
        one.map(keyOf).toSorted(),
        rows
          .filter((row) => row['month'] === month)
          .map(keyOf)
          .toSorted(),
        `${month}`,
      )
    }
    for (const missing of ['', `startMonth=${months[0]}`])
      holds(
        (await subject.get(`/ifta/summary?${missing}`)).status === 400,
        `${missing || 'no month'} is not refused`,
      )
  }),
  check('4.14-group-by', async (subject) => {
    const rows = await ifta(subject, `${range()}&groupBy=vehicle,jurisdiction`)
    grouped(rows, ['vehicle', 'jurisdiction'])
    equals((await ifta(subject, range())).map(keyOf), rows.map(keyOf), 'the summary without groupBy')
  }),
  check('4.14-group-by-others', async (subject) => {
    const sum = (rows: readonly JsonObject[]) =>
      rows.reduce((total, row) => total + Number(row['distance']), 0)
    const whole = sum(await ifta(subject, `${range()}&groupBy=vehicle,jurisdiction`))
    for (const [groupBy, members] of groupings) {
      const rows = await ifta(subject, `${range()}&groupBy=${groupBy}`)
      grouped(rows, members)
      holds(
        Math.abs(sum(rows) - whole) < 0.1 + whole / 1000,
        `the distances of ${groupBy} add up to another sum`,
      )
    }
  }),
  check('g3.4-types', async (subject) => {
    const path = await pathOf(subject, operationOf('stats'))
    const all = await subject.all(path)
    const [one, other = one] = some([...new Set(all.map((row) => textAt(row, 'type')))], 'type of stat log')
    for (const types of [[one], [one, other], [other, one]]) {
      const got = await subject.allNow(withQuery(path, { types: types.join(',') }))
      const expected = all.filter((row) => types.includes(textAt(row, 'type')))
      equals(got.map(keyOf).toSorted(), expected.map(keyOf).toSorted(), `types=${types.join(',')}`)
    }
  }),
]

export const decisionChecks: readonly Check[] = [...flags, ...paging, ...quirks, ...iftaChecks]
