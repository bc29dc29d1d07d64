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

/** Webhook commands of one caller. `clearLoaders` drops the rows that the operation has read before the write. */
export function webhookCommands(deps: WebhookCommandDeps, caller: Caller, clearLoaders: () => void) {
  const bind =
    <Input, Result>(command: Command<Input, Result>) =>
    async (input: Input): Promise<Result> => {
      const result = await command(deps, caller, input)
      clearLoaders()
      return result
    }
  return {
    createEndpoint: bind(createEndpoint),
    updateEndpoint: bind(updateEndpoint),
    deleteEndpoint: bind(deleteEndpoint),
    enableEndpoint: bind(enableEndpoint),
    disableEndpoint: bind(disableEndpoint),
    rotateSecret: bind(rotateSecret),
    sendTestEvent: bind(sendTestEvent),
    replayDelivery: bind(replayDelivery),
    replayEvent: bind(replayEvent),
    recoverEndpoint: bind(recoverEndpoint),
  }
}

export type WebhookCommands = ReturnType<typeof webhookCommands>

export interface WebhookCommandsContext {
  readonly webhookCommands: WebhookCommands
}
