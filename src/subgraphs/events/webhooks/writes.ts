import type { Caller } from '../../../auth/caller.ts'
import { createEndpoint } from './endpoints/create-endpoint.ts'
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
  }
}

export type WebhookWrites = ReturnType<typeof webhookWrites>

export interface WebhookWritesContext {
  readonly webhookWrites: WebhookWrites
}
