import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DataFolderInUse, lockDataFolder } from '../../../src/storage/sqlite/data-folder-lock.ts'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'

let home: Home
beforeEach(async () => (home = await makeHome('sqlite')))
afterEach(() => home.remove())

const start = (at = home) => ServiceProcess.start(at, ['--fleet-size', '1'])

/** Starts a service that must not get ready. Returns its exit code and output. */
async function refused(): Promise<[code: number | null, output: string]> {
  const service = ServiceProcess.spawn(home, ['--fleet-size', '1'])
  const [code] = (await once(service.child, 'exit')) as [number | null]
  return [code, service.output()]
}

describe('a data folder', () => {
  test('has one lock, which names its holder and ends with it', async () => {
    const first = await lockDataFolder(home.folder)
    first.publishAddress('http://127.0.0.1:8080')
    await expect(lockDataFolder(home.folder, 0)).rejects.toThrow(
      new DataFolderInUse(
        `the data folder ${home.folder} is in use by the service with process id ${process.pid} at http://127.0.0.1:8080: stop it, or choose another folder with --data`,
      ),
    )
    await first.close()
    await (await lockDataFolder(home.folder, 0)).close()
  })

  test('is waited for, so that a service that is ending does not prevent the next start', async () => {
    const first = await lockDataFolder(home.folder)
    const second = lockDataFolder(home.folder, 60_000)
    await first.close()
    await (await second).close()
  })

  test('is not locked by what a killed service left in it', async () => {
    writeFileSync(join(home.folder, 'service.lock'), '')
    writeFileSync(join(home.folder, 'service.json'), JSON.stringify({ pid: process.pid }))
    await (await lockDataFolder(home.folder, 0)).close()
  })
})

describe('a second service on a data folder', () => {
  test('does not start, and names the process that uses the folder; the first one and the command line keep working', async () => {
    await using first = await start()
    const [code, output] = await refused()
    expect(code).toBe(1)
    expect(output).toContain(
      `odograph: the data folder ${home.folder} is in use by the service with process id ${first.child.pid} at ${first.ready.url}: stop it, or choose another folder with --data`,
    )
    expect(await first.graphql('{ vehicles { nodes { id } } }')).toMatchObject({ vehicles: {} })
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['dist/src/cli/main.js', 'applications', 'list', '--json', '--data', home.folder],
      { env: { PATH: process.env['PATH'] } },
    )
    expect(stdout).toContain('app_')
  })

  test('starts after the first one was killed', async () => {
    const first = await start()
    expect(readFileSync(join(home.folder, 'service.json'), 'utf8')).toContain(String(first.child.pid))
    await first.end('SIGKILL')
    await using second = await start()
    expect(await second.graphql('{ vehicles { nodes { id } } }')).toMatchObject({ vehicles: {} })
  })

  test('starts on a copy of the folder while the first one runs', async () => {
    await using first = await start()
    const copy = await makeHome('sqlite')
    try {
      cpSync(home.folder, copy.folder, { recursive: true })
      await using second = await start(copy)
      expect(second.ready.url).not.toBe(first.ready.url)
    } finally {
      await copy.remove()
    }
  })
})
