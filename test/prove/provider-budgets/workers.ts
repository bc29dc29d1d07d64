import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Home, ServiceProcess } from '../support/service-process.ts'

/** Database, Redis and provider of the workers. */
interface Place {
  readonly home: Home
  readonly environment: Readonly<Record<string, string>>
  readonly provider: string
  readonly url: string
}

/** Workers with a shared Redis, with or without rate limits. */
export class Workers implements AsyncDisposable {
  private constructor(private readonly end: () => Promise<unknown>) {}

  static async start(place: Place, count: number, isBudgeted: boolean): Promise<Workers> {
    const each = Array.from({ length: count })
    if (isBudgeted) {
      const { home, environment } = place
      const workers = await Promise.all(
        each.map(() => ServiceProcess.start(home, ['--role', 'worker'], environment)),
      )
      return new Workers(() => Promise.all(workers.map((worker) => worker.end())))
    }
    const children = await Promise.all(each.map(() => startHasty(place)))
    return new Workers(() => Promise.all(children.map(endOf)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end()
  }
}

async function startHasty({ home, environment, provider, url }: Place): Promise<ChildProcess> {
  const program = join(process.cwd(), 'dist/test/prove/provider-budgets/hasty-worker-program.js')
  const child = fork(program, [provider, url, home.folder], {
    env: { ...process.env, ...home.environment, ...environment },
  })
  await once(child, 'message')
  return child
}

async function endOf(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
