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

/** A server with the assets of a fleet, page by page as they are at the call: beside it something happens. */
let assets: number[] = []
let calls = 0
let beside: () => void = () => undefined
const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://server')
  const [perPage, pageNo] = ['per_page', 'page_no'].map((name) => Number(searchParams.get(name))) as [
    number,
    number,
  ]
  const page = assets.slice((pageNo - 1) * perPage, pageNo * perPage)
  calls++
  const pagination = { per_page: perPage, page_no: pageNo, total: assets.length }
  response.end(JSON.stringify({ assets: page.map((id) => ({ asset: { id } })), pagination }))
  beside()
})
let api: ProviderApi

beforeEach(async () => {
  assets = Array.from({ length: ASSETS }, (_, index) => index + 1)
  calls = 0
  beside = () => undefined
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const adapter = motiveAdapter(undefined, { baseUrl: `http://127.0.0.1:${port}` })
  api = adapter.api({ apiKey: 'a key' }, new AbortController().signal)
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

async function everyone(): Promise<ReadonlySet<string>> {
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

test('a list that stands still is read in as few pages as there are', async () => {
  expect([...(await everyone())]).toEqual(ids(assets))
  expect(calls).toBe(3)
})

test('a list that moves up while it is read loses nobody', async () => {
  beside = () => {
    if (calls === 1) assets = [...assets.slice(2), 901, 902]
  }
  expect(await everyone()).toEqual(new Set(ids([1, 2, ...assets])))
})

test('a list that moves up by a whole page loses nobody', async () => {
  beside = () => {
    if (calls === 1) assets = assets.slice(150)
  }
  const found = await everyone()
  expect(ids(assets).filter((id) => !found.has(id))).toEqual([])
})

test('new ones at the front of a list are no reason to lose any, or to begin again', async () => {
  beside = () => {
    if (calls === 1) assets = [903, 904, ...assets]
  }
  const found = await everyone()
  expect(ids(assets).filter((id) => !found.has(id))).toEqual(['903', '904'])
  expect(calls).toBe(3)
})

test('a list that never stands still is not read today', async () => {
  beside = () => {
    assets = assets.slice(1)
  }
  await expect(everyone()).rejects.toMatchObject({ kind: 'unavailable' })
})
