import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { forgetDeadClocks, requireTimeLibrary, underClock } from '../retry-schedule/jumping-clock.ts'

/** Wall clocks of the parts of a service, as if each part ran on a host of its own. Timers stay real. */
export class HostClocks {
  private readonly library = requireTimeLibrary()

  /** Holds the file of each clock in a folder. */
  constructor(private readonly folder: string) {}

  /** Returns the environment in which a part starts with the clock of its host. */
  environmentOf = (part: string): Readonly<Record<string, string>> => ({
    ...underClock(this.library, this.fileOf(part)),
    // Each reading of the clock would otherwise read the file.
    FAKETIME_NO_CACHE: '0',
    FAKETIME_CACHE_DURATION: '1',
  })

  /** Sets the clock of a part ahead of the real time, or behind it. */
  set(part: string, aheadMs: number): void {
    const seconds = (aheadMs / 1000).toFixed(3)
    writeFileSync(this.fileOf(part), `${aheadMs < 0 ? '' : '+'}${seconds}\n`)
  }

  /** Removes what killed parts have left behind. */
  [Symbol.dispose](): void {
    forgetDeadClocks()
  }

  private fileOf = (part: string): string => join(this.folder, `clock-${part.replace(':', '-')}`)
}
