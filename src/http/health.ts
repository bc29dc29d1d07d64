import type { FastifyInstance } from 'fastify'
import { isPublic } from '../domain/errors.ts'

/** Readiness check. */
export interface Check {
  readonly name: string
  /** Whether only a part of the service needs what is checked. A failure then means `degraded`, not `unavailable`. */
  readonly isPartial?: boolean
  /** Rejects if the check fails. `/readyz` shows the message of a `HealthCause` or a public error, but of no other. */
  run(): Promise<unknown>
}

/**
 * Failure of a check, with a message for operators: the cause and the remedy. It must not contain secrets.
 */
export class HealthCause extends Error {
  override readonly name = 'HealthCause'
}

interface CheckReport {
  readonly name: string
  readonly status: 'ok' | 'failed'
  readonly cause?: string
}

const DEADLINE_MS = 1500

/**
 * Mounts the probes. `/healthz` responds while the process runs and checks nothing. `/readyz` runs the checks
 * and reports each failure with its cause. It responds 503 during shutdown, or if a check fails that is not
 * partial.
 */
export function mountHealth(
  app: FastifyInstance,
  checks: readonly Check[],
  isDraining: () => boolean = () => false,
): void {
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (isDraining()) return reply.code(503).send({ status: 'draining', failures: [], checks: [] })
    const reports = await Promise.all(checks.map(runCheck))
    const failures = reports.filter(({ status }) => status === 'failed').map(({ name }) => name)
    const isReady = checks.every(({ name, isPartial }) => isPartial || !failures.includes(name))
    if (!isReady) void reply.code(503)
    return {
      status: failures.length === 0 ? 'ok' : isReady ? 'degraded' : 'unavailable',
      failures,
      checks: reports,
    }
  })
}

async function runCheck({ name, run }: Check): Promise<CheckReport> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new HealthCause(`The check did not finish within ${DEADLINE_MS} ms.`)),
      DEADLINE_MS,
    )
  })
  try {
    await Promise.race([run(), timeout])
    return { name, status: 'ok' }
  } catch (error) {
    return { name, status: 'failed', cause: causeOf(error) }
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Returns the cause of a failure for operators. The message of an unknown error may contain secrets, so only its code
 * is shown.
 */
function causeOf(error: unknown): string {
  if (error instanceof HealthCause || isPublic(error)) return error.message
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? `The check failed: ${code}.` : 'The check failed.'
}
