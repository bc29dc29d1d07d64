import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dialects } from '../../../support/factories.ts'
import { RenewalHarness, type RenewedFleet } from '../../../support/providers/renewal-harness.ts'
import { gate } from '../../../support/queue/queue-harness.ts'

const KEPT = 'warn: renewed credentials kept in memory until they are stored'
const STORED = 'warn: renewed credentials stored after an outage'
/** Timing with which a caller soon stops waiting for the store. */
const impatient = { storeWaitMs: 20, storePauseMs: 20 }

describe.each(dialects)('credentials that are renewed while the database is away, on %s', (dialect) => {
  let harness: RenewalHarness
  beforeAll(async () => {
    harness = await RenewalHarness.start(dialect)
  })
  beforeEach(() => harness.endpoint.behave())
  afterAll(() => harness[Symbol.asyncDispose]())

  async function isStored(fleet: RenewedFleet): Promise<void> {
    await expect.poll(() => harness.state(fleet)).toEqual({ status: 'connected', isStoredAccepted: true })
  }
  const renewed = ({ name }: RenewedFleet, times = 1) => ({ refreshToken: `${name} ${times}` })

  test('are stored in time for a caller whose patience is longer than the outage', async () => {
    const fleet = await harness.connect()
    const worker = await harness.worker({ timing: { storeWaitMs: 60_000, storePauseMs: 20 } })
    const recover = worker.loseDatabase(harness.endpoint)
    const renewal = worker.renew(fleet)
    await expect.poll(() => worker.messages(fleet)).toEqual([KEPT])
    recover()
    expect(await renewal).toMatchObject(renewed(fleet))
    expect(await harness.state(fleet)).toEqual({ status: 'connected', isStoredAccepted: true })
  })

  test('are used by this process, and stored when the database is back', async () => {
    const fleet = await harness.connect()
    const worker = await harness.worker({ timing: impatient })
    const recover = worker.loseDatabase(harness.endpoint)
    expect(await worker.renew(fleet)).toMatchObject(renewed(fleet))
    expect(await worker.renew(fleet)).toMatchObject(renewed(fleet))
    expect(
      await worker.renew(fleet, {
        refreshToken: 'of an earlier read',
        expiresAt: fleet.used['expiresAt'] ?? '',
      }),
    ).toMatchObject(renewed(fleet))
    expect(harness.endpoint.outcomesOf(fleet.name)).toEqual(['rotated'])
    expect(await harness.stored(fleet)).toBe(fleet.used['refreshToken'])
    recover()
    await isStored(fleet)
    await expect.poll(() => worker.messages(fleet)).toEqual([KEPT, STORED])
  })

  test('are stored although their caller has left, and never logged', async () => {
    const fleet = await harness.connect()
    const worker = await harness.worker({ timing: { storePauseMs: 20 } })
    const recover = worker.loseDatabase(harness.endpoint)
    const caller = new AbortController()
    const renewal = worker.renew(fleet, fleet.used, caller.signal)
    await expect.poll(() => worker.messages(fleet)).toEqual([KEPT])
    caller.abort(new Error('the caller has left'))
    await expect(renewal).rejects.toThrow('the caller has left')
    recover()
    await isStored(fleet)
    const lines = JSON.stringify(worker.lines)
    expect(lines).toContain(fleet.id)
    expect(lines).not.toContain(fleet.name)
  })

  test('reach a worker of another process, whose used ones are refused in the meantime', async () => {
    const fleet = await harness.connect()
    const [holder, other] = [
      await harness.worker({ timing: { ...impatient, leaseMs: 50 } }),
      await harness.worker(),
    ]
    const recover = holder.loseDatabase(harness.endpoint)
    expect(await holder.renew(fleet)).toMatchObject(renewed(fleet))
    harness.endpoint.onRefused = recover
    expect(await other.renew(fleet)).toMatchObject(renewed(fleet))
    expect(harness.endpoint.outcomesOf(fleet.name)).toEqual(['rotated', 'refused'])
    expect(await harness.state(fleet)).toEqual({ status: 'connected', isStoredAccepted: true })
  })

  test('are stored even after a second look that has disconnected the connection', async () => {
    const fleet = await harness.connect()
    const [holder, other] = [
      await harness.worker({ timing: { ...impatient, leaseMs: 50 } }),
      await harness.worker({ timing: { secondLookMs: 100 } }),
    ]
    const recover = holder.loseDatabase(harness.endpoint)
    await holder.renew(fleet)
    await expect(other.renew(fleet)).rejects.toMatchObject({ kind: 'invalid_credentials' })
    recover()
    await expect.poll(() => harness.state(fleet)).toEqual({ status: 'disconnected', isStoredAccepted: true })
  })

  test('are renewed again only after they are stored', async () => {
    const fleet = await harness.connect()
    const worker = await harness.worker({ timing: impatient })
    const recover = worker.loseDatabase(harness.endpoint)
    const first = await worker.renew(fleet)
    if (!first) throw new Error('nothing renewed')
    harness.endpoint.behave()
    const second = worker.renew(fleet, first)
    recover()
    expect(await second).toMatchObject(renewed(fleet, 2))
    await isStored(fleet)
  })

  test('are not renewed again while the database stays away', async () => {
    const fleet = await harness.connect()
    const worker = await harness.worker({ timing: { ...impatient, waitMs: 50 } })
    const recover = worker.loseDatabase(harness.endpoint)
    const first = await worker.renew(fleet)
    if (!first) throw new Error('nothing renewed')
    await expect(worker.renew(fleet, first)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(harness.endpoint.outcomesOf(fleet.name)).toEqual(['rotated'])
    recover()
    await isStored(fleet)
  })

  test('do not overwrite those of a new sign-in during the outage', async () => {
    const fleet = await harness.connect()
    const worker = await harness.worker({ timing: impatient })
    const recover = worker.loseDatabase(harness.endpoint)
    await worker.renew(fleet)
    const signedIn = { ...fleet.used, refreshToken: 'of the new sign-in' }
    await harness.store(fleet, signedIn)
    recover()
    await expect
      .poll(() => worker.messages(fleet))
      .toEqual([KEPT, 'warn: renewed credentials dropped: others are stored'])
    expect(await harness.stored(fleet)).toBe('of the new sign-in')
  })

  test('are dropped with a log line when the outage lasts too long', async () => {
    const fleet = await harness.connect()
    const worker = await harness.worker({ timing: { ...impatient, storeMs: 100 } })
    worker.loseDatabase(harness.endpoint)
    await worker.renew(fleet)
    await expect.poll(() => worker.messages(fleet)).toEqual([KEPT, 'error: renewed credentials dropped'])
  })

  test('are dropped when the connection has been deleted', async () => {
    const fleet = await harness.connect()
    const worker = await harness.worker({ timing: impatient })
    const recover = worker.loseDatabase(harness.endpoint)
    await worker.renew(fleet)
    await harness.deleteCredentials(fleet)
    recover()
    await expect.poll(() => worker.messages(fleet)).toEqual([KEPT, 'error: renewed credentials dropped'])
    await expect(worker.renew(fleet)).rejects.toMatchObject({ kind: 'invalid_credentials' })
    expect(await harness.stored(fleet)).toBeUndefined()
  })

  test('are stored during the shutdown', async () => {
    const fleet = await harness.connect()
    const worker = await harness.worker({ timing: { storeWaitMs: 20 } })
    const recover = worker.loseDatabase(harness.endpoint)
    await worker.renew(fleet)
    const closed = worker.renewals.close()
    recover()
    await closed
    expect(await harness.state(fleet)).toEqual({ status: 'connected', isStoredAccepted: true })
    await expect(worker.renew(fleet)).rejects.toThrow('the process stops')
  })

  test('end every pause when the process stops', async () => {
    const worker = await harness.worker()
    const pause = worker.renewals.pause(3_600_000)
    await worker.renewals.close()
    await pause
    await worker.renewals.pause(3_600_000)
  })

  test('are dropped with a log line when the shutdown has waited long enough', async () => {
    const fleet = await harness.connect()
    const worker = await harness.worker({ timing: { ...impatient, closeMs: 50 } })
    worker.loseDatabase(harness.endpoint)
    await worker.renew(fleet)
    await worker.renewals.close()
    expect(worker.messages(fleet)).toEqual([KEPT, 'error: renewed credentials dropped: the process stops'])
    await expect.poll(() => worker.renewals.unstored.get(fleet.id)).toBeUndefined()
  })

  test('are stored if their answer arrives during the shutdown', async () => {
    const fleet = await harness.connect()
    const worker = await harness.worker()
    const [asked, answer] = [gate(), gate()]
    harness.endpoint.onRotated = async () => {
      asked.open()
      await answer.opened
      return 'arrives'
    }
    const renewal = worker.renew(fleet)
    await asked.opened
    const closed = worker.renewals.close()
    answer.open()
    await closed
    expect(await harness.state(fleet)).toEqual({ status: 'connected', isStoredAccepted: true })
    expect(await renewal).toMatchObject(renewed(fleet))
  })
})
