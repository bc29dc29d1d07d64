import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keyFilePath, makeKeyFile } from '../../../src/platform/config/key-file.ts'
import { rowsOfFile } from '../../../src/storage/database-file.ts'
import { openCliHarness } from '../../support/cli-harness.ts'
import { until } from '../../support/federation/federation-harness.ts'

/** A file that whoever reads it waits at for ever, in place of what is there. */
function stopAt(path: string): void {
  rmSync(path, { force: true })
  execFileSync('mkfifo', [path])
}

/** A command in a process of its own, which is not waited for. */
function begun(folder: string, ...args: readonly string[]): ChildProcess {
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

test('a key that was being put into the key file when the command was killed is remembered as begun', async () => {
  await using office = await openCliHarness('sqlite', {})
  const { folder } = office.home
  stopAt(keyFilePath(folder))
  const command = begun(folder, 'encryption-key', 'new', '--key-file')
  const entries = () => entriesIn(join(folder, 'odograph.db'))
  await until(async () => (await entries()).length > 0)
  await kill(command)
  expect(await entries()).toEqual([{ action: 'encryption_key.added', outcome: 'begun' }])
})

test('a backup that was killed is remembered as begun, in the copy too', async () => {
  await using office = await openCliHarness('sqlite', {})
  const { folder } = office.home
  const copy = join(folder, 'copy.db')
  stopAt(keyFilePath(folder))
  const command = begun(folder, 'backup', copy, '--with-key')
  await until(() => existsSync(copy))
  await kill(command)
  const expected = [{ action: 'database.backed_up', withKey: true, outcome: 'begun' }]
  expect(await entriesIn(join(folder, 'odograph.db'))).toEqual(expected)
  expect(await entriesIn(copy)).toEqual(expected)
})

test('a database that was put in its place says so, whatever the command came to', async () => {
  await using office = await openCliHarness('sqlite', {})
  const { folder } = office.home
  const copy = join(folder, 'copy.db')
  makeKeyFile(folder)
  expect((await office.cli('backup', copy)).code).toBe(0)
  stopAt(`${copy}.key`)
  const place = join(folder, 'place')
  const command = begun(place, 'restore', copy, '--with-key')
  const restored = join(place, 'odograph.db')
  await until(() => existsSync(restored))
  // Two processes wrote them, each with ids by a clock of its own: their order says nothing.
  const entries = await entriesIn(restored)
  expect(entries).toHaveLength(2)
  expect(entries).toContainEqual({ action: 'database.restored', withKey: true })
  await kill(command)
})

test('an act that fails in the middle is remembered as failed', async () => {
  await using office = await openCliHarness('sqlite', {})
  const { folder } = office.home
  makeKeyFile(folder)
  execFileSync('mkdir', [`${keyFilePath(folder)}.new`])
  expect((await office.cli('encryption-key', 'new', '--key-file')).code).toBe(1)
  expect(await entriesIn(join(folder, 'odograph.db'))).toEqual([
    { action: 'encryption_key.added', outcome: 'failed' },
  ])
})
