import { expect, test } from 'vitest'
import type { WorkerDeps } from '../../../../src/sync/sync-context.ts'
import { stores } from '../../../support/database/stores.ts'
import { OAuthHarness } from '../../../support/providers/oauth-harness.ts'

/** Runs a function once, right after the transaction that changes the stored credentials of a connection. */
function onceRenewed(
  harness: OAuthHarness,
  connection: Parameters<OAuthHarness['stored']>[0],
  then: () => Promise<void>,
) {
  const { db, ...tools } = harness.processes[0]
  const seen = harness.stored(connection)
  let isOver = false
  const transaction: WorkerDeps['db']['transaction'] = async (...work) => {
    const done = await db.transaction(...work)
    const isRenewed = (await harness.stored(connection))['accessToken'] !== (await seen)['accessToken']
    if (isRenewed && !isOver) {
      isOver = true
      await then()
    }
    return done
  }
  return { ...tools, db: { ...db, transaction } }
}

test.each(stores)(
  'a fleet that signs in again right after a renewal stays connected: only the renewed credentials are refused, on %s',
  async (store) => {
    await using harness = await OAuthHarness.start(store)
    const fleet = 'sandbox-3-31'
    const connection = await harness.linkByOAuth(fleet)
    await harness.control('sign-ins', { key: fleet, end: 'access' })
    const signsIn = async () => {
      await harness.control('sign-ins', { key: fleet, end: 'all' })
      await harness.store(connection, await harness.signIn(fleet))
    }
    expect(await harness.sync(connection.id, onceRenewed(harness, connection, signsIn))).toMatchObject({
      status: 'completed',
    })
    expect(await harness.statusOf(connection)).toBe('connected')
    expect(await harness.disconnections(connection)).toBe(0)
  },
)
