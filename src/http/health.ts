import type { FastifyInstance } from 'fastify'
import { isPublic } from '../domain/errors.ts'

export interface Check {
  readonly name: string
  /** What the process can do without, for part of what it serves. */
  readonly isPartial?: boolean
  /** Fails where something is wrong. Only a cause and what callers may read are told in their own words. */
  run(): Promise<unknown>
}

/** What is wrong and what to do about it, as an operator reads it: nothing in it is secret. */
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
 * `/healthz`: the process lives; it asks nothing of anybody. `/readyz`: what it needs answers, or which part does not
 * and why; where it can serve in part, it is ready all the same. Told to stop, it is not.
 */
export function mountHealth(
  app: FastifyInstance,
  checks: readonly Check[],
  isDraining: () => boolean = () => false,
): void {
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    void reply.header('cache-control', 'no-store')
    if (isDraining()) return reply.code(503).send({ status: 'draining', failures: [], checks: [] })
    const told = await Promise.all(checks.map(reportOf))
    const failures = told.filter(({ status }) => status === 'failed').map(({ name }) => name)
    const isReady = checks.every(({ name, isPartial }) => isPartial || !failures.includes(name))
    if (!isReady) void reply.code(503)
    return {
      status: failures.length === 0 ? 'ok' : isReady ? 'degraded' : 'unavailable',
      failures,
      checks: told,
    }
  })
}

async function reportOf({ name, run }: Check): Promise<CheckReport> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new HealthCause(`It did not answer within ${DEADLINE_MS} ms.`)),
      DEADLINE_MS,
    )
  })
  try {
    await Promise.race([run(), late])
    return { name, status: 'ok' }
  } catch (error) {
    return { name, status: 'failed', cause: causeOf(error) }
  } finally {
    clearTimeout(timer)
  }
}

/** Of what is not meant to be read only the code is told, as drivers and the system give one. */
function causeOf(error: unknown): string {
  if (error instanceof HealthCause || isPublic(error)) return error.message
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? `It failed: ${code}.` : 'It failed; the log says why.'
}
