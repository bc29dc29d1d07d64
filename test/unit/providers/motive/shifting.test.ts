import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { motiveAdapter } from '../../../../src/providers/motive/adapter.ts'
import type { ProviderApi } from '../../../../src/providers/provider-api.ts'
import type { Reader, ReaderState } from '../../../../src/providers/provider.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'

const WINDOW = { from: 0, to: 1 }
const ASSETS = 260

/** The server returns pages of the current assets. `afterPage` can change the assets after each page. */
let assets: number[] = []
let calls = 0
let afterPage: () => void = () => undefined
/** Maximum page size of the server. It cuts larger pages. */
let maxPageSize = Infinity
interface Pagination {
  readonly per_page: number
  readonly page_no: number
  readonly total: number
}
/** Returns the form in which the server describes a page. */
let paginationOf: (pagination: Pagination) => object
const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://server')
  const [perPage, pageNo] = ['per_page', 'page_no'].map((name) => Number(searchParams.get(name))) as [
    number,
    number,
  ]
  const size = Math.min(perPage, maxPageSize)
  const page = assets.slice((pageNo - 1) * size, pageNo * size)
  calls++
  const pagination = paginationOf({ per_page: size, page_no: pageNo, total: assets.length })
  response.end(JSON.stringify({ assets: page.map((id) => ({ asset: { id } })), pagination }))
  afterPage()
})
let api: ProviderApi

beforeEach(async () => {
  assets = Array.from({ length: ASSETS }, (_, index) => index + 1)
  calls = 0
  afterPage = () => undefined
  maxPageSize = Infinity
  paginationOf = (pagination) => pagination
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const adapter = motiveAdapter(undefined, { baseUrl: `http://127.0.0.1:${port}` })
  api = adapter.api({ apiKey: 'a key' }, new AbortController().signal)
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

async function readSourceIds(): Promise<ReadonlySet<string>> {
  const reader = motiveAdapter().readers.Trailer as Reader<{ sourceId: string }>
  const found = new Set<string>()
  let state: ReaderState = null
  do {
    const page = await reader.read(api, state, WINDOW, emptyRoster)
    for (const record of page.records) found.add(reader.normalize(record).sourceId)
    state = page.next
  } while (state !== null)
  return found
}

const ids = (numbers: readonly number[]) => numbers.map(String)

test('an unchanged list is read in the minimum number of pages', async () => {
  expect([...(await readSourceIds())]).toEqual(ids(assets))
  expect(calls).toBe(3)
})

test('a list that shifts up during the read loses no record', async () => {
  afterPage = () => {
    if (calls === 1) assets = [...assets.slice(2), 901, 902]
  }
  expect(await readSourceIds()).toEqual(new Set(ids([1, 2, ...assets])))
})

test('a list that shifts up by a whole page loses no record', async () => {
  afterPage = () => {
    if (calls === 1) assets = assets.slice(150)
  }
  const found = await readSourceIds()
  expect(ids(assets).filter((id) => !found.has(id))).toEqual([])
})

test('new records at the front of a list cause neither lost records nor a restart', async () => {
  afterPage = () => {
    if (calls === 1) assets = [903, 904, ...assets]
  }
  const found = await readSourceIds()
  expect(ids(assets).filter((id) => !found.has(id))).toEqual(['903', '904'])
  expect(calls).toBe(3)
})

test('the read of a list that always shifts fails as unavailable', async () => {
  afterPage = () => {
    assets = assets.slice(1)
  }
  await expect(readSourceIds()).rejects.toMatchObject({ kind: 'unavailable' })
})

const asTexts = (pagination: Pagination) =>
  Object.fromEntries(Object.entries(pagination).map(([name, value]) => [name, String(value)]))

test('a list whose page numbers are texts is read to its end', async () => {
  paginationOf = asTexts
  expect([...(await readSourceIds())]).toEqual(ids(assets))
  expect(calls).toBe(3)
})

test.each<[string, (pagination: Pagination) => object]>([
  ['in numbers', (pagination) => pagination],
  ['in texts', asTexts],
  ['without the total', ({ total: _, ...pagination }) => pagination],
  ['with the total alone', ({ total }) => ({ total })],
  ['without their size', (pagination) => ({ ...pagination, per_page: null })],
])('a list is read to its end if the server cuts its pages and describes them %s', async (_, describe) => {
  maxPageSize = 25
  paginationOf = describe
  expect([...(await readSourceIds())]).toEqual(ids(assets))
  expect(calls).toBeLessThan(16)
})

test('a shift of a list with cut pages loses no record', async () => {
  maxPageSize = 25
  afterPage = () => {
    if (calls === 3) assets = assets.slice(60)
  }
  const found = await readSourceIds()
  expect(ids(assets).filter((id) => !found.has(id))).toEqual([])
})
