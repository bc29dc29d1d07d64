import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keyFilePath, makeKeyFile } from '../../../src/platform/config/key-file.ts'
import { rowsOfFile } from '../../../src/storage/sqlite/database-file.ts'
import { openCliHarness } from '../../support/harnesses/cli-harness.ts'
import { until } from '../../support/federation/federation-harness.ts'

/** Replaces a file by a named pipe, so that a read of it blocks forever. */
function blockReadsOf(path: string): void {
  rmSync(path, { force: true })
  execFileSync('mkfifo', [path])
}

/** Starts a command in a separate process without waiting for its end. */
function startCommand(folder: string, ...args: readonly string[]): ChildProcess {
  const { MYSQL_URL: _, REDIS_URL: __, ...env } = process.env
  const program = join(process.cwd(), 'dist/src/cli/main.js')
  const child = spawn(process.execPath, [program, ...args, '--data', folder], { env, stdio: 'inherit' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
}

interface Entry {
  readonly action: string
  readonly detail: string
}

const entriesIn = async (file: string): Promise<unknown[]> => {
  const rows = await rowsOfFile(file).rows<Entry>('SELECT `action`, `detail` FROM `audit_log` ORDER BY `id`')
  return rows.map(({ action, detail }) => ({ action, ...(JSON.parse(detail) as object) }))
}

test('a command that is killed while it adds a key to the key file leaves an entry as begun', async () => {
  await using harness = await openCliHarness('sqlite', {})
  const { folder } = harness.home
  blockReadsOf(keyFilePath(folder))
  const command = startCommand(folder, 'encryption-key', 'new', '--key-file')
  const entries = () => entriesIn(join(folder, 'odograph.db'))
  await until(async () => (await entries()).length > 0)
  await kill(command)
  expect(await entries()).toEqual([{ action: 'encryption_key.added', outcome: 'begun' }])
})

test('a backup that is killed leaves an entry as begun, in the copy too', async () => {
  await using harness = await openCliHarness('sqlite', {})
  const { folder } = harness.home
  const copy = join(folder, 'copy.db')
  blockReadsOf(keyFilePath(folder))
  const command = startCommand(folder, 'backup', copy, '--with-key')
  await until(() => existsSync(copy))
  await kill(command)
  const expected = [{ action: 'database.backed_up', withKey: true, outcome: 'begun' }]
  expect(await entriesIn(join(folder, 'odograph.db'))).toEqual(expected)
  expect(await entriesIn(copy)).toEqual(expected)
})

test('a database in its final place has an entry of the restore, whatever the outcome of the command', async () => {
  await using harness = await openCliHarness('sqlite', {})
  const { folder } = harness.home
  const copy = join(folder, 'copy.db')
  makeKeyFile(folder)
  expect((await harness.cli('backup', copy)).code).toBe(0)
  blockReadsOf(`${copy}.key`)
  const place = join(folder, 'place')
  const command = startCommand(place, 'restore', copy, '--with-key')
  const restored = join(place, 'odograph.db')
  await until(() => existsSync(restored))
  // Two processes wrote the entries with ids by their own clocks, so the order is undefined.
  const entries = await entriesIn(restored)
  expect(entries).toHaveLength(2)
  expect(entries).toContainEqual({ action: 'database.restored', withKey: true })
  await kill(command)
})

test('an action that fails in the middle leaves an entry as failed', async () => {
  await using harness = await openCliHarness('sqlite', {})
  const { folder } = harness.home
  makeKeyFile(folder)
  execFileSync('mkdir', [`${keyFilePath(folder)}.new`])
  expect((await harness.cli('encryption-key', 'new', '--key-file')).code).toBe(1)
  expect(await entriesIn(join(folder, 'odograph.db'))).toEqual([
    { action: 'encryption_key.added', outcome: 'failed' },
  ])
})
