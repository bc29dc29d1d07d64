import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Instant } from '../../../src/domain/time.ts'

const FILE = 'FAKETIME_TIMESTAMP_FILE'
const LIBRARY = 'faketime/libfaketimeMT.so.1'

/** Where the library is that shows a program another time; null where it is not installed. */
export function timeLibrary(): string | null {
  const folders = ['/usr/lib', '/usr/lib64', '/usr/local/lib', ...multiarch()]
  return folders.map((folder) => join(folder, LIBRARY)).find((path) => existsSync(path)) ?? null
}

const multiarch = (): string[] =>
  existsSync('/usr/lib')
    ? readdirSync('/usr/lib')
        .filter((name) => name.includes('linux'))
        .map((name) => join('/usr/lib', name))
    : []

/** For a program of which the wall clock is ahead by what a file says, looked up each time. Timers run as ever. */
export function underClock(library: string, file: string): Readonly<Record<string, string>> {
  writeFileSync(file, '+0\n')
  return {
    LD_PRELOAD: library,
    [FILE]: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  }
}

/** For a program of which the wall clock is ahead by so much from its start on. */
export function ahead(ms: number): Readonly<Record<string, string>> {
  const library = timeLibrary()
  if (!library)
    throw new Error('libfaketime is not installed: on Debian and Ubuntu, apt-get install faketime')
  return {
    LD_PRELOAD: library,
    FAKETIME: `+${(ms / 1000).toFixed(3)}`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  }
}

/** What the library leaves behind of a program that was killed would meet the next one of the same number. */
export function forgetClockOf(pid: number | undefined): void {
  for (const name of [`faketime_shm_${pid}`, `sem.faketime_sem_${pid}`])
    rmSync(join('/dev/shm', name), { force: true })
}

/** The clock of this process and of those that it starts: it jumps ahead when told to. */
export class JumpingClock {
  private aheadMs = 0
  private readonly file = process.env[FILE] ?? ''

  /** Jumps to a time; one that has passed is left alone. */
  jumpTo(instant: Instant): void {
    const gap = instant - Date.now()
    if (gap <= 0) return
    this.aheadMs += gap
    writeFileSync(`${this.file}.next`, `+${(this.aheadMs / 1000).toFixed(3)}\n`)
    renameSync(`${this.file}.next`, this.file)
    if (Date.now() < instant) throw new Error('the clock did not jump')
  }

  jump(ms: number): void {
    this.jumpTo(Date.now() + ms)
  }
}
