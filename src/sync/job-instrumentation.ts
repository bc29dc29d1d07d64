import type { Logger } from '../platform/logging/log.ts'
import { type JobName, perJob } from '../queue/jobs.ts'
import type { Handler, Handlers, JobRun } from '../queue/queue.ts'
import { jobRuns } from '../platform/instrumentation.ts'

/**
 * Wraps the handlers of all jobs. Each attempt runs in the instrumentation hook `jobRuns`. Its log lines have the ids
 * of the job, and the last one has the outcome.
 */
export const instrumentHandlers = (log: Logger, handlersWith: (log: Logger) => Handlers): Handlers =>
  perJob((job) => instrumentHandler(job, log, handlersWith)) as unknown as Handlers

function instrumentHandler(job: JobName, log: Logger, handlersWith: (log: Logger) => Handlers): Handler {
  return (payload, run) => {
    const { connectionId, syncId }: { connectionId?: string; syncId?: string } = { ...payload }
    const { id: jobId, attempt, signal } = run
    const jobLog = log.child({ operation: job, jobId, connectionId, syncId })
    const handle = handlersWith(jobLog)[job] as Handler
    return jobRuns.run({ job, jobId, attempt, connectionId, syncId, signal }, () =>
      logOutcome(jobLog, run, () => handle(payload, run)),
    )
  }
}

async function logOutcome(
  log: Logger,
  { attempt, signal }: JobRun,
  work: () => Promise<void>,
): Promise<void> {
  const startedAt = performance.now()
  let outcome = 'completed'
  try {
    await work()
  } catch (error) {
    outcome = signal.aborted ? 'aborted' : 'failed'
    throw error
  } finally {
    log.info({ attempt, outcome, durationMs: Math.round(performance.now() - startedAt) }, 'job ended')
  }
}
