import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import { integrityErrorsOf, rowsOfFile } from '../../../src/storage/sqlite/database-file.ts'
import { EventRow } from '../../../src/storage/outbox.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { Vehicle } from '../../../src/subgraphs/fleet/vehicle.ts'
import { eventRow, vehicleRow } from '../../support/factories.ts'
import { makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { openCliHarness, runInProcess, runProgram } from '../../support/harnesses/cli-harness.ts'

const owner = { applicationId: newId('application'), connectionId: newId('connection') }

test('a backup during writes is complete and consistent', async () => {
  await using harness = await openCliHarness('sqlite')
  const { db } = harness
  const vehicle = () => ({ ...vehicleRow(owner), modifiedAt: Date.now() })
  let over = false
  let committed = 0
  const write = async () => {
    while (!over) {
      // A record and its event commit together, so a copy has both or neither.
      await db.transaction(async (tx) => {
        await tx.insert(tableOf(Vehicle), [vehicle()])
        await tx.insert(tableOf(EventRow), [eventRow(owner)])
      })
      committed++
      await setImmediate()
    }
  }
  const writing = write()
  const copies: { file: string; minCount: number }[] = []
  for (let at = 0; at < 2; at++) {
    const file = join(harness.home.folder, `copy-${at}.db`)
    const minCount = committed
    const ran = await runProgram(['backup', file, '--data', harness.home.folder])
    expect(ran).toMatchObject({ code: 0 })
    copies.push({ file, minCount })
  }
  over = true
  await writing
  for (const { file, minCount } of copies) {
    expect(integrityErrorsOf(file)).toEqual([])
    expect(statSync(file).mode & 0o077).toBe(0)
    const count = async (table: string) => {
      const [row] = await rowsOfFile(file).rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`)
      return Number(row?.n)
    }
    expect(await count('vehicles')).toBe(await count('events'))
    expect(await count('vehicles')).toBeGreaterThanOrEqual(minCount)
    expect(await count('vehicles')).toBeLessThanOrEqual(committed)
  }
  expect(committed).toBeGreaterThan(0)
})

test('a running service can be backed up, refuses a restore over it, and starts complete from the backup', async () => {
  const home = await makeHome('sqlite')
  onTestFinished(home.remove)
  const file = join(home.folder, 'backup.db')
  const otherHome = { ...home, folder: join(home.folder, 'other') }
  mkdirSync(otherHome.folder)
  const vehicles = '{ vehicles(first: 100, hidden: true) { nodes { id } } }'
  await using service = await ServiceProcess.start(home, ['--fleet-size', '5'])
  const before = await service.graphql<{ vehicles: { nodes: { id: string }[] } }>(vehicles)
  const headers = service.headers()
  const data = ['--data', home.folder]

  expect(await runProgram(['backup', file, '--with-key', ...data])).toMatchObject({
    code: 0,
    error: expect.stringContaining('WARNING'),
  })
  expect((await runInProcess(home, {}, ['backup', file])).error).toContain('exists already')
  expect((await runInProcess(home, {}, ['restore', file])).error).toContain('use --force to replace it')
  expect(await runProgram(['restore', file, '--force', ...data])).toMatchObject({
    code: 1,
    error: expect.stringMatching(
      /^odograph: another process has .* open: stop the service and other commands first\n$/,
    ),
  })
  expect(existsSync(join(home.folder, 'odograph.db.restoring'))).toBe(false)
  await service.end('SIGKILL')

  const without = await runInProcess({ ...home, folder: join(home.folder, 'keyless') }, {}, [
    '--json',
    'restore',
    file,
  ])
  expect(JSON.parse(without.out)).toMatchObject({ missingKeys: expect.stringMatching(/^.{8}$/) })
  const restored = await runProgram(['restore', file, '--with-key', '--data', otherHome.folder])
  expect(restored).toMatchObject({ code: 0, error: '' })

  await using again = await ServiceProcess.start(otherHome, ['--fleet-size', '5'])
  const response = await fetch(again.ready.graphqlUrl, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query: vehicles }),
  })
  const after = (await response.json()) as { data: typeof before }
  const ids = new Set(after.data.vehicles.nodes.map(({ id }) => id))
  expect(before.vehicles.nodes.length).toBeGreaterThan(0)
  expect(before.vehicles.nodes.filter(({ id }) => !ids.has(id))).toEqual([])
  await again.end()
  const doctor = await runInProcess(otherHome, { PORT: '0' }, ['--json', 'doctor'])
  expect(JSON.parse(doctor.out)).toContainEqual(
    expect.objectContaining({ check: 'encryption key', state: 'ok' }),
  )

  // The killed service holds no lock, and the restore does not use its write-ahead log.
  expect(await runProgram(['restore', file, '--force', ...data])).toMatchObject({ code: 0 })
  expect(integrityErrorsOf(join(home.folder, 'odograph.db'))).toEqual([])
})

test('an invalid backup is refused, and the existing database stays', async () => {
  await using harness = await openCliHarness('sqlite')
  const { folder } = harness.home
  const text = join(folder, 'text')
  writeFileSync(text, 'not a database, but long enough to have a database header '.repeat(100))
  const empty = join(folder, 'empty.db')
  await rowsOfFile(empty).rows('CREATE TABLE other (id integer)')
  const refused = async (...args: string[]) => (await harness.cli('restore', ...args, '--force')).error
  expect(await refused(text)).toContain('cannot be read as a database')
  expect(await refused(empty)).toContain('is not a database of Odograph')
  expect(await refused(join(folder, 'nothing'))).toContain('there is no file')
  expect((await harness.cli('applications', 'list')).code).toBe(0)
})
