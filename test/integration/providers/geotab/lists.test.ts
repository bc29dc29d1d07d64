import { expect, test } from 'vitest'
import type { ProviderApi } from '../../../../src/providers/provider-api.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'
import {
  connectionWith,
  NOW,
  signIn,
  startGeotab,
  newUserCredentials,
} from '../../../support/providers/geotab-harness.ts'

const to = Date.parse(NOW)
const endpoint = 'POST /apiv1'

const errorOf = (type: string) => {
  const error = { code: -32000, name: 'JSONRPCError', message: 'Try again later' }
  return { error: { ...error, data: { type, requestIndex: 0 } }, jsonrpc: '2.0' }
}

test.each(['ServiceUnavailableException', 'ArgumentException', 'Exception'])(
  'the list of trailers fails if the provider refuses it: %s',
  async (type) => {
    await using geotab = await startGeotab()
    const { api } = connectionWith(geotab, await signIn(geotab, newUserCredentials(geotab)))
    const [key, body] = ['fleet_1 Get Trailer', errorOf(type)]
    await geotab.fake.fail({ kind: 'status', status: 200, times: null, endpoint, key, body })
    const read = geotab.adapter.readers.Trailer?.read(api, null, { from: 0, to }, emptyRoster)
    await expect(read).rejects.toThrow(type)
  },
)

test('trailers are read from devices if the provider has no type for trailers', async () => {
  await using geotab = await startGeotab({ vehicles: 12 })
  await geotab.fake.behave({ trailers: 'unknown type' })
  const { api } = connectionWith(geotab, await signIn(geotab, newUserCredentials(geotab)))
  const page = await geotab.adapter.readers.Trailer?.read(api, null, { from: 0, to }, emptyRoster)
  expect(page?.records.length).toBe((await geotab.fake.truth<object[]>('Trailer')).length)
  expect(page?.records.length).toBeGreaterThan(0)
})

const PAGE_SIZE = 5_000

/** Returns an API that lists entities like MyGeotab: at most 5,000 a page, ordered by id. */
function pagedApi(all: readonly { readonly id: string }[], api: ProviderApi): ProviderApi {
  return {
    ...api,
    post: async (_path, body) => {
      const { sort } = (body as { params: { sort?: { offset?: string | null } } }).params
      return all.filter(({ id }) => id > (sort?.offset ?? '')).slice(0, PAGE_SIZE)
    },
  }
}

test('all groups are read across several pages', async () => {
  await using geotab = await startGeotab()
  const { api } = connectionWith(geotab, await signIn(geotab, newUserCredentials(geotab)))
  const ids = Array.from({ length: 2 * PAGE_SIZE + 7 }, (_, number) => `b${10_000 + number}`)
  const last = ids.at(-1) as string
  const groups = ids.map((id, number) => ({ id, name: id, children: number === 0 ? [{ id: last }] : [] }))
  const page = await geotab.adapter.readers.Group?.read(
    pagedApi(groups, api),
    null,
    { from: 0, to },
    emptyRoster,
  )
  expect(page?.records).toHaveLength(ids.length)
  expect(page?.records.at(-1)).toMatchObject({ group: { id: last }, parent: ids[0] })
})
