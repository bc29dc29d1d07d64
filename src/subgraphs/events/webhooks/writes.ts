import type { Caller } from '../../../auth/caller.ts'
import { recoverEndpoint } from './deliveries/recover-endpoint.ts'
import { replayDelivery, replayEvent } from './deliveries/replay.ts'
import { sendTestEvent } from './deliveries/send-test-event.ts'
import { createEndpoint } from './endpoints/create-endpoint.ts'
import { deleteEndpoint } from './endpoints/delete-endpoint.ts'
import { disableEndpoint } from './endpoints/disable-endpoint.ts'
import { enableEndpoint } from './endpoints/enable-endpoint.ts'
import { rotateSecret } from './endpoints/rotate-secret.ts'
import { updateEndpoint } from './endpoints/update-endpoint.ts'
import type { WebhookWritesFrom } from './writes-from.ts'

type Verb<Input, Result> = (from: WebhookWritesFrom, caller: Caller, input: Input) => Promise<Result>

/** The verbs of webhooks, bound to one caller. `forget` drops what the operation has read before a write. */
export function webhookWrites(from: WebhookWritesFrom, caller: Caller, forget: () => void) {
  const bound =
    <Input, Result>(verb: Verb<Input, Result>) =>
    async (input: Input): Promise<Result> => {
      const result = await verb(from, caller, input)
      forget()
      return result
    }
  return {
    createEndpoint: bound(createEndpoint),
    updateEndpoint: bound(updateEndpoint),
    deleteEndpoint: bound(deleteEndpoint),
    enableEndpoint: bound(enableEndpoint),
    disableEndpoint: bound(disableEndpoint),
    rotateSecret: bound(rotateSecret),
    sendTestEvent: bound(sendTestEvent),
    replayDelivery: bound(replayDelivery),
    replayEvent: bound(replayEvent),
    recoverEndpoint: bound(recoverEndpoint),
  }
}

export type WebhookWrites = ReturnType<typeof webhookWrites>

export interface WebhookWritesContext {
  readonly webhookWrites: WebhookWrites
}
