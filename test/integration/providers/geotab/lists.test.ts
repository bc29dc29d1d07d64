import { expect, test } from 'vitest'
import type { ProviderApi } from '../../../../src/providers/provider-api.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'
import { kept, NOW, signedIn, startGeotab, typedAt } from '../../../support/providers/geotab-harness.ts'

const to = Date.parse(NOW)
const endpoint = 'POST /apiv1'

const refusedWith = (type: string) => {
  const error = { code: -32000, name: 'JSONRPCError', message: 'Try again later' }
  return { error: { ...error, data: { type, requestIndex: 0 } }, jsonrpc: '2.0' }
}

test.each(['ServiceUnavailableException', 'ArgumentException', 'Exception'])(
  'no trailer is taken for gone where they are refused for whatever reason: %s',
  async (type) => {
    await using geotab = await startGeotab()
    const { api } = kept(geotab, await signedIn(geotab, typedAt(geotab)))
    const [key, body] = ['fleet_1 Get Trailer', refusedWith(type)]
    await geotab.fake.fail({ kind: 'status', status: 200, times: null, endpoint, key, body })
    const read = geotab.adapter.readers.Trailer?.read(api, null, { from: 0, to }, emptyRoster)
    await expect(read).rejects.toThrow(type)
  },
)

test('where trailers are no type, they are the devices that stand for them', async () => {
  await using geotab = await startGeotab({ vehicles: 12 })
  await geotab.fake.behave({ trailers: 'unknown type' })
  const { api } = kept(geotab, await signedIn(geotab, typedAt(geotab)))
  const page = await geotab.adapter.readers.Trailer?.read(api, null, { from: 0, to }, emptyRoster)
  expect(page?.records.length).toBe((await geotab.fake.truth<object[]>('Trailer')).length)
  expect(page?.records.length).toBeGreaterThan(0)
})

const CUT = 5_000

/** As MyGeotab lists what there is: no more than 5,000 at once, in the order of their ids. */
function listing(all: readonly { readonly id: string }[], api: ProviderApi): ProviderApi {
  return {
    ...api,
    post: async (_path, body) => {
      const { sort } = (body as { params: { sort?: { offset?: string | null } } }).params
      return all.filter(({ id }) => id > (sort?.offset ?? '')).slice(0, CUT)
    },
  }
}

test('all groups are read, of however many', async () => {
  await using geotab = await startGeotab()
  const { api } = kept(geotab, await signedIn(geotab, typedAt(geotab)))
  const ids = Array.from({ length: 2 * CUT + 7 }, (_, number) => `b${10_000 + number}`)
  const last = ids.at(-1) as string
  const groups = ids.map((id, number) => ({ id, name: id, children: number === 0 ? [{ id: last }] : [] }))
  const page = await geotab.adapter.readers.Group?.read(
    listing(groups, api),
    null,
    { from: 0, to },
    emptyRoster,
  )
  expect(page?.records).toHaveLength(ids.length)
  expect(page?.records.at(-1)).toMatchObject({ group: { id: last }, parent: ids[0] })
})
