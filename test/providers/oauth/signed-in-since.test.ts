import { expect, test } from 'vitest'
import type { SyncTools } from '../../../src/sync/run.ts'
import { stores } from '../../stores.ts'
import { OAuthRig } from './rig.ts'

/** Does something once, right after the transaction that changes what is stored of a connection's credentials. */
function onceRenewed(
  rig: OAuthRig,
  connection: Parameters<OAuthRig['stored']>[0],
  then: () => Promise<void>,
) {
  const { db, ...tools } = rig.processes[0]
  const seen = rig.stored(connection)
  let isOver = false
  const transaction: SyncTools['db']['transaction'] = async (...work) => {
    const done = await db.transaction(...work)
    const isRenewed = (await rig.stored(connection))['accessToken'] !== (await seen)['accessToken']
    if (isRenewed && !isOver) {
      isOver = true
      await then()
    }
    return done
  }
  return { ...tools, db: { ...db, transaction } }
}

test.each(stores)(
  'a fleet that signs in again right after a renewal stays connected: what is refused is what was renewed, on %s',
  async (store) => {
    await using rig = await OAuthRig.start(store)
    const fleet = 'sandbox-3-31'
    const connection = await rig.linkByOAuth(fleet)
    await rig.control('sign-ins', { key: fleet, end: 'access' })
    const signsIn = async () => {
      await rig.control('sign-ins', { key: fleet, end: 'all' })
      await rig.store(connection, await rig.signIn(fleet))
    }
    expect(await rig.sync(connection.id, onceRenewed(rig, connection, signsIn))).toMatchObject({
      status: 'completed',
    })
    expect(await rig.statusOf(connection)).toBe('connected')
    expect(await rig.disconnections(connection)).toBe(0)
  },
)
