import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ensureDemo } from '../../../src/app/demo.ts'
import { ConnectionsHarness } from '../../support/harnesses/connections-harness.ts'

test('each start of the demo creates a public token that can be exchanged, and stores none', async () => {
  await using harness = await ConnectionsHarness.start('sqlite')
  const dataDir = await mkdtemp(join(tmpdir(), 'odograph-demo-'))
  const start = async () => (await ensureDemo({ ...harness.tools, dataDir, fleetSize: 3 }))!.credentials
  const demos = [await start(), await start()]
  expect(new Set(demos.map(({ publicToken }) => publicToken)).size).toBe(2)
  expect(await readFile(join(dataDir, 'demo.json'), 'utf8')).not.toContain('pub_tkn_')
  const { applicationId } = await harness.row<{ applicationId: string }>(
    'connections',
    demos[0]!.connectionId,
  )
  for (const { secretKey, connectionId, connectionToken, publicToken } of demos) {
    const client = { applicationId, connectionId: null, secretKey, token: null }
    const { payload } = await harness.mutate(
      client,
      'exchangePublicToken',
      { publicToken },
      'connection { id token }',
    )
    expect(payload.connection).toEqual({ id: connectionId, token: connectionToken })
  }
  await rm(dataDir, { recursive: true })
})
