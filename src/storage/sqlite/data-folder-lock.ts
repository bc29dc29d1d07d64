import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { makePrivateFile } from '../../platform/private-files.ts'
import { type Handle, isBusy, Libsql } from './libsql.ts'

/** Lock of a data folder: one service at a time uses the embedded database in it. */
export interface DataFolderLock {
  /** Publishes the address of the service, for the error of another service that tries to start. */
  publishAddress(url: string): void
  close(): Promise<void>
}

/** Error: another service uses the data folder. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse'
}

/** Time to wait for the lock: a service ends a moment after its `npm start` was killed. */
const WAIT_MS = 3_000
const RETRY_MS = 100

/**
 * Locks a data folder for this process. The lock is that of SQLite on an empty file. The system releases it when the
 * process ends in any way, and a copy of the folder is not locked, so there are no stale locks. Other processes, such as
 * the command line, may use the database meanwhile. Throws `DataFolderInUse`.
 */
export async function lockDataFolder(folder: string, waitMs = WAIT_MS): Promise<DataFolderLock> {
  const path = join(folder, 'service.lock')
  makePrivateFile(path)
  const handle = await lockedFile(path, waitMs)
  if (!handle) throw new DataFolderInUse(inUseMessage(folder))
  const publish = (holder: Holder) =>
    writeFileSync(holderPath(folder), `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  publish({ pid: process.pid })
  return {
    publishAddress: (url) => publish({ pid: process.pid, url }),
    async close() {
      rmSync(holderPath(folder), { force: true })
      handle.close()
    },
  }
}

async function lockedFile(path: string, waitMs: number): Promise<Handle | null> {
  const handle = new Libsql(path)
  for (let waited = 0; ; waited += RETRY_MS) {
    try {
      handle.exec('BEGIN EXCLUSIVE')
      return handle
    } catch (error) {
      if (!isBusy(error) || waited >= waitMs) handle.close()
      if (!isBusy(error)) throw error
      if (waited >= waitMs) return null
    }
    await wait(RETRY_MS)
  }
}

/** Service that uses a folder: the content of `service.json`, for the error text. A killed service leaves the file. */
interface Holder {
  readonly pid: number
  readonly url?: string
}

const holderPath = (folder: string): string => join(folder, 'service.json')

function inUseMessage(folder: string): string {
  const holder = holderOf(folder)
  const service = holder
    ? `the service with process id ${holder.pid}${holder.url === undefined ? '' : ` at ${holder.url}`}`
    : 'another service'
  return `the data folder ${folder} is in use by ${service}: stop it, or choose another folder with --data`
}

function holderOf(folder: string): Holder | null {
  try {
    return JSON.parse(readFileSync(holderPath(folder), 'utf8')) as Holder
  } catch {
    return null
  }
}
