import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { keyFilePath } from '../../platform/config/key-file.ts'
import { databaseFileOf } from '../command-context.ts'
import { fail, type Finding, ok, describeError, warn } from './finding.ts'
import { deadlineSignal } from '../../platform/lifecycle/deadline.ts'

const MIN_NODE = [20, 19] as const
const GIB = 2 ** 30

export function nodeFinding(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const fits = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])
  return fits ? ok('node', version) : fail('node', version, `install Node ${MIN_NODE.join('.')} or later`)
}

/** Checks the folder of the embedded database and the key file. */
export function folderFindings({ dataDir, mysqlUrl, encryptionKey }: Config): Finding[] {
  if (mysqlUrl && encryptionKey !== undefined) return []
  const folder = resolve(dataDir)
  if (!existsSync(folder))
    return [warn('folder', `${folder} does not exist`, 'the first start creates it; is --data right?')]
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    return [
      fail('folder', `${folder}: ${describeError(error)}`, 'let the user of the service read and write it'),
    ]
  }
  const files = [
    ['key file', keyFilePath(dataDir)],
    ['database file', databaseFileOf({ dataDir })],
  ] as const
  return [spaceFinding(folder), ...files.flatMap(([name, path]) => privacyFindings(name, path))]
}

function spaceFinding(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const found = `${(free / GIB).toFixed(1)} GiB free in ${folder}`
  if (free < GIB / 10) return fail('disk', found, 'free some space: the database cannot grow')
  return free < GIB ? warn('disk', found, 'free some space soon') : ok('disk', found)
}

/** Checks whether only the owner may read a file. Returns nothing if there is no such file. */
function privacyFindings(name: string, path: string): Finding[] {
  if (!existsSync(path)) return []
  const isOpen = (statSync(path).mode & 0o077) !== 0
  return [isOpen ? warn(name, `other users may read ${path}`, `chmod 600 ${path}*`) : ok(name, path)]
}

const HEALTH_MS = 2000

/** Checks whether the port is free, or Odograph already listens on it. */
export async function portFinding({ host, port }: Config): Promise<Finding> {
  const error = await listenError(host, port)
  if (error === null) return ok('port', `${port} of ${host} is free`)
  if (error.code === 'EADDRINUSE' && (await isService(host, port)))
    return ok('port', `a service answers on ${port} of ${host}`)
  return fail(
    'port',
    `${port} of ${host}: ${describeError(error)}`,
    'stop what listens there, or choose another PORT or HOST',
  )
}

const listenError = (host: string, port: number): Promise<NodeJS.ErrnoException | null> =>
  new Promise((done) => {
    const server = createServer()
    server.once('error', done)
    server.listen(port, host, () => server.close(() => done(null)))
  })

async function isService(host: string, port: number): Promise<boolean> {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host.includes(':') ? '[::1]' : host
  try {
    const answer = await fetch(`http://${name}:${port}/healthz`, { signal: deadlineSignal(HEALTH_MS) })
    return ((await answer.json()) as { status?: string }).status === 'ok'
  } catch {
    return false
  }
}
