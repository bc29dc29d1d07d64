import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProviderAdapter, Reader } from '../../../../src/providers/provider.ts'
import type { Database } from '../../../../src/storage/database.ts'
import { dialects, temporaryDatabase } from '../../../support/factories.ts'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'
import { refused, completed } from '../../../support/providers/expected-endings.ts'
import { LinkedFleet } from '../../../support/providers/linked-fleet.ts'
import type { SyncedSubject } from '../../../support/providers/subjects/subject.ts'
import { byOAuth, signIn } from '../../../support/providers/samsara-sign-in.ts'

const NOW = '2026-06-15T18:00:00.000Z'
const MINUTE_MS = 60_000

describe.each(dialects)('a fleet with a Samsara OAuth sign-in, on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let fake: RunningFake
  let organizations = 0
  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    fake = await startFake('samsara', { vehicles: 3, days: 2, accounts: 9, now: NOW })
  })
  afterAll(async () => {
    await fake[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })

  const control = (path: string, body: object = {}) =>
    fetch(`${fake.url}/_fake/${path}`, { method: 'POST', body: JSON.stringify(body) })

  /** Links an unused organization. */
  async function linked(adapt = (adapter: ProviderAdapter) => adapter): Promise<LinkedFleet> {
    const subject: SyncedSubject = {
      ...byOAuth,
      adapter: (...given) => adapt(byOAuth.adapter(...given)),
    }
    const credentials = await signIn(
      subject.adapter(fake.url, { now: () => Date.parse(NOW) }),
      ++organizations,
    )
    await fake.forgetCalls()
    return LinkedFleet.link({ db, subject, fake, now: NOW }, { credentials })
  }

  const renewals = async () => (await fake.calls()).byEndpoint['POST /oauth2/token'] ?? 0

  test('is read completely although its access token expires before every page', async () => {
    let pages = 0
    const ending = (adapter: ProviderAdapter): ProviderAdapter => {
      const { readers } = adapter
      const read = async <Page>(page: () => Promise<Page>) => {
        pages++
        await control('expiry')
        return page()
      }
      const endedBefore = <NormalizedRecord>(reader: Reader<NormalizedRecord>): Reader<NormalizedRecord> => ({
        ...reader,
        read: (api, ...rest) => read(() => reader.read(api, ...rest)),
      })
      if (!readers.Trip || !readers.VehicleLocation) throw new Error('no such readers')
      const [Trip, VehicleLocation] = [endedBefore(readers.Trip), endedBefore(readers.VehicleLocation)]
      return { ...adapter, readers: { ...readers, Trip, VehicleLocation } }
    }
    const fleet = await linked(ending)
    expect(await fleet.sync()).toEqual(completed)
    expect(pages).toBeGreaterThan(2)
    expect(await renewals()).toBeGreaterThan(2)
    const account = organizations
    const window = { from: new Date(fleet.now - 2 * 86_400_000).toISOString(), to: NOW, account }
    for (const [table, model] of [
      ['trips', 'Trip'],
      ['vehicle_locations', 'VehicleLocation'],
    ] as const) {
      const { length } = await fake.truth<unknown[]>(model, window)
      expect(length).toBeGreaterThan(0)
      expect(await fleet.count(table)).toBe(length)
    }
    await fleet.close()
  })

  test('renews once for any number of concurrent requests, in two processes', async () => {
    const fleet = await linked()
    const other = fleet.inAnotherProcess()
    await control('expiry')
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, reader) => (await (reader % 2 ? other : fleet).open()).get('/me')),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await renewals()).toBe(1)
    // Only the newest refresh token is valid: the one before is used up.
    await control('expiry')
    expect(await other.sync()).toEqual(completed)
    expect(await renewals()).toBe(2)
    await fleet.close()
    await other.close()
  })

  test('renews before its access token expires', async () => {
    const fleet = await linked()
    await fake.move({ advanceMilliseconds: 59.5 * MINUTE_MS })
    fleet.moveClock(59.5 * MINUTE_MS)
    expect(await fleet.sync()).toEqual(completed)
    expect([await renewals(), (await fake.calls()).refused]).toEqual([1, 0])
    await fake.move({ now: NOW })
    await fleet.close()
  })

  test.each(['no', 'yes'])(
    'is disconnected if a process dies before it stores the new tokens, which revokes the token family: %s',
    async (reuseEndsFamily) => {
      await fake.behave({ reuseEndsFamily })
      let dies = true
      const dying = (adapter: ProviderAdapter): ProviderAdapter => {
        const { renewal } = adapter
        if (!renewal) throw new Error('nothing to renew')
        return {
          ...adapter,
          renewal: {
            ...renewal,
            async renew(...given) {
              const renewed = await renewal.renew(...given)
              if (dies) throw new Error('killed')
              return renewed
            },
          },
        }
      }
      const fleet = await linked(dying)
      await control('expiry')
      await expect((await fleet.open()).get('/me')).rejects.toThrow('killed')
      dies = false
      await fleet.endLease()
      expect(await fleet.sync()).toEqual(refused)
      await fleet.close()
    },
  )

  test('is disconnected when it revokes its grant', async () => {
    const fleet = await linked()
    expect(await fleet.sync()).toEqual(completed)
    await control('revocation', { organization: organizations })
    expect(await fleet.sync()).toEqual(refused)
    await fleet.close()
  })
})
