import type { Logger } from '../platform/logging/log.ts'
import { type JobName, perJob } from '../queue/jobs.ts'
import type { Handler, Handlers, JobRun } from '../queue/queue.ts'
import { jobRuns } from '../platform/instrumentation.ts'

/** Handlers of which each attempt is watched, names its job in what it logs, and leaves a line when it ends. */
export const instrumentHandlers = (log: Logger, handlersWith: (log: Logger) => Handlers): Handlers =>
  perJob((job) => instrumentHandler(job, log, handlersWith)) as unknown as Handlers

function instrumentHandler(job: JobName, log: Logger, handlersWith: (log: Logger) => Handlers): Handler {
  return (payload, run) => {
    const { connectionId, syncId }: { connectionId?: string; syncId?: string } = { ...payload }
    const { id: jobId, attempt, signal } = run
    const mine = log.child({ operation: job, jobId, connectionId, syncId })
    const handle = handlersWith(mine)[job] as Handler
    return jobRuns.run({ job, jobId, attempt, connectionId, syncId, signal }, () =>
      ended(mine, run, () => handle(payload, run)),
    )
  }
}

async function ended(log: Logger, { attempt, signal }: JobRun, done: () => Promise<void>): Promise<void> {
  const begun = performance.now()
  let outcome = 'completed'
  try {
    await done()
  } catch (error) {
    outcome = signal.aborted ? 'aborted' : 'failed'
    throw error
  } finally {
    log.info({ attempt, outcome, durationMs: Math.round(performance.now() - begun) }, 'job')
  }
}
