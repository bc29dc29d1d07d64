import { describe, expect, test } from 'vitest'
import { makeHome, ServiceProcess } from '../prove/service-process.ts'
import { stores } from '../stores.ts'
import { run, type Verdict } from './run.ts'
import { syncedOnce } from './own-connection.ts'
import { Subject } from './subject.ts'
import { lineOf } from './table.ts'

/** Larger than a page of anything that is listed by vehicle or by driver. */
const FLEET = ['--fleet-size', '110']

describe.each(stores)('the service on %s', (store) => {
  test(
    'does all that the specification says, of a fleet that has one of everything',
    { timeout: 600_000 },
    async () => {
      const home = await makeHome(store)
      try {
        await using service = await ServiceProcess.start(home, FLEET)
        const { url, secretKey: key, connectionToken: token } = service.ready
        const { publicToken } = service.ready as { publicToken?: string }
        const access = { url, key, token, publicToken }
        await syncedOnce(new Subject(access))
        const verdicts: Verdict[] = []
        for await (const verdict of run(access)) verdicts.push(verdict)
        expect(verdicts.filter(({ outcome }) => outcome !== 'holds').map(lineOf)).toEqual([])
      } finally {
        await home.remove()
      }
    },
  )
})
