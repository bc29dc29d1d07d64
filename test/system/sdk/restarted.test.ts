import { OdographClient } from '@odograph/client'
import { expect, test } from 'vitest'
import { appendEvents } from '../../../src/storage/outbox.ts'
import { lastingPort } from '../../prove/support/distributed-service.ts'
import { type Home, makeHome, ServiceProcess, type Store } from '../../prove/support/service-process.ts'
import { stores } from '../../support/database/stores.ts'

const KILLS = 3
const BATCH = 40
const TYPE = 'vehicle.modified'

/** Starts a gateway at a fixed port; with SQLite it is the whole service. */
async function gatewayOf(store: Store, home: Home) {
  const shared = { ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') }
  const port = String(await lastingPort())
  const options = ['--port', port, '--fleet-size', '1']
  if (store === 'sqlite') return { start: () => ServiceProcess.start(home, options, shared), worker: null }
  const worker = await ServiceProcess.start(home, ['--fleet-size', '1'], shared)
  const settings = { ...shared, DEMO: 'off' }
  return {
    start: () => ServiceProcess.start(home, ['--role', 'gateway', '--port', port], settings),
    worker,
  }
}

test.each(stores)(
  'a log reader gets each event once, in order, while its gateway is killed and restarted, on %s',
  async (store) => {
    const home = await makeHome(store)
    const { start, worker } = await gatewayOf(store, home)
    let gateway = await start()
    const db = await home.open()
    const { secretKey, connectionId } = (worker ?? gateway).ready
    const [row] = await db.rows<{ applicationId: string }>(
      'SELECT applicationId FROM connections WHERE id = ?',
      [connectionId],
    )
    const origin = { applicationId: String(row?.applicationId), connectionId }
    /** Several transactions, so that some are sequenced while the gateway is down. */
    const write = async () => {
      const reported = { type: TYPE, subjectId: null, detail: {} }
      for (let written = 0; written < BATCH; written++)
        await db.transaction((tx) => appendEvents(tx, { ...origin, at: Date.now() }, [reported]))
    }
    const odograph = new OdographClient({ baseUrl: gateway.ready.url, secretKey })
    const given = new AbortController()
    const got: string[] = []
    const total = BATCH * (2 * KILLS + 1)
    const following = (async () => {
      for await (const { id } of odograph.followEvents({ types: [TYPE], signal: given.signal }))
        if (got.push(id) === total) given.abort()
    })()
    try {
      for (let kill = 1; kill <= KILLS; kill++) {
        await write()
        // Kills in the middle of the events.
        await expect.poll(() => got.length).toBeGreaterThan((2 * kill - 2) * BATCH)
        await gateway.end('SIGKILL')
        await write()
        gateway = await start()
      }
      await write()
      await following
      const stored = await db.rows<{ id: string }>(
        `SELECT id FROM events WHERE type = '${TYPE}' AND position > 0 ORDER BY position`,
      )
      expect(got).toEqual(stored.map(({ id }) => id))
      expect(got).toHaveLength(total)
    } finally {
      given.abort()
      await db.close()
      await gateway.end('SIGKILL')
      await worker?.end('SIGKILL')
      await home.remove()
    }
  },
)
