import type { BehaviourTable } from '../../kit/behaviours.ts'
import { DOCS_2017 } from './sources.ts'

export const webhooks = {
  signature: {
    mark: 'V',
    does: 'X-KT-Webhook-Signature is the HMAC-SHA1 of the body with the secret, in hex',
    source: `${DOCS_2017}, its vector computed again`,
  },
  deliveries: {
    mark: 'V',
    does: '200 and 201 accept a delivery, 403 refuses it for good, all others cause up to eight retries',
    source: DOCS_2017,
  },
  webhookTest: {
    mark: 'V',
    does: 'a webhook is enabled once {"action":"test"} succeeds',
    source: DOCS_2017,
  },
  webhookBody: {
    mark: 'K',
    does: 'whether the values are next to the action or in data',
    source: 'the first version is published',
    positions: ['v1', 'v2'],
  },
} as const satisfies BehaviourTable
