import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Instant } from '../../../src/domain/time.ts'

const FILE = 'FAKETIME_TIMESTAMP_FILE'
const LIBRARY = 'faketime/libfaketimeMT.so.1'

/** Returns the path of the library that fakes the time of a program; null if it is not installed. */
export function timeLibrary(): string | null {
  const folders = ['/usr/lib', '/usr/lib64', '/usr/local/lib', ...multiarch()]
  return folders.map((folder) => join(folder, LIBRARY)).find((path) => existsSync(path)) ?? null
}

/** Returns the path of the library that fakes the time of a program. Throws if it is not installed. */
export function requireTimeLibrary(): string {
  const library = timeLibrary()
  if (library) return library
  throw new Error('libfaketime is not installed: on Debian and Ubuntu, apt-get install faketime')
}

const multiarch = (): string[] =>
  existsSync('/usr/lib')
    ? readdirSync('/usr/lib')
        .filter((name) => name.includes('linux'))
        .map((name) => join('/usr/lib', name))
    : []

/**
 * Environment of a program whose wall clock is ahead by the offset in a file, read at each call. Timers stay
 * real.
 */
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

/** Environment of a program whose wall clock is ahead by a fixed offset. */
export function ahead(ms: number): Readonly<Record<string, string>> {
  return {
    LD_PRELOAD: requireTimeLibrary(),
    FAKETIME: `+${(ms / 1000).toFixed(3)}`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  }
}

/** Removes the library's shared memory of a killed program: a later process with the same id would use it. */
export function forgetClockOf(pid: number | undefined): void {
  for (const name of [`faketime_shm_${pid}`, `sem.faketime_sem_${pid}`])
    rmSync(join('/dev/shm', name), { force: true })
}

/** Removes the library's shared memory of all killed programs. */
export function forgetDeadClocks(): void {
  for (const name of readdirSync('/dev/shm')) {
    const pid = /^(?:sem\.faketime_sem|faketime_shm)_(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join('/dev/shm', name), { force: true })
  }
}

/** Clock of this process and of its children. It jumps ahead on request. */
export class JumpingClock {
  private aheadMs = 0
  private readonly file = process.env[FILE] ?? ''

  /** Jumps to a time; ignores past ones. */
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
