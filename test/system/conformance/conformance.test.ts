import { describe, expect, test } from 'vitest'
import { makeHome } from '../../prove/support/service-process.ts'
import { sizes, startSize, storeOf } from '../../support/deployment-sizes.ts'
import { run, type Verdict } from '../../conformance/run.ts'
import { syncedOnce } from '../../conformance/own-connection.ts'
import { Subject } from '../../conformance/subject.ts'
import { lineOf } from '../../conformance/table.ts'

/** A long sync interval: repeated requests of the checks must return the same data. */
const STEADY = { SYNC_INTERVAL_MINUTES: '10080' }

describe.concurrent.each(sizes)('the service, %s', (size) => {
  test('fulfils every statement of the specification with the demo fleet', { timeout: 600_000 }, async () => {
    const home = await makeHome(storeOf(size))
    try {
      await using service = await startSize(size, home, [], STEADY)
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
  })
})
