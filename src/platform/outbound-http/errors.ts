/** What may keep a request from being answered; each message is a sentence for who looks after the receiver. */

/** An address that the rules refuse. */
export class BlockedAddress extends Error {
  readonly outcome = 'blocked'
}

export class TimedOut extends Error {
  readonly outcome = 'timed_out'
}

/** Whatever else the system, TLS or HTTP says went wrong. */
export class Unreachable extends Error {
  readonly outcome = 'unreachable'

  constructor(cause: unknown) {
    super(sentenceOf(cause), { cause })
  }
}

export type OutboundFailure = BlockedAddress | TimedOut | Unreachable

export const toFailure = (error: unknown): OutboundFailure =>
  error instanceof BlockedAddress || error instanceof TimedOut || error instanceof Unreachable
    ? error
    : new Unreachable(error)

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it reset the connection',
  EPIPE: 'it closed the connection while the request was being sent',
  EHOSTUNREACH: 'there is no way to its host',
  ENETUNREACH: 'there is no way to its network',
  ETIMEDOUT: 'it could not be connected to in time',
  ENOTFOUND: 'its name does not exist',
  ENODATA: 'its name stands for no address',
  EAI_AGAIN: 'its name could not be resolved: the name server did not answer',
  ESERVFAIL: 'its name could not be resolved: the name server failed',
  EREFUSED: 'its name could not be resolved: the name server refused',
  ETIMEOUT: 'its name could not be resolved: the name server did not answer',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is of an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is of an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is of an authority that is not trusted, or the chain is not whole',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of its answer are larger than 16 KiB',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'its answer is not as long as it says',
  UND_ERR_DESTROYED: 'the service is stopping',
  UND_ERR_CLOSED: 'the service is stopping',
}

/** OpenSSL's own codes, which are many. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/^ERR_SSL_WRONG_VERSION_NUMBER$|^EPROTO$/, 'it does not speak TLS'],
  [/^ERR_SSL_/, 'it could not be agreed with on TLS'],
  [/^CERT_|_CERT/, 'its certificate is not good'],
]

function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return sentenceOf(error.errors[0])
  const { code = '', message = '', name } = error as { code?: string; message?: string; name?: string }
  if (name === 'HTTPParserError') return `its answer is not HTTP: ${message}`
  const known = sentences[code] ?? patterns.find(([pattern]) => pattern.test(code))?.[1]
  if (known) return code.startsWith('UND_') ? known : `${known} (${code})`
  if (code === 'UND_ERR_SOCKET')
    return socketSentences[message] ?? 'it closed the connection before it answered'
  return message || 'it could not be reached'
}

const socketSentences: Readonly<Record<string, string>> = {
  'bad response': 'its answer is not HTTP, or came before it was asked for',
  'bad upgrade': 'it wants to change the protocol',
}
