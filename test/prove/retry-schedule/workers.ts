import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Home } from '../support/service-process.ts'

const PROGRAM = join(process.cwd(), 'dist/test/prove/retry-schedule/worker-program.js')

/** Workers with the clock of this process, one at a time; the next one stands by. */
export class Workers implements AsyncDisposable {
  private current: ChildProcess | null = null
  private standby: Promise<ChildProcess>

  constructor(private readonly home: Home) {
    this.standby = this.spawn()
  }

  /** Kills the worker and starts the next one. */
  async next(): Promise<void> {
    const next = await this.standby
    await kill(this.current)
    next.send('go')
    this.current = next
    this.standby = this.spawn()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await kill(this.current)
    await kill(await this.standby)
  }

  private async spawn(): Promise<ChildProcess> {
    const { environment, folder } = this.home
    const mysqlUrl = environment['MYSQL_URL']
    const place = mysqlUrl ? { mysqlUrl, sqlitePath: '' } : { sqlitePath: join(folder, 'odograph.db') }
    const child = spawn(process.execPath, [PROGRAM, JSON.stringify(place)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    await Promise.race([once(child, 'message'), once(child, 'exit')])
    return child
  }
}

async function kill(child: ChildProcess | null): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
