import { recoverEndpoint } from '../../subgraphs/events/webhooks/deliveries/recover-endpoint.ts'
import { replayDelivery } from '../../subgraphs/events/webhooks/deliveries/replay-delivery.ts'
import { sendTestEvent } from '../../subgraphs/events/webhooks/deliveries/send-test-event.ts'
import type { DeliveryStatus, WebhookDelivery } from '../../subgraphs/events/webhooks/webhook-delivery.ts'
import { type Instant, toIso } from '../../domain/time.ts'
import type { Cells } from '../output.ts'
import { CliError } from '../cli-error.ts'
import type { CommandContext } from '../command-context.ts'
import type { ApplicationOption } from '../application-command.ts'
import { depsAndCaller, iso, repositoryOf } from './webhook-endpoints.ts'

export async function test(
  context: CommandContext,
  { type, ...owner }: ApplicationOption & { readonly type: string },
  endpointId: string,
): Promise<void> {
  context.output.one(
    cells(await sendTestEvent(...(await depsAndCaller(context, owner)), { endpointId, type })),
  )
  context.output.say(`See the result with \`odograph webhooks deliveries ${endpointId}\`.`)
}

interface Listed extends ApplicationOption {
  readonly status?: DeliveryStatus
  readonly limit: number
}

export async function deliveries(
  context: CommandContext,
  { status, limit, ...owner }: Listed,
  endpointId: string,
): Promise<void> {
  const reads = await repositoryOf(context, owner)
  if (!(await reads.endpoint(endpointId)))
    throw new CliError(`there is no webhook endpoint ${endpointId} of ${owner.application}`)
  const { rows } = await reads.deliveriesOf(endpointId, { status: status ?? null, first: limit })
  context.output.list(rows.map(cells))
}

export async function replay(
  context: CommandContext,
  owner: ApplicationOption,
  deliveryId: string,
): Promise<void> {
  context.output.one(cells(await replayDelivery(...(await depsAndCaller(context, owner)), { deliveryId })))
}

export async function recover(
  context: CommandContext,
  { since, ...owner }: ApplicationOption & { readonly since: Instant },
  endpointId: string,
): Promise<void> {
  const { events } = await recoverEndpoint(...(await depsAndCaller(context, owner)), { endpointId, since })
  context.output.one({ endpoint: endpointId, since: toIso(since), events })
}

const cells = (delivery: WebhookDelivery): Cells => ({
  id: delivery.id,
  event: delivery.eventId,
  type: delivery.type,
  status: delivery.status,
  attempts: delivery.attempts,
  lastStatusCode: delivery.lastStatusCode,
  lastAttemptAt: iso(delivery.lastAttemptAt),
  nextAttemptAt: iso(delivery.nextAttemptAt),
})
