import type { FastifyInstance } from 'fastify'
import { PublicError } from '../domain/errors.ts'
import { isSameSecret } from '../domain/same-secret.ts'

interface MetricsOptions {
  readonly contentType: string
  text(): Promise<string>
  /** Bearer token that clients must send. Without one, the metrics are public. */
  readonly token?: string | undefined
}

/** Mounts `GET /metrics`, in the Prometheus text format. */
export function mountMetrics(app: FastifyInstance, { contentType, text, token }: MetricsOptions): void {
  app.get('/metrics', async ({ headers }, reply) => {
    const given = headers.authorization?.replace(/^bearer +/i, 'Bearer ') ?? ''
    if (token !== undefined && !isSameSecret(given, `Bearer ${token}`)) {
      void reply.header('www-authenticate', 'Bearer')
      throw new PublicError('unauthorized', 'Send `Authorization: Bearer <METRICS_TOKEN>`.')
    }
    reply.isCompressible = true
    return reply.header('content-type', contentType).send(await text())
  })
}
