import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findById } from '../../../src/storage/find-by-id.ts'
import { beginLinkRun } from '../../../src/subgraphs/connections/linking/begin-link-run.ts'
import { findRunByToken } from '../../../src/subgraphs/connections/linking/link-run-repository.ts'
import { requestProvider } from '../../../src/subgraphs/connections/linking/request-provider.ts'
import { EventRow } from '../../../src/storage/outbox.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import { dialects } from '../../support/factories.ts'
import {
  type EventLogHarness,
  sequenceAll,
  startEventLogHarness,
} from '../../support/harnesses/event-log-harness.ts'

const EVENT = 'unsupported_provider.requested'
const EMAIL = 'dispatch@acme-freight.example'

describe.each(dialects)('a request for a provider on %s', (dialect) => {
  let harness: EventLogHarness
  beforeAll(async () => void (harness = await startEventLogHarness(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  async function requestWith(settings: object): Promise<void> {
    const { db } = harness.rest
    const deps = {
      db,
      registry: { all: [], find: () => null },
      clock: { now: () => Date.now() },
      notifier: createInProcessNotifier(),
      limits: { signInsPerRun: 10, perAddress: 1000, perKey: 1000 },
    }
    const token = await beginLinkRun(deps, {
      applicationId: harness.seeded.id,
      settings: { provider: 'azuga', door: 'key_of_the_tests', ...settings },
      remoteAddress: '198.51.100.7',
    })
    const run = await findRunByToken(db, token)
    if (!run) throw new Error('there is no run')
    const typed = { provider: 'ignored', contactEmail: EMAIL, dotNumber: '' }
    expect(await requestProvider(deps, run, typed, '198.51.100.7')).toEqual([])
    await sequenceAll(db)
  }

  test('is an event of the application, invisible to callers with a connection token', async () => {
    await requestWith({ tags: ['north'], externalId: 'cust-9' })
    const events = await harness.read()
    expect(events.at(-1)).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: EVENT,
      timestamp: expect.stringMatching(/Z$/),
      detail: { provider: 'Azuga', contactEmail: EMAIL, externalId: 'cust-9', tags: ['north'] },
    })
    expect((await harness.read(`&types=${EVENT}`)).map(({ id }) => id)).toEqual([events.at(-1)?.id])
    expect(await harness.read(`&types=${EVENT}`, harness.seeded.narrowed(0))).toEqual([])
    expect(await findById(harness.rest.db, EventRow, events.at(-1)!.id)).toMatchObject({
      connectionId: '',
      subjectId: null,
    })
  })
})
