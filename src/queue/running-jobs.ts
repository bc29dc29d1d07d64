import { settledWithin } from '../platform/lifecycle/timeout.ts'
import type { JobRun } from './queue.ts'

/**
 * Time after the abort of its signal in which a handler must end. After that its attempt is given up: it counts as
 * failed, although the handler still runs.
 */
const GRACE_MS = 5_000

interface RunningAttempt {
  readonly jobId: string
  readonly controller: AbortController
  /** Settles with the handler, or rejects when the attempt is given up. */
  readonly end: Promise<void>
  giveUp(reason: Error): void
}

/** Runs the attempts at jobs in this process. It can abort them and wait for their end. */
export class RunningJobs {
  private readonly running = new Set<RunningAttempt>()

  /** Runs one attempt. Rejects if the handler rejects, or if it has not ended `GRACE_MS` after its timeout. */
  async run(
    job: Omit<JobRun, 'signal'>,
    timeoutMs: number | undefined,
    handle: (run: JobRun) => Promise<void>,
  ): Promise<void> {
    const attempt = start(job, handle)
    const stopTimers = limitTime(attempt, timeoutMs)
    this.running.add(attempt)

    try {
      await attempt.end
    } finally {
      this.running.delete(attempt)
      stopTimers()
    }
  }

  abort(jobId: string, reason: Error): void {
    for (const attempt of this.running) if (attempt.jobId === jobId) attempt.controller.abort(reason)
  }

  /** Aborts every attempt and waits for the end of all. Gives up the attempts that do not end within `timeoutMs`. */
  async stop(timeoutMs: number, reason: Error): Promise<void> {
    const attempts = [...this.running]
    for (const { controller } of attempts) controller.abort(reason)

    const ends = attempts.map(({ end }) => end)
    await settledWithin(timeoutMs, ends)
    for (const { giveUp } of attempts) giveUp(reason)
  }
}

function start(job: Omit<JobRun, 'signal'>, handle: (run: JobRun) => Promise<void>): RunningAttempt {
  const controller = new AbortController()
  let giveUp!: RunningAttempt['giveUp']
  const givenUp = new Promise<never>((_resolve, reject) => {
    giveUp = reject
  })
  const done = (async () => handle({ ...job, signal: controller.signal }))()
  return { jobId: job.id, controller, end: Promise.race([done, givenUp]), giveUp }
}

function limitTime({ controller, giveUp }: RunningAttempt, timeoutMs: number | undefined): () => void {
  if (timeoutMs === undefined) return () => {}
  const timeoutError = new Error(`The job did not end within ${timeoutMs} ms`)
  const timers = [
    setTimeout(() => controller.abort(timeoutError), timeoutMs).unref(),
    setTimeout(giveUp, timeoutMs + GRACE_MS, timeoutError).unref(),
  ]
  return () => timers.forEach((timer) => clearTimeout(timer))
}
