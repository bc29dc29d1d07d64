import type { Ledger } from '../../kit/behaviours.ts'
import { DOCS_2017 } from './sources.ts'

/** How a fleet is told of what happens. */
export const telling = {
  signature: {
    mark: 'V',
    does: 'X-KT-Webhook-Signature is the HMAC-SHA1 of the body with the secret, in hex',
    source: `${DOCS_2017}, its vector computed again`,
  },
  deliveries: {
    mark: 'V',
    does: '200 and 201 take a delivery, 403 refuses it for good, all else is tried again, eight times',
    source: DOCS_2017,
  },
  webhookTest: {
    mark: 'V',
    does: 'a webhook is on once {"action":"test"} is answered well',
    source: DOCS_2017,
  },
  webhookBody: {
    mark: 'K',
    does: 'whether the facts stand beside the action or in data',
    source: 'the first version is published',
    positions: ['v1', 'v2'],
  },
} as const satisfies Ledger
