import { randomPart } from '../../../auth/keys.ts'
import { isSameSecret } from '../../../domain/same-secret.ts'
import { PurchaseDecision } from '../policy/decide.ts'
import { parseBasicCredentials } from './basic-credentials.ts'
import type { CardNetworkProtocol } from './card-network-protocol.ts'
import {
  asksForDecision,
  captureOfNotification,
  isUnknownMethod,
  isVerification,
  keyOfTransaction,
  parseMarqetaMessage,
  purchaseOfTransaction,
} from './marqeta-messages.ts'

/** Gateway just-in-time funding of Marqeta, and its webhooks. A secret is `user:password`. */
export const marqeta: CardNetworkProtocol = {
  name: 'Marqeta',
  secretFormat: /^[!-9;-~]{1,50}:[!-~]{20,100}$/,
  secretHint:
    'Give user:password. The password has 20 to 100 characters, and 50 at most for webhooks of Marqeta.',
  // Marqeta wants a small and a capital letter, a digit and a symbol in the password.
  newSecret: () => `odograph:Od1-${randomPart()}`,
  refusal: { code: 'unauthorized', message: 'The credentials are invalid, or the endpoint does not exist.' },
  credentialsOf({ headers }) {
    const credentials = parseBasicCredentials(headers['authorization']?.toString())
    return credentials === null ? null : (secret) => isSameSecret(credentials, secret)
  },
  keyOfAuthorization: (token) => keyOfTransaction({ token }),
  parse(body) {
    const message = parseMarqetaMessage(body)
    const funding = message.gpa_order?.jit_funding
    if (funding && asksForDecision(funding))
      return {
        purchase: () => purchaseOfTransaction(message, funding),
        answer: ({ isApproved, decision, checkId }) => ({
          status: isApproved ? 200 : 402,
          body: {
            jit_funding: {
              ...funding,
              ...(isApproved ? {} : { decline_reason: declineReasonOf(decision) }),
              tags: `odographDecision=${decision}${checkId === null ? '' : `,odographCheck=${checkId}`}`,
            },
          },
        }),
      }
    return {
      captures: (message.transactions ?? [message]).map((one) => () => captureOfNotification(one)),
      unknownMethod: funding && isUnknownMethod(funding) ? funding.method : undefined,
      answer: { status: 200, body: funding && isVerification(funding) ? { jit_funding: funding } : {} },
    }
  },
}

const declineReasonOf = (decision: PurchaseDecision): string =>
  decision === PurchaseDecision.DECLINE ? 'SUSPECTED_FRAUD' : 'TRANSACTION_NOT_PERMITTED'
