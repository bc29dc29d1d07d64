/** Failures of outgoing requests. Each message is a sentence for the operator of the receiver. */

/** Address that the rules block. */
export class BlockedAddress extends Error {
  readonly outcome = 'blocked'
}

export class TimedOut extends Error {
  readonly outcome = 'timed_out'
}

/** Any other failure that the system, TLS or HTTP reports. */
export class Unreachable extends Error {
  readonly outcome = 'unreachable'

  constructor(cause: unknown) {
    super(messageOf(cause), { cause })
  }
}

export type OutboundFailure = BlockedAddress | TimedOut | Unreachable

export const toFailure = (error: unknown): OutboundFailure =>
  error instanceof BlockedAddress || error instanceof TimedOut || error instanceof Unreachable
    ? error
    : new Unreachable(error)

/** Whether the receiver closed or reset the connection. */
export const isLostConnection = (error: Error): boolean => {
  const { code, message } = error as { code?: string; message: string }
  return (
    code === 'ECONNRESET' ||
    code === 'EPIPE' ||
    (code === 'UND_ERR_SOCKET' && message === 'other side closed')
  )
}

const messages: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the server refused the connection',
  ECONNRESET: 'the server reset the connection',
  EPIPE: 'the server closed the connection while the request was sent',
  EHOSTUNREACH: 'there is no route to the host of the server',
  ENETUNREACH: 'there is no route to the network of the server',
  ETIMEDOUT: 'the connection to the server timed out',
  ENOTFOUND: 'the host name does not exist',
  ENODATA: 'the host name has no address',
  EAI_AGAIN: 'the host name could not be resolved: the name server did not answer',
  ESERVFAIL: 'the host name could not be resolved: the name server failed',
  EREFUSED: 'the host name could not be resolved: the name server refused',
  ETIMEOUT: 'the host name could not be resolved: the name server did not answer',
  CERT_HAS_EXPIRED: 'the certificate of the server has expired',
  CERT_NOT_YET_VALID: 'the certificate of the server is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the server is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate of the server is not from a trusted authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate of the server is not from a trusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the certificate of the server is not from a trusted authority, or its chain is incomplete',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server is for another name',
  UND_ERR_HEADERS_OVERFLOW: 'the response headers are larger than 16 KiB',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the length of the response differs from its content-length',
  UND_ERR_DESTROYED: 'the service is stopping',
  UND_ERR_CLOSED: 'the service is stopping',
}

/** Patterns for the error codes of OpenSSL, which are many. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/^ERR_SSL_WRONG_VERSION_NUMBER$|^EPROTO$/, 'the server does not speak TLS'],
  [/^ERR_SSL_/, 'the TLS handshake with the server failed'],
  [/^CERT_|_CERT/, 'the certificate of the server is invalid'],
]

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0])
  const { code = '', message = '', name } = error as { code?: string; message?: string; name?: string }
  if (name === 'HTTPParserError') return `the response is not HTTP: ${message}`
  const text = messages[code] ?? patterns.find(([pattern]) => pattern.test(code))?.[1]
  if (text) return code.startsWith('UND_') ? text : `${text} (${code})`
  if (code === 'UND_ERR_SOCKET')
    return socketMessages[message] ?? 'the server closed the connection before it answered'
  return message || 'the server is unreachable'
}

const socketMessages: Readonly<Record<string, string>> = {
  'bad response': 'the response is not HTTP, or came before the request',
  'bad upgrade': 'the server requested a protocol upgrade',
}
