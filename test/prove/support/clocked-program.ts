import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forgetClockOf, underClock } from '../retry-schedule/jumping-clock.ts'

/** Runs a proof program with a clock of its own. Returns its result, or its exit if it sent none. */
export async function runClocked<Result>(
  library: string,
  name: string,
  args: readonly string[],
): Promise<Result | string> {
  const folder = mkdtempSync(join(tmpdir(), 'odograph-clock-'))
  const program = join(process.cwd(), `dist/test/prove/${name}.js`)
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...underClock(library, join(folder, 'clock')) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  try {
    const ended = once(child, 'exit').then(([code, signal]) => `it ended with ${code ?? signal}`)
    const result = once(child, 'message').then(([message]) => message as Result)
    const first = await Promise.race([result, ended])
    await ended
    return first
  } finally {
    forgetClockOf(child.pid)
    rmSync(folder, { recursive: true })
  }
}
