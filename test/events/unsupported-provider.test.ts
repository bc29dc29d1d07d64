import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { one } from '../../src/storage/one.ts'
import { beginLinkRun } from '../../src/subgraphs/connections/linking/begin-link-run.ts'
import { runOfToken } from '../../src/subgraphs/connections/linking/link-runs.ts'
import { requestProvider } from '../../src/subgraphs/connections/linking/request-provider.ts'
import { LogEntry } from '../../src/storage/outbox.ts'
import { inProcessDoorbell } from '../../src/queue/doorbell.ts'
import { dialects } from '../factories.ts'
import { type LogRig, place, startLog } from './rig.ts'

const EVENT = 'unsupported_provider.requested'
const EMAIL = 'dispatch@acme-freight.example'

describe.each(dialects)('that a fleet asks for a provider, on %s', (dialect) => {
  let rig: LogRig
  beforeAll(async () => void (rig = await startLog(dialect)))
  afterAll(() => rig[Symbol.asyncDispose]())

  async function ask(settings: object): Promise<void> {
    const { db } = rig.rest
    const from = {
      db,
      registry: { all: [], find: () => null },
      clock: { now: () => Date.now() },
      doorbell: inProcessDoorbell(),
      limits: { signInsPerRun: 10, perAddress: 1000, perKey: 1000 },
    }
    const token = await beginLinkRun(from, {
      applicationId: rig.planted.id,
      settings: { provider: 'azuga', door: 'key_of_the_tests', ...settings },
      remoteAddress: '198.51.100.7',
    })
    const run = await runOfToken(db, token)
    if (!run) throw new Error('there is no run')
    const typed = { provider: 'ignored', contactEmail: EMAIL, dotNumber: '' }
    expect(await requestProvider(from, run, typed, '198.51.100.7')).toEqual([])
    await place(db)
  }

  test('is told to the application whose link it followed, and to nobody who may read a connection alone', async () => {
    await ask({ tags: ['north'], externalId: 'cust-9' })
    const told = await rig.read()
    expect(told.at(-1)).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: EVENT,
      timestamp: expect.stringMatching(/Z$/),
      detail: { provider: 'Azuga', contactEmail: EMAIL, externalId: 'cust-9', tags: ['north'] },
    })
    expect((await rig.read(`&types=${EVENT}`)).map(({ id }) => id)).toEqual([told.at(-1)?.id])
    expect(await rig.read(`&types=${EVENT}`, rig.planted.narrowed(0))).toEqual([])
    expect(await one(rig.rest.db, LogEntry, told.at(-1)!.id)).toMatchObject({
      connectionId: '',
      subjectId: null,
    })
  })
})
