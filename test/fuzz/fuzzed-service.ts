import { makeHome, type RunningService } from '../prove/support/service-process.ts'
import { type Size, startSize, storeOf } from '../support/deployment-sizes.ts'
import { syncedOnce } from '../conformance/own-connection.ts'
import { Subject } from '../conformance/subject.ts'
import { storedIn, type Stored } from './stored.ts'

/** A service with a small fleet and without background work after its first sync. */
export interface Fuzzed extends AsyncDisposable {
  readonly service: RunningService
  readonly subject: Subject
  readonly stored: Stored
}

const QUIET = { LOCATION_POLL_SECONDS: '86400', SYNC_INTERVAL_MINUTES: '10080', LOG_LEVEL: 'error' }

export async function startFuzzed(size: Size): Promise<Fuzzed> {
  const home = await makeHome(storeOf(size))
  const service = await startSize(size, home, ['--fleet-size', '5'], QUIET)
  const { url, secretKey: key, connectionToken: token } = service.ready
  const subject = new Subject({ url, key, token })
  await syncedOnce(subject)
  const db = await home.open()
  const stored = storedIn(db, storeOf(size))
  await stored.settled()
  return {
    service,
    subject,
    stored,
    async [Symbol.asyncDispose]() {
      await service.end('SIGKILL')
      await db.close()
      await home.remove()
    },
  }
}
