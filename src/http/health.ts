import type { FastifyInstance } from 'fastify'

export interface Check {
  readonly name: string
  run(): Promise<unknown>
}

const DEADLINE_MS = 2000

/** `/healthz`: the process lives. `/readyz`: what it needs answers, or which part does not. */
export function mountHealth(app: FastifyInstance, checks: readonly Check[]): void {
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const failures = (await Promise.all(checks.map(failureOf))).filter((failure) => failure !== null)
    if (failures.length > 0) void reply.code(503)
    return { status: failures.length === 0 ? 'ok' : 'unavailable', failures }
  })
}

async function failureOf({ name, run }: Check): Promise<string | null> {
  const late = new Promise<string>((resolve) => setTimeout(() => resolve(name), DEADLINE_MS).unref())
  const asked = run().then(
    () => null,
    () => name,
  )
  return Promise.race([asked, late])
}
