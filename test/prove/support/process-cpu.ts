import { readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** Returns the CPU seconds that processes have used so far. */
export const cpuSeconds = (pids: readonly (number | undefined)[]): number[] =>
  pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  })
