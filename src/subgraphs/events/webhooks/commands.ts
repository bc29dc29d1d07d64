import type { Caller } from '../../../auth/caller.ts'
import { recoverEndpoint } from './deliveries/recover-endpoint.ts'
import { replayDelivery, replayEvent } from './deliveries/replay-delivery.ts'
import { sendTestEvent } from './deliveries/send-test-event.ts'
import { createEndpoint } from './endpoints/create-endpoint.ts'
import { deleteEndpoint } from './endpoints/delete-endpoint.ts'
import { disableEndpoint } from './endpoints/disable-endpoint.ts'
import { enableEndpoint } from './endpoints/enable-endpoint.ts'
import { rotateSecret } from './endpoints/rotate-secret.ts'
import { updateEndpoint } from './endpoints/update-endpoint.ts'
import type { WebhookCommandDeps } from './command-deps.ts'

type Command<Input, Result> = (deps: WebhookCommandDeps, caller: Caller, input: Input) => Promise<Result>

/** The verbs of webhooks, bound to one caller. `forget` drops what the operation has read before a write. */
export function webhookCommands(deps: WebhookCommandDeps, caller: Caller, forget: () => void) {
  const bound =
    <Input, Result>(command: Command<Input, Result>) =>
    async (input: Input): Promise<Result> => {
      const result = await command(deps, caller, input)
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

export type WebhookCommands = ReturnType<typeof webhookCommands>

export interface WebhookCommandsContext {
  readonly webhookCommands: WebhookCommands
}
