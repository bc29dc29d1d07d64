import { z } from 'zod'
import type { CaptureForCheckInput } from '../captures/capture-for-check-input.ts'
import type { CheckPurchaseInput, MerchantInput } from '../check-purchase-input.ts'
import { PurchasePhase } from '../purchase-enums.ts'
import { merchantOf, sellsFuel, textIn } from './fuel-merchant.ts'

/** Members of Marqeta's messages that a check uses. Marqeta adds others at any time. */
const text = z.string().nullish()
const token = z.string().regex(/^[\w-]{1,200}$/)
const fundingSchema = z.object({
  token,
  method: z.string(),
  user_token: text,
  acting_user_token: text,
  amount: z.number(),
})
const messageSchema = z.looseObject({
  gpa_order: z.object({ jit_funding: fundingSchema.nullish() }).nullish(),
  /** Transactions of a webhook, which sends several in one message. */
  transactions: z.array(z.unknown()).nullish(),
})
const acceptorSchema = z.object({
  mid: text,
  mcc: z.string(),
  name: text,
  address: text,
  street_address: text,
  city: text,
  state: text,
  zip: text,
  postal_code: text,
  country_code: text,
  country: text,
})
const transactionSchema = z.object({
  token,
  card_token: text,
  card: z.object({ metadata: z.record(z.string(), z.unknown()).nullish() }).nullish(),
  amount: z.number(),
  currency_code: z.string(),
  card_acceptor: acceptorSchema,
  preceding_related_transaction_token: token.nullish(),
})
const notificationSchema = z.object({
  type: text,
  state: text,
  gpa_order: z.object({ jit_funding: z.object({ method: text }).nullish() }).nullish(),
})
const captureSchema = z.object({
  token,
  amount: z.number(),
  currency_code: z.string(),
  card_acceptor: z.object({ mcc: text }).nullish(),
  preceding_related_transaction_token: token.nullish(),
})

type MarqetaMessage = z.infer<typeof messageSchema>
/** Request for the money of a transaction. */
export type JitFunding = z.infer<typeof fundingSchema>

/** Parses the body of a message: a transaction, or a webhook with several. Throws if it is neither. */
export const parseMarqetaMessage = (body: Buffer): MarqetaMessage =>
  messageSchema.parse(JSON.parse(body.toString()))

const INCREMENT = 'pgfs.authorization.incremental'
const AUTH_PLUS_CAPTURE = 'pgfs.auth_plus_capture'
const BALANCE_INQUIRY = 'pgfs.balanceinquiry'
/** Methods that ask for a decision on money. */
const DECIDED_METHODS: ReadonlySet<string> = new Set([
  'pgfs.authorization',
  INCREMENT,
  AUTH_PLUS_CAPTURE,
  BALANCE_INQUIRY,
])

export const asksForDecision = ({ method }: JitFunding): boolean => DECIDED_METHODS.has(method)

/** Whether a merchant asks whether the card exists. No money moves. */
export const isVerification = ({ method }: JitFunding): boolean =>
  method === 'pgfs.authorization.account_verification'

/** Methods that only inform, such as `pgfs.authorization.reversal` and `pgfs.dispute.debit`. */
const INFORMING =
  /\.(?:advice|capture|chargeback|clearing|credit|debit|force_capture|load|refund|reversal|standin)\b/

/** Whether a method may ask for money in a way that is not known. */
export const isUnknownMethod = (funding: JitFunding): boolean =>
  !asksForDecision(funding) && !isVerification(funding) && !INFORMING.test(funding.method)

/**
 * Returns the purchase of a transaction. An increment names the authorization that it increases, or the increment before
 * it. Null if nothing is bought, or the merchant does not sell fuel.
 */
export function purchaseOfTransaction(
  transaction: MarqetaMessage,
  { method }: JitFunding,
): CheckPurchaseInput | null {
  if (method === BALANCE_INQUIRY) return null
  const { card_acceptor, card, ...parsed } = transactionSchema.parse(transaction)
  if (!sellsFuel(card_acceptor.mcc)) return null
  return {
    idempotencyKey: keyOfTransaction(parsed),
    vehicleId: textIn(card?.metadata?.['vehicleId']),
    driverId: textIn(card?.metadata?.['driverId']),
    cardId: parsed.card_token,
    authorizationId:
      (method === INCREMENT ? parsed.preceding_related_transaction_token : null) ?? parsed.token,
    merchant: acceptorOf(card_acceptor),
    amount: { value: parsed.amount, currency: parsed.currency_code },
    phase: PurchasePhase.AUTHORIZATION,
  }
}

const FAILED_STATES: readonly (string | null | undefined)[] = ['DECLINED', 'ERROR']

/**
 * Returns the capture that a transaction informs about. Null if it captures no authorization of fuel. A completed
 * authorization that is its own capture captures itself: no other transaction follows.
 */
export function captureOfNotification(transaction: unknown): CaptureForCheckInput | null {
  const { type, state, gpa_order } = notificationSchema.parse(transaction)
  const method = gpa_order?.jit_funding?.method
  const isOwnCapture = method === AUTH_PLUS_CAPTURE
  const isCapture = isOwnCapture
    ? state === 'COMPLETION'
    : type === 'authorization.clearing' || method === 'pgfs.authorization.capture'
  if (!isCapture || FAILED_STATES.includes(state)) return null
  const { card_acceptor, preceding_related_transaction_token, ...capture } = captureSchema.parse(transaction)
  const authorizationId = isOwnCapture ? capture.token : preceding_related_transaction_token
  const mcc = card_acceptor?.mcc
  if (authorizationId == null || (mcc != null && !sellsFuel(mcc))) return null
  return {
    idempotencyKey: isOwnCapture ? `${keyOfTransaction(capture)}:capture` : keyOfTransaction(capture),
    authorizationId,
    amount: { value: capture.amount, currency: capture.currency_code },
  }
}

export const keyOfTransaction = ({ token }: { readonly token: string }): string => `marqeta:${token}`

/** Countries in which the places of merchants are known, by their codes of three letters. */
const countryCodes: Readonly<Partial<Record<string, string>>> = { USA: 'US', CAN: 'CA', MEX: 'MX' }

function acceptorOf(acceptor: z.infer<typeof acceptorSchema>): MerchantInput {
  const country = acceptor.country_code ?? acceptor.country
  return merchantOf({
    name: acceptor.name,
    categoryCode: acceptor.mcc,
    siteId: acceptor.mid,
    country: countryCodes[country?.trim().toUpperCase() ?? ''] ?? country,
    address: {
      line1: acceptor.street_address ?? acceptor.address,
      city: acceptor.city,
      state: acceptor.state,
      postalCode: acceptor.postal_code ?? acceptor.zip,
    },
  })
}
